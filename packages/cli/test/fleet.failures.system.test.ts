import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { afterAll, beforeAll, describe, type ExpectStatic, it } from "vitest";
import { startRedis } from "../../../test/redis.js";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import { lastingFiles } from "./experiments.js";
import { Fleet, RUNS, type Started } from "./fleet.js";
import { redisLeftovers, STORES, type Store } from "./fleetStores.js";
import { tsallis } from "./inProcess.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-fleet-"));
afterAll(() => rmSync(root, { recursive: true }));

/** More chunks than a coordinator asks for at a time. */
const OTHERS = 1500;

/** The results of sweep.yaml on one thread of this machine: every test compares with these bytes. */
let whole: Record<string, string>;
let twoThreads: Record<string, string>;
beforeAll(async () => {
  const fleet = new Fleet(root, "");
  const local = async (workers: string) => {
    await tsallis(["run", "sweep.yaml", "--out", workers, "--workers", workers], "", fleet.folder);
    return lastingFiles(fleet.path(workers));
  };
  whole = await local("1");
  twoThreads = await local("2");
});

it("two threads: the same bytes as one", ({ expect }) => {
  expect(twoThreads).toEqual(whole);
});

/** Checks that the coordinator ends well, with the bytes of one thread in its folder. */
async function expectWhole(expect: ExpectStatic, fleet: Fleet, coordinator: Started, out = "out"): Promise<void> {
  const { code, stderr } = await coordinator.over();
  expect(code, stderr).toBe(0);
  expect(lastingFiles(fleet.path(out))).toEqual(whole);
  expect(fleet.finished(out)).toBe(RUNS);
}

/** Waits until the workers have played everything in the queue. */
async function untilIdle(fleet: Fleet): Promise<void> {
  await until("the workers are idle", async () => {
    const { queued, active } = await fleet.state();
    return queued + active === 0;
  });
}

/** A fleet on an empty queue that ends with the test. */
async function newFleet(store: Store, onTestFinished: (end: () => Promise<void>) => void): Promise<Fleet> {
  const fleet = new Fleet(root, await store.fresh());
  onTestFinished(() => fleet.end());
  return fleet;
}

describe.concurrent.each(Object.entries(STORES))("on %s", (_, start) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.stop());

  it("three workers: the same bytes as one thread, and nothing stays in the store", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(store, onTestFinished);
    const workers = await fleet.workers(3);
    await expectWhole(expect, fleet, fleet.coordinator());
    for (const { played } of workers) expect(played.length).toBeGreaterThan(0);
    expect(await store.leftovers(fleet.url)).toEqual([]);
    expect(await fleet.state()).toMatchObject({ queued: 0, active: 0, failed: 0 });
  });

  it("all workers killed with -9 in the middle of a chunk, then one of the new ones", async ({ expect, onTestFinished }) => {
    for (let i = 0; i < soak(1, 25); i++) {
      const fleet = await newFleet(store, onTestFinished);
      const coordinator = fleet.coordinator();
      const [first] = await fleet.workers(1);
      const heldByFirst = await fleet.freeze(first!);
      await first!.kill();
      const [second] = await fleet.workers(1);
      const heldBySecond = await fleet.freeze(second!);
      expect(fleet.finished()).toBeLessThan(RUNS);
      const [third] = await fleet.workers(1);
      await second!.kill();
      await expectWhole(expect, fleet, coordinator);
      // Where freezing the second takes longer than the first one's lock lasts, the second has played that chunk, and the third need not.
      expect([...second!.played, ...third!.played]).toEqual(expect.arrayContaining(heldByFirst));
      expect(third!.played).toEqual(expect.arrayContaining(heldBySecond));
      expect(await store.leftovers(fleet.url)).toEqual([]);
      await fleet.end();
    }
  });

  it("a worker that hangs for good, and a slow one that finishes when another has played its chunk", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(store, onTestFinished);
    const coordinator = fleet.coordinator();
    const [hanging, slow] = await fleet.workers(2);
    const [, chunk] = await fleet.freeze(hanging!, slow!);
    const [other] = await fleet.workers(1);
    await other!.until("it has played the slow one's chunk", () => other!.played.includes(chunk!));
    slow!.signal("SIGCONT");
    await slow!.until("it has seen its chunk to the end", () => slow!.ends.includes(chunk!));
    await expectWhole(expect, fleet, coordinator);
    // The other one, too, finds its chunk gone when it wakes at last; both live on.
    hanging!.signal("SIGCONT");
    for (const worker of [hanging!, slow!]) {
      worker.signal("SIGTERM");
      expect((await worker.over()).code).toBe(0);
    }
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("the coordinator killed with -9 and resumed: once immediately, once when the worker has played everything that it left", async ({
    expect,
    onTestFinished,
  }) => {
    const fleet = await newFleet(store, onTestFinished);
    const [worker] = await fleet.workers(1);
    const first = fleet.coordinator();
    await fleet.freeze(worker!);
    await first.until("a run is in the journal", () => fleet.finished() > 0);
    await first.kill();
    const left = RUNS - fleet.finished();
    expect(left).toBeGreaterThan(0);
    const second = fleet.coordinator();
    await second.until("it has taken over what was left", async () => (await fleet.state()).experiments[0]?.progress?.runs === left);
    await second.kill();
    expect(fleet.finished()).toBeLessThan(RUNS);
    worker!.signal("SIGCONT");
    await untilIdle(fleet);
    await expectWhole(expect, fleet, fleet.coordinator());
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });
});

describe.concurrent("on Redis alone", () => {
  let store: Store;
  beforeAll(async () => {
    store = await STORES.Redis!();
  });
  afterAll(() => store.stop());

  it("Ctrl-C at the coordinator, which takes back the chunks that nobody has begun; SIGTERM at the worker in the middle of a chunk", async ({
    expect,
    onTestFinished,
  }) => {
    const fleet = await newFleet(store, onTestFinished);
    const [worker] = await fleet.workers(1);
    const stopped = fleet.coordinator();
    await fleet.freeze(worker!);
    await stopped.until("a run is in the journal", () => fleet.finished() > 0);
    stopped.signal("SIGINT");
    const { code, stderr } = await stopped.over();
    expect(code, stderr).toBe(130);
    expect(stderr).toMatch(/^tsallis: stopped; continue with: npx tsallis run sweep\.yaml .*--out out/m);
    expect(fleet.finished()).toBeLessThan(RUNS);
    expect((await fleet.state()).queued).toBe(0);

    const coordinator = fleet.coordinator();
    // A stopped process gets the signal when it continues.
    worker!.signal("SIGTERM");
    worker!.signal("SIGCONT");
    expect((await worker!.over()).code).toBe(0);
    await fleet.workers(1);
    await expectWhole(expect, fleet, coordinator);
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("two coordinators with the same experiment, each into its own folder", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(store, onTestFinished);
    await fleet.workers(2);
    const [one, two] = [fleet.coordinator("first"), fleet.coordinator("second")];
    await expectWhole(expect, fleet, one, "first");
    await expectWhole(expect, fleet, two, "second");
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("the document is gone from the store when a worker asks for it: no run fails for that", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(store, onTestFinished);
    const coordinator = fleet.coordinator();
    await coordinator.until("chunks are queued", async () => (await fleet.state()).queued > 0);
    // Stopped, it cannot put the document back before the worker has asked for it again and again.
    coordinator.signal("SIGSTOP");
    const { queue, queued, experiments } = await fleet.state();
    const documents = new Queue(`${queue}-documents`, { connection: { url: fleet.url } });
    onTestFinished(() => documents.close());
    expect(await documents.remove(experiments[0]!.hash)).toBe(1);
    const [worker] = await fleet.workers(1);
    await worker!.until("it has tried them all, and more than once", () => worker!.returned.length >= 3 * queued);
    coordinator.signal("SIGCONT");
    await expectWhole(expect, fleet, coordinator);
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("finished chunks are found among hundreds that nobody fetches", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(store, onTestFinished);
    const [worker] = await fleet.workers(1);
    const coordinator = fleet.coordinator();
    await fleet.freeze(worker!);
    await coordinator.until("a run is in the journal", () => fleet.finished() > 0);
    coordinator.signal("SIGSTOP");
    worker!.signal("SIGCONT");
    await untilIdle(fleet);
    worker!.signal("SIGSTOP");
    // Chunks left by coordinators that never come back.
    const { queue } = await fleet.state();
    const connection = { url: fleet.url };
    const others = new Queue(queue, { connection });
    const hand = new Worker(queue, async () => "", { connection, concurrency: 50 });
    onTestFinished(async () => {
      await Promise.all([hand.close(), others.close()]);
    });
    await others.addBulk(Array.from({ length: OTHERS }, (_, i) => ({ name: "other", data: {}, opts: { jobId: `other-${i}` } })));
    await until("they are done", async () => (await others.getCompletedCount()) >= OTHERS);
    await hand.close();
    for (const process of [worker!, coordinator]) process.signal("SIGCONT");
    await expectWhole(expect, fleet, coordinator);
  });

  it.for([
    ["with its append-only file on", true],
    ["without one: it comes back empty", false],
  ] as const)("the server killed with -9 and restarted, %s", async ([, appendOnly], { expect, onTestFinished }) => {
    const redis = await startRedis({ appendOnly });
    onTestFinished(() => redis.stop());
    const fleet = new Fleet(root, redis.url);
    onTestFinished(() => fleet.end());
    const [worker] = await fleet.workers(1);
    const coordinator = fleet.coordinator();
    await fleet.freeze(worker!);
    await coordinator.until("a run is in the journal", () => fleet.finished() > 0);
    await redis.kill();
    expect(fleet.finished()).toBeLessThan(RUNS);
    worker!.signal("SIGCONT");
    await coordinator.until("it says that the server is gone", () => /^tsallis: .*does not answer/m.test(coordinator.stderr));
    await redis.restart();
    await expectWhole(expect, fleet, coordinator);
    expect(worker!.hasEnded, worker!.stderr).toBe(false);
    expect(await redisLeftovers(redis.url)).toEqual([]);
  });
});

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { completeExperiment, freezeExperiment } from "@tsallis/lab";
import { type ConnectionOptions, createPostgresBackend, Queue } from "bullmq";
import { afterAll, beforeAll, describe, it, onTestFinished } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { tsallis } from "./command.js";
import type { Ended } from "./ended.js";
import { experimentText, lastingFiles } from "./experiments.js";
import { writeFickleModule } from "./fickleModule.js";
import { Fleet } from "./fleet.js";
import { STORES, type Store } from "./fleetStores.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-limits-"));
afterAll(() => rmSync(root, { recursive: true }));

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe.concurrent.each(Object.entries(STORES))("on %s", (engine, start) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.stop());

  async function newFleet(onTestFinished: (end: () => Promise<void>) => void): Promise<Fleet> {
    const fleet = new Fleet(root, await store.fresh());
    onTestFinished(() => fleet.end());
    return fleet;
  }

  it("a policy that a worker does not know fails the runs of that experiment with the reason, and nothing else", async ({
    expect,
    onTestFinished,
  }) => {
    const fleet = await newFleet(onTestFinished);
    fleet.write(experimentText({ policies: "  zero: { policy: arm-zero }\n  uniform: { policy: uniform }\n" }));
    const [worker] = await fleet.workers(1);
    const { code, stderr } = await fleet.coordinator("out", "--import", fixture("mine.mjs")).over();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tsallis: ERR_RUNS: 8 of 8 runs failed, first still\/zero\/1: ERR_IMPORT: .*mine\.mjs.*--import/m);
    expect(await store.leftovers(fleet.url)).toEqual([]);

    // The same worker continues with what it can play.
    expect(worker!.hasEnded).toBe(false);
    fleet.write(experimentText());
    expect((await fleet.coordinator("next").over()).code).toBe(0);
  });

  it("a worker without the module leaves the chunk to one that has it, however long that one is busy", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(onTestFinished);
    const imports = ["--import", fixture("mine.mjs")];
    fleet.write(experimentText({ horizon: 100_000, seeds: 6, policies: "  zero: { policy: arm-zero }\n  ada2tinf: { policy: ada2tinf }\n" }));
    const coordinator = fleet.coordinator("out", ...imports);
    const [good] = await fleet.workers(1, ...imports);
    await fleet.freeze(good!);
    const [bad] = await fleet.workers(1);
    await bad!.tells("returned");
    good!.signal("SIGCONT");
    const { code, stderr } = await coordinator.over();
    expect(code, stderr).toBe(0);
    expect(bad!.played).toEqual([]);
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("a module that changed on the disk is not played: its worker leaves the chunk to others, and without any the runs fail by the file's name", async ({
    expect,
    onTestFinished,
  }) => {
    const fleet = await newFleet(onTestFinished);
    fleet.write(experimentText({ policies: "  mine: { policy: mine }\n  uniform: { policy: uniform }\n" }));
    const file = writeFickleModule(fleet.path("mine"), { edit: false });
    const [bad] = await fleet.workers(1, "--import", writeFickleModule(fleet.path("bad"), { edit: true }));
    const alone = await fleet.coordinator("alone", "--import", file).over();
    expect(alone.code).toBe(1);
    expect(alone.stderr).toMatch(
      /^tsallis: ERR_RUNS: 8 of 8 runs failed, first still\/mine\/1: ERR_IMPORT: .*which no worker has: \.\/lib\.mjs, which \S+mine\.mjs loads, is not/m,
    );
    expect(bad!.stdout).toMatch(/"returned".*\.\/lib\.mjs/);

    const played = bad!.played.length;
    await fleet.workers(1, "--import", writeFickleModule(fleet.path("good"), { edit: false }));
    const { code, stderr } = await fleet.coordinator("out", "--import", file).over();
    expect(code, stderr).toBe(0);
    expect(bad!.played.length).toBe(played);
    expect((await tsallis(["run", "sweep.yaml", "--out", "local", "--import", file], "", fleet.folder)).code).toBe(0);
    expect(lastingFiles(fleet.path("out"))).toEqual(lastingFiles(fleet.path("local")));
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("values that a store might change (odd keys, numbers, messages) come back unchanged, also when a thread hangs", async ({
    expect,
    onTestFinished,
  }) => {
    const fleet = await newFleet(onTestFinished);
    const imports = ["--import", fixture("odd.mjs")];
    fleet.write(experimentText({ policies: ["odd", "hanging", "tired"].map((name) => `  ${name}: { policy: ${name} }\n`).join("") }));
    // The patience counts from before a thread has loaded: with 3 s, the test failed on a machine with 28 processes waiting for two cores.
    const [worker] = await fleet.workers(1, "--patience", "30", ...imports);
    const distributed = await fleet.coordinator("out", ...imports).over();
    const local = await tsallis(["run", "sweep.yaml", "--out", "local", ...imports], "", fleet.folder);
    expect([distributed.code, local.code], distributed.stderr).toEqual([1, 1]);
    await worker!.tells("returned");
    expect(distributed.stderr.split("\n").at(-2)).toBe(local.stderr.split("\n").at(-2));
    expect(lastingFiles(fleet.path("out"))).toEqual(lastingFiles(fleet.path("local")));
    expect(await store.leftovers(fleet.url)).toEqual([]);
  });

  it("jobs and documents that somebody else has put into the queue fail, and the worker goes on", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(onTestFinished);
    fleet.write(experimentText());
    const connection = engine === "Redis" ? { url: fleet.url } : { connectionString: fleet.url, migrate: true };
    const backend = engine === "Redis" ? undefined : createPostgresBackend;
    const { queue } = await fleet.state();
    const [chunks, documents] = [queue, `${queue}-documents`].map(
      (name) => new Queue(name, { connection: connection as ConnectionOptions }, backend as undefined),
    ) as [Queue, Queue];
    onTestFinished(() => Promise.all([chunks.close(), documents.close()]).then(() => {}));
    // A policy that nobody has, under its own hash; text that is no JSON; another document's hash.
    const experiment = { name: "evil", horizon: 5, seeds: [1], environments: {}, policies: { x: { policy: "no-such" } }, evidence: [], sweep: [] };
    const evil = freezeExperiment(experiment as never);
    const run = { id: "a/x/1", environment: "a", policy: "x", seed: 1, sweep: null };
    const [garbled, other] = ["a".repeat(64), "b".repeat(64)];
    await documents.add("evil", { frozen: JSON.stringify(evil) }, { jobId: evil.hash });
    await documents.add("garbled", { frozen: "{" }, { jobId: garbled });
    await documents.add("other", { frozen: JSON.stringify(evil) }, { jobId: other });
    // A run that is not what its id says.
    const worlds = { a: { environment: "lower-bound", alpha: 2, arms: 2, gap: 0.1 } };
    const good = freezeExperiment(
      completeExperiment({ name: "good", horizon: 5, seeds: 1, environments: worlds, policies: { x: { policy: "uniform" } } }),
    );
    await documents.add("good", { frozen: JSON.stringify(good) }, { jobId: good.hash });
    const jobs: unknown[] = [null, {}, "x", { hash: "x", runs: [run] }, { hash: garbled, runs: "all" }, { hash: garbled, runs: [null] }];
    jobs.push(...[evil.hash, garbled, other].map((hash) => ({ hash, runs: [run] })), { hash: good.hash, runs: [{ ...run, seed: 77 }] });
    for (const [i, data] of jobs.entries()) await chunks.add("foreign", data, { jobId: `foreign-${i}` });
    const [worker] = await fleet.workers(1);
    await worker!.until("it has given them all back", () => worker!.returned.length === jobs.length);
    const { code, stderr } = await fleet.coordinator().over();
    expect(code, stderr).toBe(0);
    expect(worker!.hasEnded, worker!.stderr).toBe(false);
    const reasons = await Promise.all(jobs.map(async (_, i) => (await chunks.getJob(`foreign-${i}`))?.failedReason));
    expect(reasons.slice(0, 6)).toEqual(Array(6).fill(expect.stringContaining("it is not a chunk of an experiment")));
    expect(reasons.slice(6)).toEqual([
      expect.stringContaining("the experiment in the queue is no valid document"),
      "the experiment in the queue under the hash aaaaaaaa is not JSON",
      expect.stringContaining("under the hash bbbbbbbb has a different hash"),
      "the run a/x/1 in the queue is not what its id says: it was changed on the way",
    ]);
  });

  it("a worker of another version takes no job, and says which queue it sees and why it idles", async ({ expect, onTestFinished }) => {
    const fleet = await newFleet(onTestFinished);
    const connection = engine === "Redis" ? { url: fleet.url } : { connectionString: fleet.url, migrate: true };
    const backend = engine === "Redis" ? undefined : createPostgresBackend;
    const other = new Queue("tsallis-99.9.9", { connection: connection as ConnectionOptions }, backend as undefined);
    onTestFinished(() => other.close());
    await other.add("chunk", {});
    const worker = fleet.start("worker");
    await worker.until("it says why it idles", () => /^tsallis: idle: .*tsallis-99\.9\.9.*version/m.test(worker.stderr));
    expect(await other.getJobCounts("waiting", "active", "completed")).toEqual({ waiting: 1, active: 0, completed: 0 });
  });
});

/** Every file below a folder. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

describe.concurrent("credentials", () => {
  const PASSWORD = "pass/wörd @1";
  const WRONG = "wr0ng-one";
  const SERVERS = { Redis: () => startRedis({ password: PASSWORD }), PostgreSQL: () => startPostgres({ password: PASSWORD }) };

  it.for(Object.entries(SERVERS))("of %s are in no output and no file", async ([, start], { expect, onTestFinished }) => {
    const server = await start();
    onTestFinished(() => server.stop());
    const fleet = new Fleet(root, server.url);
    onTestFinished(() => fleet.end());
    const on = (url: string, ...args: string[]) => tsallis([...args, "--queue", url], "", fleet.folder);
    const [worker] = await fleet.workers(1);

    // The run is stopped in the middle, looked at, and continued.
    const stopped = fleet.coordinator();
    await fleet.freeze(worker!);
    await stopped.until("a run is in the journal", () => fleet.finished() > 0);
    stopped.signal("SIGINT");
    const good: Ended[] = [await stopped.over(), await on(server.url, "fleet"), await on(server.url, "fleet", "--json")];
    worker!.signal("SIGCONT");
    good.push(await fleet.coordinator().over());
    good.push(await on(server.url, "fleet", "clear", "out"), await on(server.url, "fleet", "drain"));
    expect(good.map(({ code, stderr }) => code ?? stderr)).toEqual([130, 0, 0, 0, 0, 0]);

    // The server refuses, and is not there at all.
    const wrong = server.url.replace(/:[^:@]*@/, `:${WRONG}@`);
    const nobody = server.url.replace(/:\d+(?=\/|$)/, ":1");
    const run = ["run", "sweep.yaml", "--out"];
    const bad = await Promise.all([on(wrong, ...run, "a"), on(wrong, "worker"), on(wrong, "fleet"), on(nobody, "fleet")]);
    for (const { code, stderr } of bad) {
      expect(stderr).toMatch(/^tsallis: ERR_QUEUE: .*127\.0\.0\.1:\d+/m);
      expect(code).toBe(2);
    }

    const waiting = new Fleet(root, nobody);
    onTestFinished(() => waiting.end());
    const coordinator = waiting.coordinator();
    await coordinator.until("it waits for the server", () => coordinator.stderr.includes("waiting for the server"));
    coordinator.signal("SIGINT");
    expect((await coordinator.over()).code).toBe(130);

    // The server goes away while a worker waits for more.
    await server.stop();
    await worker!.tells("disconnected");
    worker!.signal("SIGTERM");
    const texts = [...good, ...bad, await coordinator.over(), await worker!.over()].map(({ stdout, stderr }) => stdout + stderr);
    texts.push(...filesBelow(fleet.folder).map((path) => readFileSync(path, "utf8")));
    const secrets = [PASSWORD, encodeURIComponent(PASSWORD), encodeURI(PASSWORD), WRONG];
    expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });
});

describe("memory", () => {
  it("of a coordinator does not grow with the number of runs played", async ({ expect }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const fleet = new Fleet(root, redis.url);
    onTestFinished(() => fleet.end());
    await fleet.workers(1);
    const document = experimentText({ horizon: 100, seeds: 5000, policies: "  uniform: { policy: uniform }\n  ada: { policy: ada2tinf }\n" });
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", fixture("coordinator.mjs"), redis.url, document]);
    const { told, quarter, end, bytes } = JSON.parse(stdout) as Record<"told" | "quarter" | "end" | "bytes", number>;
    expect(told).toBe(20_000);
    // These are the bytes of three quarters of the results as text. A coordinator that kept them, or half of them, would show it.
    expect(bytes).toBeGreaterThan(20e6);
    expect(end - quarter).toBeLessThan(bytes / 10);
  });
});

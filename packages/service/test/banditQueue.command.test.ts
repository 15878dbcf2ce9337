import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, openStore, ServiceError, type Store } from "@tsallis/service";
import { afterAll, describe, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import type { BanditQueue } from "../dist/bandit/banditQueue.js";
import { BanditRegistry } from "../dist/bandit/banditRegistry.js";
import { change, decide, feedback } from "../dist/bandit/requests.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-queue-"));
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
/** As many as a bandit may list. */
const SEGMENTS = ["eu", ...Array.from({ length: 999 }, (_, i) => `s${i}`)];

interface Given {
  readonly maxOpen?: number;
  readonly policy?: { policy: string };
  readonly windowSeconds?: number;
}

/** A bandit with three arms, and a clock that can be set. */
async function opened({ maxOpen = 100_000, ...document }: Given = {}) {
  const file = join(folder, `${++files}.db`);
  const store = await openStore(file);
  stores.push(store);
  const clock = { now: 1_789_000_000_000 };
  const problems: unknown[] = [];
  const registryOn = (on: Store, own: { turnMs?: number } = {}) =>
    new BanditRegistry({
      ...own,
      store: on,
      now: () => clock.now,
      maxOpen,
      // A hundred learners of three arms.
      mostArmsLoaded: 300,
      onCommit: () => {},
      onLostRace: () => {},
      onProblem: (error) => problems.push(error),
    });
  const registry = registryOn(store);
  const { queue } = await registry.create("b", { arms: ["a", "b", "c"], seed: 3, windowSeconds: 60, segments: SEGMENTS, ...document });
  const audited = async () => {
    const [result] = await auditStore(store);
    expect(result!.differs).toBe(null);
    return result!;
  };
  return { file, store, registry, registryOn, queue, clock, problems, audited };
}

const ids = (count: number, prefix = "d") => Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}` }));
const losses = (given: readonly { id: string }[], loss = 1) => given.map(({ id }) => ({ id, feedback: { loss } }));
const codes = (answers: readonly unknown[]) => answers.map((answer) => (answer as { code?: string; status?: string }).code ?? "made");
const state = ({ bandit }: BanditQueue) =>
  JSON.parse(JSON.stringify([...bandit.learners].map(([segment, learner]) => [segment, learner.snapshot()])));

describe("the queue of a bandit", () => {
  it("gives a decision that was made, whatever refuses new ones: the counter-example of the property test", async () => {
    const { queue, clock, registry } = await opened({ maxOpen: 2, policy: { policy: "adatinf", horizon: 3 } as { policy: string } });
    const first = await queue.submit(decide(ids(1)));
    await queue.submit(feedback(losses(ids(1))));
    const again = [{ ...first[0], repeated: true }];
    await queue.submit(change({ state: "paused" }));
    expect(codes(await queue.submit(decide(ids(1, "new"))))).toEqual(["ERR_PAUSED"]);
    expect(await queue.submit(decide(ids(1)))).toEqual(again);
    expect(codes(await queue.submit(decide([{ id: "d0", segment: "eu" }])))).toEqual(["ERR_SEGMENT_DIFFERS"]);
    await queue.submit(change({ state: "running" }));
    expect(codes(await queue.submit(decide(ids(4, "open"))))).toEqual(["made", "made", "ERR_OPEN_LIMIT", "ERR_OPEN_LIMIT"]);
    expect(await queue.submit(decide(ids(1)))).toEqual(again);
    clock.now += 61_000;
    await registry.sweep();
    expect(codes(await queue.submit(decide([...ids(1, "after"), ...ids(1)])))).toEqual(["ERR_HORIZON", "made"]);
    expect(await queue.submit(decide(ids(1)))).toEqual(again);
    await queue.submit(change({ state: "archived" }));
    expect(await queue.submit(decide(ids(1)))).toEqual(again);
  });

  it("counts those that a request opens and ends against the limit, in any order", async () => {
    const { queue, audited } = await opened({ maxOpen: 3 });
    const [one, two, three] = await Promise.all([
      queue.submit(decide(ids(3))),
      queue.submit(feedback(losses(ids(2)))),
      queue.submit(decide(ids(4, "e"))),
    ]);
    expect(codes(one)).toEqual(["made", "made", "made"]);
    expect(two.map((result) => (result as { status: string }).status)).toEqual(["applied", "applied"]);
    expect(codes(three)).toEqual(["made", "made", "ERR_OPEN_LIMIT", "ERR_OPEN_LIMIT"]);
    expect(queue.bandit.state.open.size).toBe(3);
    await audited();
  });

  it("a defect in the middle of a request leaves no trace: not in the learner, not in the log, and nobody is shut out", async () => {
    const { queue, problems, audited } = await opened();
    await queue.submit(decide(ids(5)));
    const before = state(queue);
    const defect = new TypeError("a defect");
    const broken = queue.submit({
      decisions: [],
      segments: ["", "eu"],
      weight: 2,
      run(pending) {
        pending.decide("half", "");
        pending.decide("other half", "eu");
        throw defect;
      },
    });
    const beside = queue.submit(decide(ids(1, "beside")));
    await expect(broken).rejects.toBe(defect);
    await expect(beside).rejects.toBe(defect);
    expect(state(queue)).toEqual(before);
    expect(problems).toEqual([defect]);
    expect(codes(await queue.submit(decide(ids(1, "beside"))))).toEqual(["made"]);
    expect(await audited()).toMatchObject({ decisions: 6, segments: 0 });
  });

  it("a refused change of arms changes nothing, beside others or alone", async () => {
    const { queue, audited } = await opened({ policy: { policy: "dsee", alpha: 1.5, sigma: 3, w: 2 } as { policy: string } });
    await queue.submit(decide([{ id: "x", segment: "eu" }, ...ids(3)]));
    const before = [state(queue), queue.bandit.state.seq];
    const answers = await Promise.allSettled([
      queue.submit(change({ arms: ["a", "z"], windowSeconds: 5, holdout: 0.5 })),
      queue.submit(feedback(losses(ids(1)))),
      queue.submit(change({ arms: ["b", "a", "c"] })),
    ]);
    expect(answers.map((answer) => (answer.status === "rejected" ? (answer.reason as { code: string }).code : "done"))).toEqual([
      "ERR_REARRANGE",
      "done",
      "ERR_REARRANGE",
    ]);
    expect(queue.bandit.state).toMatchObject({ windowSeconds: 60, holdout: 0, seq: (before[1] as number) + 1 });
    expect(queue.bandit.learners.get("eu")!.snapshot().arms).toEqual([0, 1, 2]);
    await audited();
  });

  it("refuses what would be the 10,001st event that waits, takes it when there is room, and writes every other one once", async () => {
    const { queue, audited } = await opened();
    const asked = Array.from({ length: 12 }, (_, i) => queue.submit(decide(ids(1000, `${i}.`))));
    const answers = await Promise.allSettled(asked);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [(answer.reason as { code: string }).code] : []));
    expect(refused).toEqual(["ERR_BUSY", "ERR_BUSY"]);
    expect(queue.waiting).toBe(0);
    await queue.submit(decide(ids(1000, "11.")));
    expect(await audited()).toMatchObject({ decisions: 11_000 });
  });

  it("one sweep ends all that are due, and another server none of them twice", async () => {
    const { file, registry, registryOn, queue, clock, audited } = await opened();
    for (let i = 0; i < 5; i++) await queue.submit(decide(ids(500, `${i}.`)));
    const store = await openStore(file);
    stores.push(store);
    const second = registryOn(store);
    const other = await second.queue("b");
    clock.now += 60_000;
    await Promise.all([registry.sweep(), second.sweep()]);
    await other.refresh();
    expect(other.bandit.state.open.size).toBe(0);
    expect(await audited()).toMatchObject({ events: 5000 });
  });

  it("expiry and late feedback in one turn: the first one stands, and the second learns of it", async () => {
    const { queue, clock, audited } = await opened();
    await queue.submit(decide(ids(1)));
    clock.now += 60_000;
    const results = await Promise.all([1, 1, 2].map((loss) => queue.submit(feedback(losses(ids(1), loss)))));
    const told = results.flat().map((result) => (result instanceof Error ? (result as Error & { code: string }).code : result.status));
    expect(told).toEqual(["late", "repeated", "ERR_FEEDBACK_DIFFERS"]);
    expect(await audited()).toMatchObject({ events: 3 });
  });

  it("stops, though its snapshots cannot be written", async () => {
    const { store, registry, queue, problems } = await opened();
    await queue.submit(decide(ids(3)));
    await store.close();
    await registry.close();
    expect(problems).toMatchObject([{ code: "ERR_STORE" }]);
  });

  it("keeps as many learners as there is room for, and every segment goes on where it was, whichever were unloaded", async () => {
    const { queue, registryOn, store, audited } = await opened();
    for (let turn = 0; turn < 3; turn++) {
      for (let first = 0; first < 250; first += 50) {
        const asked = Array.from({ length: 50 }, (_, i) => ({ id: `${turn}.${first + i}`, segment: `s${first + i}` }));
        const made = await queue.submit(decide(asked));
        expect(made.every((one) => !(one instanceof Error) && one.decision.round === turn + 1)).toBe(true);
        await queue.submit(feedback(losses(asked.slice(25))));
        expect(queue.bandit.learners.size).toBeLessThanOrEqual(101);
      }
    }
    await audited();
    const again = await registryOn(store).queue("b");
    for (const segment of ["s0", "s120", "s249"]) {
      for (const one of [queue, again]) await one.visit(segment);
      expect(again.bandit.learners.get(segment)!.snapshot()).toEqual(JSON.parse(JSON.stringify(queue.bandit.learners.get(segment)!.snapshot())));
    }
  });

  it("a segment that is loaded from its own snapshot goes on through changes of the lists of segments and arms", async () => {
    const { queue, registryOn, store, audited } = await opened();
    const lists = [["eu"], ["eu", "s1"], [], ["eu"], ["s1", "eu"], SEGMENTS];
    for (const [turn, segments] of lists.entries()) {
      await queue.submit(decide([{ id: `eu${turn}`, segment: "eu" }]));
      await queue.submit(feedback(losses([{ id: `eu${turn}` }], turn)));
      // So many others that it is saved and unloaded.
      await queue.submit(change({ segments: SEGMENTS }));
      await queue.submit(decide(Array.from({ length: 200 }, (_, i) => ({ id: `${turn}.${i}`, segment: `s${i}` }))));
      await queue.refresh();
      expect(queue.bandit.learners.has("eu")).toBe(false);
      await queue.submit(change({ segments }));
      if (turn % 2 === 1) await queue.submit(change({ arms: turn === 3 ? ["a", "b", "c"] : ["c", "a"] }));
      await queue.submit(change({ segments: SEGMENTS }));
    }
    expect(await queue.visit("eu")).toBe(true);
    await audited();
    const again = await registryOn(store).queue("b");
    expect(await again.visit("eu")).toBe(true);
    expect(again.bandit.learners.get("eu")!.round).toBe(lists.length);
    expect(again.bandit.learners.get("eu")!.snapshot()).toEqual(JSON.parse(JSON.stringify(queue.bandit.learners.get("eu")!.snapshot())));
  });

  it("refuses the 1,001st segment, and a segment that was refused is none", async () => {
    const { queue, audited } = await opened();
    const asked = Array.from({ length: 1001 }, (_, i) => ({ id: `${i}`, segment: `s${i}` }));
    expect(codes(await queue.submit(decide(asked.slice(0, 600)))).every((code) => code === "made")).toBe(true);
    expect(codes(await queue.submit(decide(asked.slice(998, 1000))))).toEqual(["made", "ERR_UNKNOWN_SEGMENT"]);
    // Those that leave the list keep what they have learned, and so count.
    await queue.submit(change({ segments: asked.slice(1).map(({ segment }) => segment) }));
    expect(codes(await queue.submit(decide([{ id: "gone", segment: "s0" }])))).toEqual(["ERR_UNKNOWN_SEGMENT"]);
    expect(codes(await queue.submit(decide([...asked.slice(600, 998), ...asked.slice(999)])))).toEqual([
      ...new Array(399).fill("made"),
      "ERR_SEGMENTS",
    ]);
    await queue.submit(change({ segments: asked.slice(0, 1000).map(({ segment }) => segment) }));
    expect(await queue.visit("s1000")).toBe(false);
    expect(codes(await queue.submit(decide([{ id: "known", segment: "s0" }])))).toEqual(["made"]);
    expect(await audited()).toMatchObject({ segments: 1000 });
  });

  /** A store in which something happens before events are written. */
  const beforeAppend = (store: Store, happen: (ids: readonly (string | null)[]) => Promise<void>): Store =>
    new Proxy(store, {
      get(target, name) {
        if (name !== "append") return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name);
        return async (...args: Parameters<Store["append"]>) => {
          await happen(args[2].map(({ decision }) => decision));
          return target.append(...args);
        };
      },
    });

  it("one request that the store refuses does not fail its neighbours", async () => {
    const { store, registryOn, audited } = await opened();
    const refused = new ServiceError("ERR_STORE", "no such character", { refused: true });
    const queue = await registryOn(beforeAppend(store, async (written) => (written.includes("d7") ? Promise.reject(refused) : undefined))).queue("b");
    const answers = await Promise.allSettled(ids(20).map((one) => queue.submit(decide([one]))));
    expect(answers.map(({ status }) => status)).toEqual(ids(20).map(({ id }) => (id === "d7" ? "rejected" : "fulfilled")));
    expect(answers[7]).toMatchObject({ reason: { code: "ERR_STORE" } });
    expect(await audited()).toMatchObject({ decisions: 19 });
  });

  it("a store that falls silent: those who wait, and those who come, get 503 soon; then it goes on, and nothing is lost or twice", async () => {
    const { store, registryOn, audited } = await opened();
    let release = () => {};
    const silence = new Promise<void>((resolve) => {
      release = resolve;
    });
    const queue = await registryOn(
      beforeAppend(store, () => silence),
      { turnMs: 50 },
    ).queue("b");
    const waiting = queue.submit(decide(ids(1)));
    const behind = queue.submit(decide(ids(1, "behind")));
    await expect(waiting).rejects.toMatchObject({ code: "ERR_STORE" });
    await expect(behind).rejects.toMatchObject({ code: "ERR_STORE" });
    await expect(queue.submit(decide(ids(1, "new")))).rejects.toMatchObject({ code: "ERR_STORE", message: expect.stringContaining("in time") });
    release();
    await until("it goes on", () =>
      queue.submit(decide(ids(1))).then(
        () => true,
        () => false,
      ),
    );
    expect(await queue.submit(decide(ids(1)))).toMatchObject([{ decision: { id: "d0" }, repeated: true }]);
    expect((await audited()).decisions).toBeLessThanOrEqual(2);
  });
});

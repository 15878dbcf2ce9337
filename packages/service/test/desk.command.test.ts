import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, openStore, type Store } from "@tsallis/service";
import { afterAll, describe, expect, it } from "vitest";
import { Bureau } from "../dist/bandit/bureau.js";
import type { Desk } from "../dist/bandit/desk.js";
import { change, decide, feedback } from "../dist/bandit/requests.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-desk-"));
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;

interface Given {
  readonly mostOpen?: number;
  readonly policy?: { policy: string };
  readonly window?: number;
}

/** A bandit with three arms, and a clock that can be set. */
async function opened({ mostOpen = 100_000, ...document }: Given = {}) {
  const file = join(folder, `${++files}.db`);
  const store = await openStore(file);
  stores.push(store);
  const clock = { now: 1_789_000_000_000 };
  const problems: unknown[] = [];
  const bureauOn = (on: Store) =>
    new Bureau({ store: on, now: () => clock.now, mostOpen, onCommit: () => {}, onLostRace: () => {}, onProblem: (error) => problems.push(error) });
  const bureau = bureauOn(store);
  const { desk } = await bureau.create("b", { arms: ["a", "b", "c"], seed: 3, window: 60, ...document });
  const audited = async () => {
    const [result] = await auditStore(store);
    expect(result!.differs).toBe(null);
    return result!;
  };
  return { file, store, bureau, bureauOn, desk, clock, problems, audited };
}

const ids = (count: number, prefix = "d") => Array.from({ length: count }, (_, i) => ({ id: `${prefix}${i}` }));
const losses = (given: readonly { id: string }[], loss = 1) => given.map(({ id }) => ({ id, feedback: { loss } }));
const codes = (answers: readonly unknown[]) => answers.map((answer) => (answer as { code?: string; status?: string }).code ?? "made");
const state = ({ bandit }: Desk) => JSON.parse(JSON.stringify([...bandit.learners].map(([segment, learner]) => [segment, learner.snapshot()])));

describe("a desk", () => {
  it("gives a decision that was made, whatever refuses new ones: the counter-example of the property test", async () => {
    const { desk, clock, bureau } = await opened({ mostOpen: 2, policy: { policy: "adatinf", horizon: 3 } as { policy: string } });
    const first = await desk.submit(decide(ids(1)));
    await desk.submit(feedback(losses(ids(1))));
    const again = [{ ...first[0], repeated: true }];
    await desk.submit(change({ state: "paused" }));
    expect(codes(await desk.submit(decide(ids(1, "new"))))).toEqual(["ERR_PAUSED"]);
    expect(await desk.submit(decide(ids(1)))).toEqual(again);
    expect(codes(await desk.submit(decide([{ id: "d0", segment: "eu" }])))).toEqual(["ERR_SEGMENT_DIFFERS"]);
    await desk.submit(change({ state: "running" }));
    expect(codes(await desk.submit(decide(ids(4, "open"))))).toEqual(["made", "made", "ERR_OPEN_LIMIT", "ERR_OPEN_LIMIT"]);
    expect(await desk.submit(decide(ids(1)))).toEqual(again);
    clock.now += 61_000;
    await bureau.sweep();
    expect(codes(await desk.submit(decide([...ids(1, "after"), ...ids(1)])))).toEqual(["ERR_HORIZON", "made"]);
    expect(await desk.submit(decide(ids(1)))).toEqual(again);
    await desk.submit(change({ state: "archived" }));
    expect(await desk.submit(decide(ids(1)))).toEqual(again);
  });

  it("counts those that a request opens and ends against the limit, in any order", async () => {
    const { desk, audited } = await opened({ mostOpen: 3 });
    const [one, two, three] = await Promise.all([
      desk.submit(decide(ids(3))),
      desk.submit(feedback(losses(ids(2)))),
      desk.submit(decide(ids(4, "e"))),
    ]);
    expect(codes(one)).toEqual(["made", "made", "made"]);
    expect(two.map((result) => (result as { status: string }).status)).toEqual(["applied", "applied"]);
    expect(codes(three)).toEqual(["made", "made", "ERR_OPEN_LIMIT", "ERR_OPEN_LIMIT"]);
    expect(desk.bandit.ledger.open.size).toBe(3);
    await audited();
  });

  it("a defect in the middle of a request leaves no trace: not in the learner, not in the log, and nobody is shut out", async () => {
    const { desk, problems, audited } = await opened();
    await desk.submit(decide(ids(5)));
    const before = state(desk);
    const defect = new TypeError("a defect");
    const broken = desk.submit({
      decisions: [],
      segments: ["", "eu"],
      weight: 2,
      run(draft) {
        draft.decide("half", "");
        draft.decide("other half", "eu");
        throw defect;
      },
    });
    const beside = desk.submit(decide(ids(1, "beside")));
    await expect(broken).rejects.toBe(defect);
    await expect(beside).rejects.toBe(defect);
    expect(state(desk)).toEqual(before);
    expect(problems).toEqual([defect]);
    expect(codes(await desk.submit(decide(ids(1, "beside"))))).toEqual(["made"]);
    expect(await audited()).toMatchObject({ decisions: 6, segments: 0 });
  });

  it("a refused change of arms changes nothing, beside others or alone", async () => {
    const { desk, audited } = await opened({ policy: { policy: "dsee", alpha: 1.5, sigma: 3, w: 2 } as { policy: string } });
    await desk.submit(decide([{ id: "x", segment: "eu" }, ...ids(3)]));
    const before = [state(desk), desk.bandit.ledger.seq];
    const answers = await Promise.allSettled([
      desk.submit(change({ arms: ["a", "z"], window: 5, holdout: 0.5 })),
      desk.submit(feedback(losses(ids(1)))),
      desk.submit(change({ arms: ["b", "a", "c"] })),
    ]);
    expect(answers.map((answer) => (answer.status === "rejected" ? (answer.reason as { code: string }).code : "done"))).toEqual([
      "ERR_REARRANGE",
      "done",
      "ERR_REARRANGE",
    ]);
    expect(desk.bandit.ledger).toMatchObject({ window: 60, holdout: 0, seq: (before[1] as number) + 1 });
    expect(desk.bandit.learners.get("eu")!.snapshot().arms).toEqual([0, 1, 2]);
    await audited();
  });

  it("refuses what would be the 10,001st event that waits, takes it when there is room, and writes every other one once", async () => {
    const { desk, audited } = await opened();
    const asked = Array.from({ length: 12 }, (_, i) => desk.submit(decide(ids(1000, `${i}.`))));
    const answers = await Promise.allSettled(asked);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [(answer.reason as { code: string }).code] : []));
    expect(refused).toEqual(["ERR_BUSY", "ERR_BUSY"]);
    expect(desk.waiting).toBe(0);
    await desk.submit(decide(ids(1000, "11.")));
    expect(await audited()).toMatchObject({ decisions: 11_000 });
  });

  it("one sweep ends all that are due, and another server none of them twice", async () => {
    const { file, bureau, bureauOn, desk, clock, audited } = await opened();
    for (let i = 0; i < 5; i++) await desk.submit(decide(ids(500, `${i}.`)));
    const store = await openStore(file);
    stores.push(store);
    const second = bureauOn(store);
    const other = await second.desk("b");
    clock.now += 60_000;
    await Promise.all([bureau.sweep(), second.sweep()]);
    await other.refresh();
    expect(other.bandit.ledger.open.size).toBe(0);
    expect(await audited()).toMatchObject({ events: 5000 });
  });

  it("expiry and late feedback in one draft: the first one stands, the second is told of it", async () => {
    const { desk, clock, audited } = await opened();
    await desk.submit(decide(ids(1)));
    clock.now += 60_000;
    const results = await Promise.all([1, 1, 2].map((loss) => desk.submit(feedback(losses(ids(1), loss)))));
    const told = results.flat().map((result) => (result instanceof Error ? (result as Error & { code: string }).code : result.status));
    expect(told).toEqual(["late", "repeated", "ERR_FEEDBACK_DIFFERS"]);
    expect(await audited()).toMatchObject({ events: 3 });
  });

  it("stops, though its snapshots cannot be written", async () => {
    const { store, bureau, desk, problems } = await opened();
    await desk.submit(decide(ids(3)));
    await store.close();
    await bureau.close();
    expect(problems).toMatchObject([{ code: "ERR_STORE" }]);
  });

  it("keeps 100 segments, and every one goes on where it was, whichever were unloaded", async () => {
    const { desk, bureauOn, store, audited } = await opened();
    for (let turn = 0; turn < 3; turn++) {
      for (let first = 0; first < 250; first += 50) {
        const asked = Array.from({ length: 50 }, (_, i) => ({ id: `${turn}.${first + i}`, segment: `s${first + i}` }));
        const made = await desk.submit(decide(asked));
        expect(made.every((one) => !(one instanceof Error) && one.round === turn + 1)).toBe(true);
        await desk.submit(feedback(losses(asked.slice(25))));
        expect(desk.bandit.learners.size).toBeLessThanOrEqual(100);
      }
    }
    await audited();
    const again = await bureauOn(store).desk("b");
    for (const segment of ["s0", "s120", "s249"]) {
      for (const one of [desk, again]) await one.visit(segment);
      expect(again.bandit.learners.get(segment)!.snapshot()).toEqual(JSON.parse(JSON.stringify(desk.bandit.learners.get(segment)!.snapshot())));
    }
  });

  it("refuses the 1,001st segment, and a segment that was refused is none", async () => {
    const { desk, audited } = await opened();
    const asked = Array.from({ length: 1001 }, (_, i) => ({ id: `${i}`, segment: `s${i}` }));
    expect(codes(await desk.submit(decide(asked.slice(0, 600)))).every((code) => code === "made")).toBe(true);
    expect(codes(await desk.submit(decide(asked.slice(600)))).slice(399)).toEqual(["made", "ERR_SEGMENTS"]);
    expect(await desk.visit("s1000")).toBe(false);
    expect(codes(await desk.submit(decide([{ id: "known", segment: "s0" }])))).toEqual(["made"]);
    expect(await audited()).toMatchObject({ segments: 1000 });
  });
});

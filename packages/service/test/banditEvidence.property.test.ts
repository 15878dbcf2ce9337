import fc from "fast-check";
import { stream } from "tsallis";
import type { Evaluation } from "tsallis/evidence";
import { describe, expect, it } from "vitest";
import { BanditEvidence } from "../src/evidence/banditEvidence.js";
import type { LogEvent } from "../src/log/event.js";
import { plainEvidence } from "./plainEvidence.js";

const START = { cap: 5, holdout: 0.2, arms: [0, 1, 2] };
const SEGMENTS = ["", "", "eu", "us"];

type Step =
  | { readonly kind: "decide"; readonly arm: number; readonly holdout: boolean; readonly segment: number }
  | { readonly kind: "end"; readonly which: number; readonly loss: number | null }
  | { readonly kind: "burst"; readonly count: number; readonly seed: number; readonly sign: number }
  | { readonly kind: "change"; readonly cap?: number | null; readonly arms?: number; readonly holdout?: number };

const loss = fc.oneof({ weight: 6, arbitrary: fc.double({ min: 0, max: 9, noNaN: true }) }, fc.constantFrom(null, 0, 1e300, -2, -1e300));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ kind: fc.constant("decide" as const), arm: fc.nat({ max: 9 }), holdout: fc.boolean(), segment: fc.nat({ max: 3 }) }),
  },
  { weight: 20, arbitrary: fc.record({ kind: fc.constant("end" as const), which: fc.nat(), loss }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("burst" as const),
      count: fc.integer({ min: 20, max: 220 }),
      seed: fc.nat(),
      sign: fc.constantFrom(1, 1, 1, 0, -1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      { kind: fc.constant("change" as const), cap: fc.constantFrom(null, 3, 5), arms: fc.nat({ max: 3 }), holdout: fc.constantFrom(0, 0.2, 0.5) },
      { requiredKeys: ["kind"] },
    ),
  },
);

/** The events that the steps make. */
function logOf(steps: readonly Step[]): LogEvent[] {
  const log: LogEvent[] = [];
  let open: string[] = [];
  let arms: readonly number[] = START.arms;
  let ids = 0;
  const at = 0;
  const decide = (arm: number, holdout: boolean, segment: string): string => {
    const decision = `d${ids++}`;
    const number = arms[arm % arms.length]!;
    const made = { decision, origin: "salt", segment, arm: `a${number}`, number, round: 1, probability: 0.5, threshold: null, holdout, expires: 1 };
    log.push({ seq: log.length + 1, at, kind: "decision", ...made });
    return decision;
  };
  const end = (decision: string, its: number | null) => {
    const event = { seq: log.length + 1, at, decision, origin: "salt", segment: "" };
    log.push(its === null ? { ...event, kind: "expiry", loss: null } : { ...event, kind: "feedback", loss: its, status: "applied" });
  };
  for (const one of steps) {
    if (one.kind === "decide") open.push(decide(one.arm, one.holdout, SEGMENTS[one.segment]!));
    else if (one.kind === "end" && open.length > 0) {
      const decision = open[one.which % open.length]!;
      open = open.filter((id) => id !== decision);
      end(decision, one.loss);
    } else if (one.kind === "burst") {
      for (const id of open) end(id, 1);
      open = [];
      const rng = stream(one.seed, "burst");
      for (let i = 0; i < one.count; i++) end(decide(Math.floor(9 * rng.uniform()), rng.uniform() < 0.3, "eu"), one.sign * rng.open() ** -0.7);
    } else if (one.kind === "change") {
      const { kind, arms: added, ...settings } = one;
      if (added !== undefined) arms = [...arms.slice(added === 0 ? 0 : 1), arms.at(-1)! + 1];
      const changed = added === undefined ? {} : { arms: arms.map((number) => ({ name: `a${number}`, number })) };
      log.push({ seq: log.length + 1, at, origin: null, kind, ...settings, ...changed });
    }
  }
  return log;
}

function fold(log: readonly LogEvent[], evidence = new BanditEvidence(START)): BanditEvidence {
  for (const event of log) evidence.take(event);
  return evidence;
}

/** As it comes back from a store, with the events that its snapshot leaves out. */
function restored(evidence: BanditEvidence, log: readonly LogEvent[]): BanditEvidence {
  const again = BanditEvidence.restore(JSON.parse(JSON.stringify(evidence.snapshot())));
  for (const event of log) if (event.seq > again.settledSeq) again.note(event);
  return again;
}

/** Streams of a moving evaluation count what passed them by when they are looked at. */
function bits(evaluation: Evaluation): unknown {
  for (let arm = 0; arm < evaluation.arms; arm++) evaluation.arm(arm);
  evaluation.policy();
  evaluation.holdout();
  return evaluation.snapshot();
}

const steps = fc.array(step, { minLength: 5, maxLength: 120 });

describe("property: the evidence of a bandit", () => {
  it("is that of a plain evaluation of the whole log, for all decisions and for each segment, bit for bit", () => {
    let claims = 0;
    fc.assert(
      fc.property(steps, (all) => {
        const log = logOf(all);
        const plain = plainEvidence(START, log);
        const { claim } = fold(log);
        expect(claim === null).toBe(plain === null);
        for (const [segment, still] of plain?.still ?? []) {
          const own = segment === "" ? claim!.all : claim!.segment(segment)!;
          expect(own.still.snapshot()).toStrictEqual(still.snapshot());
          expect(own.moving && bits(own.moving)).toStrictEqual(plain!.moving === null ? null : bits(plain!.moving.get(segment)!));
          if (still.rounds > 0) claims++;
        }
      }),
      { numRuns: 150 },
    );
    expect(claims).toBeGreaterThan(100);
  });

  it("goes on from a snapshot in the middle as if nothing had happened, bit for bit, however often it is looked at", () => {
    fc.assert(
      fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (all, part) => {
        const log = logOf(all);
        const cut = Math.floor(part * log.length);
        const whole = fold(log);
        const half = fold(log.slice(0, cut));
        const again = fold(log.slice(cut), restored(half, log.slice(0, cut)));
        expect(again.snapshot()).toStrictEqual(whole.snapshot());
        expect([again.unsettled, again.piloted]).toEqual([whole.unsettled, whole.piloted]);
        // Looking at the half does not change what it becomes.
        const { claim } = half;
        if (claim?.all.moving != null) bits(claim.all.moving);
        claim?.all.still.verdict();
        expect(fold(log.slice(cut), half).snapshot()).toStrictEqual(whole.snapshot());
      }),
      { numRuns: 150 },
    );
  });

  it("does not depend on the order in which feedback arrives", () => {
    fc.assert(
      fc.property(fc.array(loss, { minLength: 1, maxLength: 300 }), fc.nat(), (losses, seed) => {
        const arrive = (order: readonly number[]) => {
          const all: Step[] = losses.map((_, i) => ({ kind: "decide", arm: i, holdout: i % 4 === 0, segment: i % 4 }));
          const log = logOf(all);
          for (const i of order) {
            const event = { seq: log.length + 1, at: 0, decision: `d${i}`, origin: "salt", segment: "" };
            const its = losses[i]!;
            log.push(its === null ? { ...event, kind: "expiry", loss: null } : { ...event, kind: "feedback", loss: its, status: "applied" });
          }
          return fold(log).snapshot();
        };
        const rng = stream(seed, "order");
        const order = losses.map((_, i) => [rng.uniform(), i] as const).sort(([a], [b]) => a - b);
        expect(arrive(order.map(([, i]) => i))).toStrictEqual(arrive([...losses.keys()]));
      }),
      { numRuns: 50 },
    );
  });
});

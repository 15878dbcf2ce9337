import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, MatchedTINF, restorePolicy, stream } from "../src/index.js";
import { cold, KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";
import { play, sum } from "./policies.js";

const THETA = 0.7;
const KAPPA = 0.5;

const heavy = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (rng.uniform() < 0.3 ? -1 : 1) * rng.open() ** (-1 / 1.4) + 0.2 * arm;
};

/** The policy's definition, literally: squares, square roots, a sorted copy, and a subtraction where the policy avoids them. */
class Naive {
  losses: number[];
  heard: number[] = [];
  beta = 0;
  penalty = 0;

  constructor(arms: number) {
    this.losses = new Array(arms).fill(0);
  }

  probabilities(): number[] {
    return naiveMinimiser(this.losses, this.beta || 1, 2);
  }

  /** The probability of the arm, which is all that travels with a Choice. */
  choose(arm: number): number {
    const x = this.probabilities();
    this.penalty = 2 * (sum(x.map(Math.sqrt)) - 1);
    return x[arm]!;
  }

  median(): number | undefined {
    const sorted = this.heard.slice(-51).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)];
  }

  /** Whether the loss was clipped. */
  update(arm: number, x: number, loss: number): boolean {
    const v = loss - (this.median() ?? loss);
    this.heard.push(loss);
    if (this.beta === 0) {
      this.beta = 0.5 * Math.abs(v) * Math.sqrt(this.losses.length);
      return false;
    }
    const r = THETA * this.beta * Math.sqrt(x);
    const c = Math.min(Math.abs(v), r);
    this.losses[arm]! += (Math.sign(v) * c) / x;
    const z = (c ** 2 * (1 - x)) / Math.sqrt(x);
    const least = 2 * (Math.sqrt(x) + Math.sqrt(1 - x) - 1);
    if (z > 0) this.beta += (KAPPA * z) / (this.beta * Math.max(this.penalty, least));
    return Math.abs(v) > r;
  }
}

/** What a policy knows. */
interface State {
  losses: number[];
  beta: number;
  penalty: number;
  recent: number[];
}
const stateOf = (policy: MatchedTINF) => policy.snapshot().state as unknown as State;

/** Losses that come late, if at all: each event is a round, whether it is followed by feedback, and which of the open Choices that is for. */
const lateEvents = fc.array(
  fc.tuple(
    fc.integer({ min: -60, max: 60 }).map((size) => size / 5),
    fc.boolean(),
    fc.nat(99),
  ),
  // The size: else fast-check is content with ten.
  { minLength: 1, maxLength: 150, size: "max" },
);

describe.each(KERNELS)("MatchedTINF, $name kernel", ({ name: kernel }) => {
  test.each([
    [2, 0],
    [2, 7],
    [5, 0],
    [5, 20],
    [60, 0],
    [60, 100],
  ])("reference: %i arms, feedback up to %i rounds late, agrees with the definition to 1e-9", (arms, lateness) => {
    const policy = new MatchedTINF({ arms, kernel });
    const naive = new Naive(arms);
    const [rng, delays, loss] = [stream(1, "arms", arms), stream(1, "delays", arms), heavy(arms)];
    const due = new Map<number, [Choice, number][]>();
    const counts = { clipped: 0, whole: 0 };
    for (let round = 1; round <= 600; round++) {
      expect(worstError(policy.probabilities(), naive.probabilities())).toBeLessThan(1e-9);
      const choice = policy.choose(rng);
      const x = naive.choose(choice.arm);
      expect(Math.abs(choice.probability! / x - 1)).toBeLessThan(1e-9);
      expect(choice.threshold).toBeNull();
      const when = round + Math.floor(lateness * delays.uniform());
      due.set(when, [...(due.get(when) ?? []), [choice, x]]);
      for (const [told, itsX] of due.get(round) ?? []) {
        // One loss in eight is 1, the first ones among them.
        const value = told.round % 8 === 0 || told.round < 4 ? 1 : loss(told.round, told.arm);
        policy.update(told, value);
        counts[naive.update(told.arm, itsX, value) ? "clipped" : "whole"]++;
        expect(Math.abs(policy.details().beta! - naive.beta)).toBeLessThanOrEqual(1e-9 * naive.beta);
      }
      due.delete(round);
    }
    expect(Math.min(counts.clipped, counts.whole)).toBeGreaterThan(25);
  });

  // The indexed kernel begins with h = 1 and sums arms in bands whose edges are powers of 2: its last digits depend on the scale.
  test("property: losses times a power of two, the same arms, and estimates and beta times it: bit for bit if dense", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -900, max: 930 }), fc.nat(1000), (arms, exponent, seed) => {
        const k = 2 ** exponent;
        const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
        const [a, b] = [heavy(seed), heavy(seed)];
        expect(play(other, 300, (round, arm) => k * b(round, arm), stream(seed))).toEqual(play(one, 300, a, stream(seed)));
        const { losses, beta, penalty, recent } = stateOf(one);
        const times = (values: number[]) => values.map((value) => k * value);
        if (kernel === "dense") expect(stateOf(other)).toEqual({ losses: times(losses), beta: k * beta, penalty, recent: times(recent) });
        else expect(Math.abs(other.details().beta! / (k * beta) - 1)).toBeLessThan(1e-11);
      }),
      { numRuns: 50 },
    );
  });

  test("property: one number added to all losses, bit for bit the same arms, estimates and beta", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.constantFrom(2 ** 10, -(2 ** 10), -1, 1e9), fc.nat(1000), (arms, shift, seed) => {
        const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
        const [a, b] = [heavy(seed), heavy(seed)];
        // Integers, so that the sum is exact.
        const moved = play(other, 300, (round, arm) => shift + Math.round(8 * b(round, arm)), stream(seed));
        expect(moved).toEqual(play(one, 300, (round, arm) => Math.round(8 * a(round, arm)), stream(seed)));
        const { recent, ...rest } = stateOf(one);
        expect(stateOf(other)).toEqual({ ...rest, recent: recent.map((loss) => loss + shift) });
      }),
      { numRuns: 50 },
    );
  });

  test("property: any scale and any location, the same law up to rounding", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: -280, max: 280, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.nat(1000),
        (arms, exponent, shift, seed) => {
          const k = 10 ** exponent;
          const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
          const [rng, loss] = [stream(seed), heavy(seed)];
          for (let i = 0; i < 100; i++) {
            expect(worstError(other.probabilities(), one.probabilities())).toBeLessThan(1e-9);
            const choice = one.choose(rng);
            const value = loss(choice.round, choice.arm);
            one.update(choice, value);
            other.update(other.force(choice.arm), k * (value + shift));
          }
          expect(Math.abs(other.details().beta! / one.details().beta! / k - 1)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("property: beta never falls, and no loss raises it by more than 15 percent, however late it comes", () => {
    let raises = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), lateEvents, (arms, events) => {
        const policy = new MatchedTINF({ arms, kernel });
        const rng = stream(events.length, "late");
        const open: Choice[] = [];
        for (const [loss, wait, pick] of events) {
          open.push(policy.choose(rng));
          if (wait) continue;
          const before = policy.details().beta!;
          policy.update(open.splice(pick % open.length, 1)[0]!, loss * Math.max(before, 1));
          const after = policy.details().beta!;
          expect(after).toBeGreaterThanOrEqual(before);
          if (before > 0) expect(after).toBeLessThanOrEqual(1.15 * before);
          if (before > 0 && after > 1.01 * before) raises++;
        }
      }),
      { numRuns: 300 },
    );
    expect(raises).toBeGreaterThan(100); // several thousand; the property is empty without them
  });

  test("property: a loss moves the estimate of its arm towards itself by at most theta beta / sqrt(x), and no other", () => {
    const counts = { clipped: 0, whole: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), lateEvents, (arms, events) => {
        const policy = new MatchedTINF({ arms, kernel });
        const rng = stream(events.length, "clipped");
        const open: Choice[] = [];
        const heard = new Naive(arms);
        for (const [size, wait, pick] of events) {
          open.push(policy.choose(rng));
          if (wait) continue;
          const loss = size * Math.max(0.1 * policy.details().beta!, 1);
          const { arm, probability, ...rest } = open.splice(pick % open.length, 1)[0]!;
          const before = stateOf(policy);
          policy.update({ arm, probability, ...rest }, loss);
          const after = stateOf(policy);
          const v = loss - (heard.median() ?? loss);
          heard.heard.push(loss);
          const most = (THETA * before.beta) / Math.sqrt(probability!);
          const step = Math.min(most, Math.abs(v) / probability!);
          if (before.beta > 0) counts[step === most ? "clipped" : "whole"]++;
          const rounding = 1e-15 * Math.max(Math.abs(before.losses[arm]!), Math.abs(after.losses[arm]!), step);
          expect(Math.abs(after.losses[arm]! - before.losses[arm]! - Math.sign(v) * step)).toBeLessThanOrEqual(rounding);
          after.losses[arm] = before.losses[arm]!;
          expect(after.losses).toEqual(before.losses);
        }
      }),
      { numRuns: 300 },
    );
    expect(Math.min(counts.clipped, counts.whole)).toBeGreaterThan(1000);
  });

  test("what is beyond the threshold counts alike, whether it is 1e3 or 1e300", () => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, 200, heavy(3));
    for (const sign of [1, -1]) {
      const futures = [1e3, 1e15, 1e300].map((size) => {
        const twin = restorePolicy(policy.snapshot(), { kernel }) as MatchedTINF;
        twin.update(twin.force(2), sign * size);
        // Until the window has forgotten it, its rank is all that counts.
        return [play(twin, 300, heavy(4), stream(4)), twin.snapshot()];
      });
      expect(futures[1]).toEqual(futures[0]);
      expect(futures[2]).toEqual(futures[0]);
    }
  });

  test("the round counts for nothing: a snapshot moved to another round has the same future", () => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, 200, heavy(3));
    const moved = restorePolicy({ ...policy.snapshot(), round: 1_000_000 }, { kernel });
    expect(play(moved, 300, heavy(4), stream(4))).toEqual(play(policy, 300, heavy(4), stream(4)));
  });

  test.each([[0], [5], [-1e300]])("losses that all are %d teach nothing", (loss) => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    play(policy, 100, () => loss);
    expect(stateOf(policy)).toEqual({ losses: [0, 0, 0, 0], beta: 0, penalty: 2, recent: new Array(51).fill(loss) });
    expect(Array.from(policy.probabilities())).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  test("the first loss that is not the median sets the scale and teaches nothing else", () => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    // The last two are too close to zero to set a scale.
    for (const loss of [0, -0, 5e-324, -1e-291]) {
      policy.update(policy.choose(stream(1)), loss);
      expect(policy.details().beta).toBe(0);
    }
    const late = policy.force(1);
    policy.update(policy.choose(stream(1)), -3);
    expect(policy.details().beta).toBe(3);
    expect(Array.from(policy.probabilities())).toEqual([0.25, 0.25, 0.25, 0.25]);
    policy.update(policy.force(2), 1);
    expect(stateOf(policy).losses).toEqual([0, 0, 4, 0]);
    // A Choice from before there was a scale is learnt from as any other.
    const { beta } = stateOf(policy);
    policy.update(late, 100);
    expect(stateOf(policy).losses[1]).toBeCloseTo((0.7 * beta * 0.5) / 0.25, 12);
  });

  test("late feedback: x comes with the Choice, median and beta are those of the moment", () => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    const late = policy.force(3);
    play(policy, 500, (round, arm) => 100 + (round % 7) + (arm === 3 ? 50 : 0));
    const { losses } = stateOf(policy);
    expect(policy.probabilities()[3]).toBeLessThan(0.01);
    // Every arm but the last costs 100 to 106.
    policy.update(late, 103.5);
    expect(stateOf(policy).losses[3]! - losses[3]!).toBeCloseTo(0.5 / 0.25, 9);
    const { beta } = stateOf(policy);
    policy.update(late, 1e6);
    expect(stateOf(policy).losses[3]! - losses[3]!).toBeCloseTo((0.5 + 0.7 * beta * 0.5) / 0.25, 9);
  });

  test("one arm: nothing to match, beta rests where the first two losses have set it", () => {
    const policy = new MatchedTINF({ arms: 1, kernel });
    play(policy, 100, (round) => (round === 1 ? 3 : round === 2 ? 1 : heavy(round)(round, 0)));
    expect(policy.details().beta).toBe(1);
  });

  test("property: a loss is settled exactly where a larger one moves estimates and beta alike", () => {
    const counts = { settled: 0, open: 0 };
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 9 }),
        fc.nat(99),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 600 }).map((size) => size / 10),
        (arms, seed, rounds, loss) => {
          const policy = new MatchedTINF({ arms, kernel });
          const rng = stream(seed, "arms");
          play(policy, rounds, heavy(seed), rng);
          const choice = policy.choose(rng);
          const settled = policy.isSettled(choice, loss);
          const after = (value: number) => {
            const twin = restorePolicy(policy.snapshot(), { kernel }) as MatchedTINF;
            twin.update(choice, value);
            const { losses, beta } = stateOf(twin);
            return { losses, beta };
          };
          counts[settled ? "settled" : "open"]++;
          if (settled) expect(after(loss + 1000)).toEqual(after(loss));
          // After one round there is no scale yet: nothing is settled then, and the difference sets it.
          else expect(after(loss + 1000)).not.toEqual(after(loss));
        },
      ),
      { numRuns: 200 },
    );
    expect(Math.min(counts.settled, counts.open)).toBeGreaterThan(20);
  });

  test("hostile losses: no NaN, and nothing is refused", () => {
    for (const arms of [1, 3, 40]) {
      const policy = new MatchedTINF({ arms, kernel });
      const rng = stream(arms, "hostile");
      const sizes = [0, 5e-324, 1e-300, 1e-290, 1, 1e15, 1e300];
      const open: Choice[] = [];
      for (let i = 0; i < 10_000; i++) {
        open.push(policy.choose(rng));
        if (rng.uniform() < 0.1) continue;
        const [choice] = open.splice(Math.floor(open.length * rng.uniform()), 1);
        policy.update(choice!, (rng.uniform() < 0.5 ? -1 : 1) * sizes[Math.floor(sizes.length * rng.uniform())]!);
        const { losses, beta, penalty } = stateOf(policy);
        if (!(Math.max(...losses.map(Math.abs), beta) < 1e305 && penalty >= 0)) expect([losses, beta, penalty]).toBe("sound");
      }
      expect(Math.abs(sum(policy.probabilities()) - 1)).toBeLessThan(1e-12);
    }
  });

  test("a learning rate or an estimate that would overflow is refused, and nothing has moved", () => {
    const young = new MatchedTINF({ arms: 4, kernel });
    play(young, 10, () => -1e300);
    const { state, ...rest } = young.snapshot();
    const policy = restorePolicy({ ...rest, state: { ...state, beta: 5e306 } }, { kernel });
    const choice = policy.force(1);
    const before = JSON.stringify(policy.snapshot());
    // The second is not of this policy's making.
    for (const one of [choice, { ...choice, probability: 1e-300 }]) {
      expect(() => policy.update(one, 1e300)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW", parameter: "loss" }));
      expect(JSON.stringify(policy.snapshot())).toBe(before);
    }
  });

  test.each([
    ["beta", -1],
    ["beta", 1e-300],
    ["beta", 1e307],
    ["beta", Number.NaN],
    ["penalty", -1e-9],
    ["penalty", 7],
    ["penalty", Number.NaN],
    ["recent", null],
    ["recent", { length: 0 }],
    ["recent", new Array(52).fill(0)],
    ["recent", [1, "2"]],
    ["recent", [1, null]],
    ["recent", [1, Number.NaN]],
    ["recent", [1, Number.POSITIVE_INFINITY]],
    ["recent", [-1.001e300]],
    ["recent", new Array(3)],
  ])("a snapshot with %s %o is refused", (key, value) => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, 20, heavy(5));
    const snapshot = policy.snapshot();
    const before = JSON.stringify(snapshot);
    expect(() => policy.restore({ ...snapshot, state: { ...snapshot.state, [key]: value } })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${key}` }),
    );
    expect(JSON.stringify(policy.snapshot())).toBe(before);
  });

  test.each([[20], [80]])("a snapshot of round %i holds the last 51 losses, the oldest first, and restores into a policy with a past", (rounds) => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, rounds, (round) => round);
    expect(stateOf(policy).recent).toEqual(Array.from({ length: rounds }, (_, i) => i + 1).slice(-51));
    const other = new MatchedTINF({ arms: 5, kernel });
    play(other, 200, heavy(6));
    other.restore(JSON.parse(JSON.stringify(policy.snapshot())));
    expect(other.snapshot()).toEqual(policy.snapshot());
    expect(play(other, 100, heavy(7), stream(7))).toEqual(play(policy, 100, heavy(7), stream(7)));
    expect(other.snapshot()).toEqual(policy.snapshot());
  });
});

describe.each(KERNELS)("the spread, $name kernel", ({ name, relative }) => {
  test("property: sum_i x_i^(1/alpha) - 1, to its last digits however close to 0", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 1.9, 1.5, 1.1),
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.double({ min: -2, max: 12, noNaN: true }),
        (alpha, exponents, apart) => {
          // One arm at 0, the others up to 10^15 away.
          const losses = [0, ...exponents.map((exponent) => 10 ** (exponent + apart))];
          const kernel = cold(name, alpha, losses);
          kernel.solve(1.5);
          const x = kernel.probabilities(1.5);
          kernel.solve(1.5);
          // Without cancellation: the first arm's share is 1 - rest.
          const rest = sum(x.slice(1));
          const first =
            rest > 0.5 ? x[0]! ** (1 / alpha) - x[0]! : Math.exp(Math.log1p(-rest) / alpha) * -Math.expm1(Math.log1p(-rest) * (1 - 1 / alpha));
          const expected = sum(x.slice(1).map((p) => p ** (1 / alpha) - p)) + first;
          const error = Math.abs(kernel.spread() - expected);
          expect(error).toBeLessThanOrEqual(relative * expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("is 0 for one arm and K^(1 - 1/alpha) - 1 for equal ones", () => {
    for (const arms of [1, 2, 100]) {
      const kernel = cold(name, 1.5, new Array(arms).fill(3));
      kernel.solve(0.1);
      expect(Math.abs(kernel.spread() - (arms ** (1 / 3) - 1))).toBeLessThan(1e-12);
    }
  });
});

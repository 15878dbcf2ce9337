import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, isSkipped, MatchedTINF, restorePolicy, stream } from "../src/index.js";
import { cold, KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";
import { play, sum } from "./policies.js";

const THETA = 0.7;
const KAPPA = 0.5;

const heavy = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (rng.uniform() < 0.3 ? -1 : 1) * rng.open() ** (-1 / 1.4) + 0.2 * arm;
};

/** The policy's definition, literally: squares, square roots and a subtraction where the policy avoids them. */
class Naive {
  losses: number[];
  beta = 0;
  penalty = 0;

  constructor(arms: number) {
    this.losses = new Array(arms).fill(0);
  }

  probabilities(): number[] {
    return naiveMinimiser(this.losses, this.beta || 1, 2);
  }

  choose(arm: number): { arm: number; x: number; r: number; beta: number } {
    const x = this.probabilities();
    this.penalty = 2 * (sum(x.map(Math.sqrt)) - 1);
    return { arm, x: x[arm]!, r: THETA * this.beta * Math.sqrt(x[arm]!), beta: this.beta };
  }

  update({ arm, x, r, beta }: ReturnType<Naive["choose"]>, loss: number): void {
    if (this.beta === 0) {
      this.beta = 0.5 * Math.abs(loss) * Math.sqrt(this.losses.length);
      return;
    }
    if (beta === 0) return;
    if (Math.abs(loss) <= r) this.losses[arm]! += loss / x;
    const z = (Math.min(Math.abs(loss), r) ** 2 * (1 - x)) / Math.sqrt(x);
    const least = 2 * (Math.sqrt(x) + Math.sqrt(1 - x) - 1);
    if (z > 0) this.beta += (KAPPA * z) / (beta * Math.max(this.penalty, least));
  }
}

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
    const due = new Map<number, [Choice, ReturnType<Naive["choose"]>][]>();
    const counts = { skipped: 0, learnt: 0 };
    for (let round = 1; round <= 600; round++) {
      const x = naive.probabilities();
      expect(worstError(policy.probabilities(), x)).toBeLessThan(1e-9);
      const choice = policy.choose(rng);
      const same = naive.choose(choice.arm);
      expect(Math.abs(choice.probability! / same.x - 1)).toBeLessThan(1e-9);
      if (same.r === 0) expect(choice.threshold).toBe(0);
      else expect(Math.abs(choice.threshold! / same.r - 1)).toBeLessThan(1e-9);
      const when = round + Math.floor(lateness * delays.uniform());
      due.set(when, [...(due.get(when) ?? []), [choice, same]]);
      for (const [told, twin] of due.get(round) ?? []) {
        // One loss in eight is zero, the first ones among them.
        const value = told.round % 8 === 0 || told.round < 4 ? 0 : loss(told.round, told.arm);
        counts[isSkipped(told, value) ? "skipped" : "learnt"]++;
        policy.update(told, value);
        naive.update(twin, value);
        expect(Math.abs(policy.details().beta! - naive.beta)).toBeLessThanOrEqual(1e-9 * naive.beta);
      }
      due.delete(round);
    }
    expect(Math.min(counts.skipped, counts.learnt)).toBeGreaterThan(25);
  });

  // The bands of the indexed kernel have fixed edges, a factor of 2 apart: for other k the law is the same, but not what it draws.
  test("property: losses times k, the same arms and beta times k", () => {
    const scales = kernel === "dense" ? fc.double({ min: -280, max: 280, noNaN: true }) : fc.integer({ min: -930, max: 930 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), scales, fc.nat(1000), (arms, exponent, seed) => {
        const k = (kernel === "dense" ? 10 : 2) ** exponent;
        const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
        const [a, b] = [heavy(seed), heavy(seed)];
        expect(play(other, 300, (round, arm) => k * b(round, arm), stream(seed))).toEqual(play(one, 300, a, stream(seed)));
        expect(Math.abs(other.details().beta! / one.details().beta! / k - 1)).toBeLessThan(1e-9);
      }),
      { numRuns: 50 },
    );
  });

  test("property: beta never falls, and no loss raises it by more than 15 percent, however late it comes", () => {
    let raises = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.tuple(fc.double({ min: -12, max: 12, noNaN: true }), fc.boolean(), fc.nat(99)), { minLength: 1, maxLength: 150 }),
        (arms, events) => {
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
        },
      ),
      { numRuns: 300 },
    );
    expect(raises).toBeGreaterThan(100); // several thousand; the property is empty without them
  });

  test("the round counts for nothing: a snapshot moved to another round has the same future", () => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, 200, heavy(3));
    const moved = restorePolicy({ ...policy.snapshot(), round: 1_000_000 }, { kernel });
    expect(play(moved, 300, heavy(4), stream(4))).toEqual(play(policy, 300, heavy(4), stream(4)));
  });

  test("plays uniformly until a loss is not zero, which sets the scale and teaches nothing else", () => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    for (const loss of [0, -0, 5e-324, -1e-291]) {
      const choice = policy.choose(stream(1));
      expect(choice.threshold).toBe(0);
      policy.update(choice, loss);
      expect(policy.details().beta).toBe(0);
    }
    const late = policy.choose(stream(1));
    policy.update(policy.choose(stream(1)), -3);
    expect(policy.details().beta).toBe(3);
    expect(Array.from(policy.probabilities())).toEqual([0.25, 0.25, 0.25, 0.25]);
    // The Choice of a round without a scale teaches nothing any more.
    const before = JSON.stringify(policy.snapshot());
    policy.update(late, 100);
    expect(JSON.stringify(policy.snapshot())).toBe(before);
    const choice = policy.force(2);
    expect(choice.threshold).toBeCloseTo(0.7 * 3 * 0.5, 14);
    policy.update(choice, 1);
    expect((policy.snapshot().state as { losses: number[] }).losses).toEqual([0, 0, 4, 0]);
  });

  test("one arm: nothing to match, beta rests", () => {
    const policy = new MatchedTINF({ arms: 1, kernel });
    play(policy, 100, () => 2);
    expect(policy.details().beta).toBe(1);
  });

  test("a learning rate that would overflow is refused, and nothing has moved", () => {
    const young = new MatchedTINF({ arms: 4, kernel });
    young.update(young.force(0), 1e300);
    const { state, ...rest } = young.snapshot();
    const policy = restorePolicy({ ...rest, state: { ...state, beta: 5e306 * (1 - 1e-9) } }, { kernel });
    // Only a Choice that is not of this policy's making raises beta that far.
    const choice: Choice = { ...policy.force(1), threshold: 1e300 };
    const before = JSON.stringify(policy.snapshot());
    expect(() => policy.update(choice, 1e300)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW", parameter: "loss" }));
    expect(JSON.stringify(policy.snapshot())).toBe(before);
  });

  test.each([
    ["beta", -1],
    ["beta", 1e-300],
    ["beta", 1e307],
    ["beta", Number.NaN],
    ["penalty", -1e-9],
    ["penalty", 7],
    ["penalty", Number.NaN],
  ])("a snapshot with %s %d is refused", (key, value) => {
    const policy = new MatchedTINF({ arms: 5, kernel });
    play(policy, 20, heavy(5));
    const snapshot = policy.snapshot();
    expect(() => restorePolicy({ ...snapshot, state: { ...snapshot.state, [key]: value } }, { kernel })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${key}` }),
    );
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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, DelayedTsallisINF, restorePolicy, stream, TsallisINF } from "../src/index.js";
import { hybridProbabilities } from "../src/policies/delayedTsallisINF.js";
import { worstError } from "./naiveFtrl.js";
import { play, sum } from "./policies.js";

const coin = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (rng.uniform() < 0.3 + 0.1 * arm ? 1 : 0);
};

function bisect(low: number, high: number, isBelow: (value: number) => boolean): number {
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** The optimality condition L_i - s x^(-1/2) + e (1 + log x) = nu, by bisection in log x for each arm, and in nu for the sum. */
function naiveLaw(losses: readonly number[], s: number, e: number): number[] {
  const smallest = Math.min(...losses);
  const at = (nu: number) => losses.map((loss) => Math.exp(bisect(-700, 0, (v) => loss - smallest - s * Math.exp(-v / 2) + e * (1 + v) < nu)));
  const arms = losses.length;
  // At the upper end the best arm alone has everything, at the lower one no arm has more than 1 / K.
  const x = at(bisect(-s * Math.sqrt(arms) + e * (1 - Math.log(arms)) - 1e-9, e - s, (nu) => sum(at(nu)) < 1));
  return x.map((p) => p / sum(x));
}

describe("the hybrid law", () => {
  test("property: equal to bisection", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 1, maxLength: 6 }),
        fc.double({ min: -1, max: 2, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (losses, root, entropy) => {
          const into = new Float64Array(losses.length);
          hybridProbabilities(Float64Array.from(losses), 10 ** root, 10 ** entropy, into);
          // An entropy alone would be exp(-L / e): such laws vanish beyond the range of the bisection.
          const reference = naiveLaw(losses, 10 ** root, 10 ** entropy);
          expect(worstError(into, reference)).toBeLessThan(1e-9);
          expect(Math.abs(sum(into) - 1)).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("property: sound for losses of any size, and the optimality condition holds", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -300, max: 307, noNaN: true }), fc.boolean()), { minLength: 1, maxLength: 30 }),
        fc.double({ min: 0, max: 8, noNaN: true }),
        fc.oneof(
          fc.constant(0),
          fc.double({ min: -10, max: 16, noNaN: true }).map((exponent) => 10 ** exponent),
        ),
        (sizes, root, e) => {
          const losses = Float64Array.from(sizes, ([exponent, negative]) => (negative ? -1 : 1) * Math.min(10 ** exponent, 1e307));
          const s = 10 ** root;
          const into = new Float64Array(losses.length);
          hybridProbabilities(losses, s, e, into);
          expect(Math.abs(sum(into) - 1)).toBeLessThan(1e-12);
          const best = losses.indexOf(Math.min(...losses));
          const gradient = (i: number) => -s / Math.sqrt(into[i]!) + e * Math.log(into[i]!);
          for (let i = 0; i < losses.length; i++) {
            expect(into[i]! >= 0 && into[i]! <= into[best]!).toBe(true);
            if (into[i]! < 1e-300) continue;
            const [apart, size] = [losses[i]! - losses[best]!, Math.abs(gradient(i)) + Math.abs(gradient(best))];
            expect(Math.abs(apart + gradient(i) - gradient(best))).toBeLessThan(1e-9 * size);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("delayed Tsallis-INF", () => {
  test.each([
    [2, 10],
    [5, 100],
    [12, 30],
  ])("reference: %i arms, feedback up to %i rounds late, agrees with the definition to 1e-9", (arms, lateness) => {
    const policy = new DelayedTsallisINF({ arms });
    const losses = new Array<number>(arms).fill(0);
    const [rng, delays, loss] = [stream(1, "arms", arms), stream(1, "delays", arms), coin(arms)];
    const open: { choice: Choice; due: number }[] = [];
    let total = 0;
    for (let round = 1; round <= 200; round++) {
      // What the paper counts: the rounds s before this one with s + d_s >= round.
      total += open.length;
      expect(policy.details().outstanding).toBe(open.length);
      const x = naiveLaw(losses, Math.sqrt(round), Math.sqrt((2 * total) / Math.log(arms)));
      expect(worstError(policy.probabilities(), x)).toBeLessThan(1e-9);
      const choice = policy.choose(rng);
      expect(policy.details().delay).toBe(total);
      open.push({ choice, due: round + Math.floor(lateness * delays.uniform()) });
      for (const told of open.filter(({ due }) => due === round)) {
        const value = loss(told.choice.round, told.choice.arm);
        losses[told.choice.arm]! += value / told.choice.probability!;
        policy.update(told.choice, value);
        open.splice(open.indexOf(told), 1);
      }
    }
    expect(total).toBeGreaterThan(200);
  });

  test("without delays it is Tsallis-INF", () => {
    for (const arms of [1, 2, 7]) {
      const [one, other] = [new DelayedTsallisINF({ arms }), new TsallisINF({ arms, kernel: "dense" })];
      const [rng, loss] = [stream(2), coin(2)];
      for (let round = 1; round <= 500; round++) {
        const choice = one.choose(rng);
        const same = other.force(choice.arm);
        expect(Math.abs(choice.probability! / same.probability! - 1)).toBeLessThan(1e-9);
        const value = loss(round, choice.arm);
        one.update(choice, value);
        other.update(same, value);
      }
    }
  });

  test("feedback told twice is the caller's mistake, and does not make the count negative", () => {
    const policy = new DelayedTsallisINF({ arms: 2 });
    const choice = policy.choose(stream(1));
    for (let i = 0; i < 3; i++) policy.update(choice, 0.5);
    expect(policy.details()).toEqual({ outstanding: 0, delay: 0 });
    play(policy, 5, () => 0.5);
    expect(sum(policy.probabilities())).toBeCloseTo(1, 12);
  });

  test.each([
    ["received", -1],
    ["received", 0.5],
    ["delay", -1],
    ["delay", Number.NaN],
  ])("a snapshot with %s %d is refused", (key, value) => {
    const snapshot = new DelayedTsallisINF({ arms: 2 }).snapshot();
    expect(() => restorePolicy({ ...snapshot, state: { ...snapshot.state, [key]: value } })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${key}` }),
    );
  });
});

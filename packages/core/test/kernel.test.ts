import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stream } from "../src/index.js";
import { DenseKernel } from "../src/kernel/denseKernel.js";
import { sum } from "./policies.js";

const alphas = fc.oneof(fc.constantFrom(2, 1.9, 1.7, 1.5, 4 / 3, 1.25, 1.2, 1.1, 1.05), fc.double({ min: 1.02, max: 2, noNaN: true }));
const inverseRates = fc.double({ min: -6, max: 6, noNaN: true }).map((exponent) => 10 ** exponent);
const lossLists = (size = 12) =>
  fc.array(fc.oneof(fc.double({ min: -50, max: 50, noNaN: true }), fc.constantFrom(0, 1, -1, 1e6, 1e12, -3e5)), { minLength: 1, maxLength: size });
const exponentOf = (alpha: number) => alpha / (alpha - 1);

function solved(alpha: number, losses: readonly number[], inverseRate: number): DenseKernel {
  const kernel = new DenseKernel(losses.length, exponentOf(alpha));
  kernel.restore(losses, undefined);
  kernel.solve(inverseRate);
  return kernel;
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, relative: number): void {
  for (let i = 0; i < expected.length; i++) {
    if (expected[i]! > 1e-290)
      expect(Math.abs(actual[i]! / expected[i]! - 1), `arm ${i}: ${actual[i]} against ${expected[i]}`).toBeLessThan(relative);
  }
}

/** The definition by bisection in plain doubles, with Math.pow: slow, simple, and another way to the same numbers. */
function bisect(alpha: number, losses: readonly number[], inverseRate: number): number[] {
  const q = exponentOf(alpha);
  const smallest = Math.min(...losses);
  const at = (z: number) => losses.map((loss) => (z + (loss - smallest) / inverseRate) ** -q);
  let [low, high] = [1, losses.length ** (1 / q) * (1 + 1e-12)];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) > 1) low = middle;
    else high = middle;
  }
  const weights = at(low);
  return weights.map((weight) => weight / sum(weights));
}

describe("the dense kernel", () => {
  test("property: non-negative, summing to 1, and equal to bisection", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, (alpha, losses, inverseRate) => {
        const x = solved(alpha, losses, inverseRate).probabilities();
        for (const p of x) expect(p).toBeGreaterThanOrEqual(0);
        expect(Math.abs(sum(x) - 1)).toBeLessThan(1e-12);
        expectClose(x, bisect(alpha, losses, inverseRate), 1e-11);
      }),
      { numRuns: 3000 },
    );
  });

  test("property: the gaps satisfy the optimality condition x_i = (h / g_i)^q", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, (alpha, losses, inverseRate) => {
        const kernel = solved(alpha, losses, inverseRate);
        const smallest = Math.min(...losses);
        const x = kernel.probabilities();
        expectClose(
          losses.map((_, i) => (inverseRate / kernel.gap(i)) ** exponentOf(alpha)),
          x,
          1e-11,
        );
        for (let i = 0; i < losses.length; i++) {
          expect(kernel.gap(i) - kernel.gap(losses.indexOf(smallest))).toBeCloseTo(losses[i]! - smallest, -Math.log10(kernel.gap(i)) + 12);
          expect(kernel.probability(i)).toBe(x[i]);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("property: the order of the arms is only a name", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, fc.nat(), (alpha, losses, inverseRate, turn) => {
        const rotate = <T>(list: ArrayLike<T>) => Array.from(list, (_, i) => list[(i + turn) % list.length]!);
        const x = solved(alpha, losses, inverseRate).probabilities();
        expectClose(solved(alpha, rotate(losses), inverseRate).probabilities(), rotate(x), 1e-12);
      }),
      { numRuns: 1000 },
    );
  });

  test("property: a constant added to all losses changes nothing", () => {
    fc.assert(
      fc.property(
        alphas,
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 12 }),
        inverseRates,
        fc.integer({ min: -1e9, max: 1e9 }),
        (alpha, losses, inverseRate, shift) => {
          const x = solved(alpha, losses, inverseRate).probabilities();
          expectClose(
            solved(
              alpha,
              losses.map((loss) => loss + shift),
              inverseRate,
            ).probabilities(),
            x,
            1e-12,
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("property: losses and h times k change nothing", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, fc.double({ min: -280, max: 280, noNaN: true }), (alpha, losses, inverseRate, exponent) => {
        const k = 10 ** exponent;
        const x = solved(alpha, losses, inverseRate).probabilities();
        expectClose(
          solved(
            alpha,
            losses.map((loss) => loss * k),
            inverseRate * k,
          ).probabilities(),
          x,
          1e-11,
        );
      }),
      { numRuns: 1000 },
    );
  });

  test("property: whatever came before, a solution is the one from a cold start", () => {
    fc.assert(
      fc.property(
        alphas,
        fc.integer({ min: 1, max: 9 }),
        fc.array(
          fc.record({
            arm: fc.nat(8),
            amount: fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(1e5, -1e5, 1e200, -1e200, 0)),
            rate: inverseRates,
            commit: fc.boolean(),
          }),
          { maxLength: 30 },
        ),
        (alpha, arms, steps) => {
          const kernel = new DenseKernel(arms, exponentOf(alpha));
          for (const { arm, amount, rate, commit } of steps) {
            kernel.add(arm % arms, amount);
            kernel.solve(rate);
            expectClose(kernel.probabilities(), solved(alpha, kernel.losses(), rate).probabilities(), 1e-11);
            if (commit) kernel.commit();
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("takes the root below min L, not the one above max L", () => {
    const kernel = solved(2, [0, 3, 5], 2);
    expect(-kernel.gap(0)).toBeCloseTo(-2.265, 3); // nu; the other root is 7.363
  });

  test("equal losses are exactly uniform", () => {
    for (const arms of [1, 2, 3, 7, 1000]) expect(new Set(solved(1.3, new Array(arms).fill(-17.3), 4).probabilities())).toEqual(new Set([1 / arms]));
  });

  test("all mass on one arm", () => {
    const x = solved(2, [0, 1e300, 1e300], 1e-6).probabilities();
    expect(x[0]).toBe(1);
    expect(Array.from(x.slice(1))).toEqual([0, 0]);
    expect(solved(2, [0, 1e100], 1).probabilities()[1]).toBeCloseTo(1e-200, 210);
  });

  test("alpha close to 1: sound down to the last double above 1", () => {
    for (const alpha of [1.001, 1 + 1e-6, 1 + 1e-9, 1 + 2 ** -52]) {
      const x = solved(alpha, [0, 1e-7, 0.5, 3], 1).probabilities();
      expect(Math.abs(sum(x) - 1)).toBeLessThan(1e-12);
      for (const p of x) expect(p).toBeGreaterThanOrEqual(0);
    }
  });

  test("an estimate beyond 1e307 is refused and changes nothing", () => {
    const kernel = solved(2, [9e306, 0], 1);
    expect(() => kernel.add(0, 2e306)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW" }));
    expect(kernel.losses()).toEqual([9e306, 0]);
  });

  // chi-squared on 6 arms, 200,000 draws, false-alarm rate 1e-6: the upper quantile of chi2(5) is 37.6.
  test("samples by its probabilities", () => {
    const kernel = solved(1.5, [0, 0.5, 1, 1.5, 4, 9], 2);
    const rng = stream(21, "sample");
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 200_000; i++) counts[kernel.sample(rng.uniform())]!++;
    const statistic = sum(kernel.probabilities().map((p, i) => (counts[i]! - 200_000 * p) ** 2 / (200_000 * p)));
    expect(statistic).toBeLessThan(37.6);
  });

  test("a uniform at the very end of [0, 1) falls on an arm that has weight", () => {
    const kernel = solved(2, [0, 1, 1e300], 1);
    expect(kernel.sample(1 - 2 ** -53)).toBe(1);
    expect(kernel.sample(0)).toBe(0);
  });
});

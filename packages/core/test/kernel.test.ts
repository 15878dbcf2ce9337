import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stream } from "../src/index.js";
import { createKernel } from "../src/kernel/createKernel.js";
import { DenseKernel } from "../src/kernel/denseKernel.js";
import { IndexedKernel } from "../src/kernel/indexedKernel.js";
import { cold, expectClose, expectColdDense, exponentOf, KERNELS, own } from "./kernels.js";
import { sum } from "./policies.js";

const alphas = fc.oneof(fc.constantFrom(2, 1.9, 1.7, 1.5, 4 / 3, 1.25, 1.2, 1.1, 1.05), fc.double({ min: 1.02, max: 2, noNaN: true }));
const inverseRates = fc.double({ min: -6, max: 6, noNaN: true }).map((exponent) => 10 ** exponent);
/** What happens to a kernel between two looks at it. */
const limitedSteps = fc.array(
  fc.record({
    arm: fc.nat(8),
    amount: fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(1e5, -1e5, 1e20, 0)),
    // A ceiling of 0, or one that is lost next to 1e20, makes all estimates equal.
    ceilings: fc.array(fc.oneof(fc.double({ min: 0, max: 5, noNaN: true }), fc.constantFrom(0, 1e-3, 1e6)), { minLength: 9, maxLength: 9 }),
    rate: inverseRates,
    act: fc.constantFrom("add", "addAll", "limit", "limitAll", "solve", "commit", "shiftInto", "restore", "reset"),
  }),
  { maxLength: 30, size: "max" },
);
const lossLists = (size = 12) =>
  fc.array(fc.oneof(fc.double({ min: -50, max: 50, noNaN: true }), fc.constantFrom(0, 1, -1, 1e6, 1e12, -3e5)), { minLength: 1, maxLength: size });

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

describe.each(KERNELS)("the $name kernel", (promise) => {
  const { name } = promise;

  test("property: non-negative, summing to 1, and equal to bisection; `probabilities` agrees and changes nothing", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, (alpha, losses, inverseRate) => {
        const kernel = cold(name, alpha, losses);
        const seen = kernel.probabilities(inverseRate);
        const x = own(kernel, inverseRate);
        const expected = bisect(alpha, losses, inverseRate);
        for (const each of [seen, x]) {
          for (const p of each) expect(p).toBeGreaterThanOrEqual(0);
          expect(Math.abs(sum(each) - 1)).toBeLessThan(promise.sum);
          expectClose(each, expected, promise.relative, 1e-290);
        }
        kernel.probabilities(3 * inverseRate);
        expect(own(kernel, inverseRate)).toEqual(x);
        expect(kernel.losses()).toEqual(losses);
      }),
      { numRuns: 2000 },
    );
  });

  test("property: the gaps satisfy the optimality condition x_i = (h / g_i)^q", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, (alpha, losses, inverseRate) => {
        const kernel = cold(name, alpha, losses);
        const smallest = Math.min(...losses);
        const x = own(kernel, inverseRate);
        expectClose(
          losses.map((_, i) => (inverseRate / kernel.gap(i)) ** exponentOf(alpha)),
          x,
          promise.relative,
          1e-290,
        );
        for (let i = 0; i < losses.length; i++) {
          const difference = kernel.gap(i) - kernel.gap(losses.indexOf(smallest));
          expect(Math.abs(difference - (losses[i]! - smallest))).toBeLessThan(1e-12 * kernel.gap(i));
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("property: the order of the arms is only a name", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, fc.nat(), (alpha, losses, inverseRate, turn) => {
        const rotate = <T>(list: ArrayLike<T>) => Array.from(list, (_, i) => list[(i + turn) % list.length]!);
        const x = own(cold(name, alpha, losses), inverseRate);
        expectClose(own(cold(name, alpha, rotate(losses)), inverseRate), rotate(x), 0.1 * promise.relative);
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
        fc.integer({ min: -1e12, max: 1e12 }),
        (alpha, losses, inverseRate, shift) => {
          const x = own(cold(name, alpha, losses), inverseRate);
          const shifted = cold(
            name,
            alpha,
            losses.map((loss) => loss + shift),
          );
          expectClose(own(shifted, inverseRate), x, 0.1 * promise.relative);
        },
      ),
      { numRuns: 1000 },
    );
  });

  // Powers of two, since any other k would round differences of losses away.
  test("property: losses and h times k change nothing", () => {
    fc.assert(
      fc.property(alphas, lossLists(), inverseRates, fc.integer({ min: -930, max: 930 }), (alpha, losses, inverseRate, exponent) => {
        const k = 2 ** exponent;
        const x = own(cold(name, alpha, losses), inverseRate);
        const scaled = cold(
          name,
          alpha,
          losses.map((loss) => loss * k),
        );
        expectClose(own(scaled, inverseRate * k), x, promise.relative, 1e-290);
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
            solve: fc.boolean(),
            commit: fc.boolean(),
          }),
          { maxLength: 30 },
        ),
        (alpha, arms, steps) => {
          const kernel = createKernel(arms, exponentOf(alpha), name);
          for (const { arm, amount, rate, solve, commit } of steps) {
            kernel.add(arm % arms, amount);
            if (!solve) continue;
            expectColdDense(kernel, alpha, rate, promise);
            if (commit) kernel.commit();
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("property: limit is L_i = min(L_i, min L + min(ceiling, own_i)), also where it is left to the next solve: nothing shows whether it was", () => {
    const counts = { lowered: 0, equal: 0 };
    fc.assert(
      fc.property(alphas, fc.integer({ min: 1, max: 9 }), limitedSteps, (alpha, arms, steps) => {
        const kernel = createKernel(arms, exponentOf(alpha), name);
        // The twin's estimates are looked at after every limit, so it must have lowered them by then.
        const eager = createKernel(arms, exponentOf(alpha), name);
        const [seen, expected] = [new DenseKernel(arms, exponentOf(alpha)), new DenseKernel(arms, exponentOf(alpha))];
        let losses = new Array<number>(arms).fill(0);
        for (const { arm, amount, ceilings, rate, act } of steps) {
          const amounts = Float64Array.from({ length: arms }, (_, i) => ceilings[i]! * (i === arm % arms ? 1 : 1e-3));
          for (const each of [kernel, eager]) {
            if (act === "add") each.add(arm % arms, amount);
            else if (act === "addAll") each.addAll(amounts);
            else if (act === "limit") each.limit(Math.abs(amount), Float64Array.from(ceilings.slice(0, arms)));
            else if (act === "limitAll") each.limit(Math.abs(amount));
            else if (act === "solve") each.solve(rate);
            else if (act === "shiftInto") each.shiftInto(each === kernel ? seen : expected, amounts);
            else if (act === "restore") each.restore(each.losses(), each.snapshot());
            else if (act === "reset") each.reset();
            else {
              each.solve(rate);
              each.commit();
            }
          }
          if (act === "add") losses[arm % arms]! += amount;
          else if (act === "addAll") losses = losses.map((loss, i) => loss + amounts[i]!);
          else if (act === "reset") losses.fill(0);
          else if (act === "solve") expect(own(kernel, rate)).toEqual(own(eager, rate));
          else if (act === "shiftInto") expect(seen.probabilities(rate)).toEqual(expected.probabilities(rate));
          else if (act === "limit" || act === "limitAll") {
            const least = Math.min(...losses);
            const most = losses.map((_, i) => least + (act === "limit" ? Math.min(Math.abs(amount), ceilings[i]!) : Math.abs(amount)));
            counts.lowered += losses.filter((loss, i) => loss > most[i]!).length;
            losses = losses.map((loss, i) => Math.min(loss, most[i]!));
            if (new Set(losses).size === 1) counts.equal++;
            expect(eager.losses()).toEqual(losses);
          }
        }
        expect(kernel.probabilities(1)).toEqual(eager.probabilities(1));
        expect(own(kernel, 1)).toEqual(own(eager, 1));
        expect(kernel.spread()).toBe(eager.spread());
        expect(kernel.losses()).toEqual(eager.losses());
        expect(kernel.snapshot()).toEqual(eager.snapshot());
        expectColdDense(kernel, alpha, 1, promise);
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(counts.lowered, counts.equal)).toBeGreaterThan(200);
  });

  test("takes the root below min L, not the one above max L", () => {
    const kernel = cold(name, 2, [0, 3, 5]);
    kernel.solve(2);
    expect(-kernel.gap(0)).toBeCloseTo(-2.265, 3); // nu; the other root is 7.363
  });

  test("equal losses are uniform, to the last bit in `probabilities`", () => {
    for (const arms of [1, 2, 3, 7, 1000]) {
      const kernel = cold(name, 1.3, new Array(arms).fill(-17.3));
      expect(new Set(kernel.probabilities(4))).toEqual(new Set([1 / arms]));
      const x = own(kernel, 4);
      expect(new Set(x).size).toBe(1);
      expect(Math.abs(arms * x[0]! - 1)).toBeLessThan(1e-13);
    }
  });

  test("all mass on one arm", () => {
    const x = own(cold(name, 2, [0, 1e300, 1e300]), 1e-6);
    expect(x[0]).toBe(1);
    expect(Array.from(x.slice(1))).toEqual([0, 0]);
    expect(Math.abs(own(cold(name, 2, [0, 1e100]), 1)[1]! / 1e-200 - 1)).toBeLessThan(1e-12);
  });

  test("an estimate beyond 1e307 is refused and changes nothing", () => {
    const kernel = cold(name, 2, [9e306, 0]);
    const x = own(kernel, 1);
    expect(() => kernel.add(0, 2e306)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW" }));
    expect(kernel.losses()).toEqual([9e306, 0]);
    expect(own(kernel, 1)).toEqual(x);
  });

  test("reset forgets everything", () => {
    const kernel = cold(name, 1.7, [1e9, -3, 4]);
    own(kernel, 2);
    kernel.commit();
    kernel.reset();
    expect(kernel.losses()).toEqual([0, 0, 0]);
    expect(kernel.snapshot()).toEqual(createKernel(3, exponentOf(1.7), name).snapshot());
  });

  // chi-squared on 6 arms, 200,000 draws, false-alarm rate 1e-6: the upper quantile of chi2(5) is 37.6.
  test("samples by its probabilities", () => {
    const kernel = cold(name, 1.5, [0, 0.5, 1, 1.5, 4, 9]);
    kernel.solve(2);
    const rng = stream(21, "sample");
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 200_000; i++) counts[kernel.sample(rng.uniform(), rng)]!++;
    const statistic = sum(kernel.probabilities(2).map((p, i) => (counts[i]! - 200_000 * p) ** 2 / (200_000 * p)));
    expect(statistic).toBeLessThan(37.6);
  });

  test("a uniform at the very end of [0, 1) falls on an arm that has weight", () => {
    for (let loss = 3; loss < 6; loss += 0.013) {
      const kernel = cold(name, 2, [0, loss, 1e300]);
      kernel.solve(1.05);
      for (const [first, arm] of [
        [1 - 2 ** -53, 1],
        [0, 0],
      ] as const) {
        // The indexed kernel takes more uniforms: which member of the band, and whether to accept it. Each band has one.
        expect(kernel.sample(first, { uniform: () => 0.25, open: () => 0.5 })).toBe(arm);
      }
    }
  });
});

test("alpha close to 1: the dense kernel is sound down to the last double above 1", () => {
  for (const alpha of [1.001, 1 + 1e-6, 1 + 1e-9, 1 + 2 ** -52]) {
    const x = own(cold("dense", alpha, [0, 1e-7, 0.5, 3]), 1);
    expect(Math.abs(sum(x) - 1)).toBeLessThan(1e-12);
    for (const p of x) expect(p).toBeGreaterThanOrEqual(0);
  }
});

test("the number of arms chooses the kernel, and dense for exponents that would give each arm a band of its own, unless one is named", () => {
  const chosen = (arms: number, alpha: number) => createKernel(arms, exponentOf(alpha)).constructor;
  for (const alpha of [2, 1.7, 1.5, 1.1, 1.05]) {
    expect(chosen(2, alpha)).toBe(DenseKernel);
    expect(chosen(1000, alpha)).toBe(IndexedKernel);
  }
  expect(chosen(1000, 1.01)).toBe(DenseKernel);
  expect(createKernel(2, 2, "indexed")).toBeInstanceOf(IndexedKernel);
  expect(createKernel(1000, 2, "dense")).toBeInstanceOf(DenseKernel);
  expect(createKernel(249, 2, undefined, 250)).toBeInstanceOf(DenseKernel);
  expect(createKernel(250, 2, undefined, 250)).toBeInstanceOf(IndexedKernel);
  expect(createKernel(10, 2, "indexed", 250)).toBeInstanceOf(IndexedKernel);
});

import { normal, stream } from "tsallis";
import { mean } from "tsallis/statistics";
import { describe, expect, it } from "vitest";
import { againstFirst } from "../src/statistics/againstFirst.js";
import type { BySeed } from "../src/statistics/pairedComparison.js";
import { createResampler, TEST_RESAMPLES } from "../src/statistics/resamples.js";
import { selectionTest } from "../src/statistics/selectionTest.js";

const resampler = createResampler(1);
const NORMAL = normal({ mean: 0, deviation: 1 });

function policies(count: number, seeds: number, draw: (policy: number, seed: number) => number): BySeed[] {
  return Array.from({ length: count }, (_, policy) => new Map(Array.from({ length: seeds }, (_, seed) => [seed + 1, draw(policy, seed)])));
}

/** The definition, with all 2^n arrangements of the signs and nothing else in common with the code: Student's t of every pair instead of its shortcut. */
function naive(all: readonly BySeed[]): number[] {
  const seeds = [...all[0]!.keys()];
  const size = (i: number, j: number, flips: number) => {
    const shared = seeds.filter((seed) => all[0]!.has(seed) && all[i]!.has(seed) && all[j]!.has(seed));
    const d = shared.map((seed) => (all[j]!.get(seed)! - all[i]!.get(seed)!) * ((flips >> seeds.indexOf(seed)) & 1 ? -1 : 1));
    const centre = mean(d);
    const squares = d.reduce((sum, value) => sum + (value - centre) ** 2, 0);
    return squares === 0 ? (centre === 0 ? 0 : Infinity) : (Math.abs(centre) * Math.sqrt(d.length * (d.length - 1))) / Math.sqrt(squares);
  };
  const order = all.map((_, j) => j).slice(1);
  order.sort(
    (a, b) => size(0, b, 0) / Math.sqrt(size(0, b, 0) ** 2 + seeds.length - 1) - size(0, a, 0) / Math.sqrt(size(0, a, 0) ** 2 + seeds.length - 1),
  );
  const p = new Array<number>(order.length);
  let largest = 0;
  for (const [at, j] of order.entries()) {
    const left = [0, ...order.slice(at)];
    let asFar = 0;
    for (let flips = 0; flips < 2 ** seeds.length; flips++) {
      const furthest = Math.max(...left.flatMap((a) => left.flatMap((b) => (a === b ? [] : [size(a, b, flips)]))));
      if (furthest >= size(0, j, 0) * (1 - 1e-9)) asFar++;
    }
    largest = Math.max(largest, asFar / 2 ** seeds.length);
    p[j - 1] = largest;
  }
  return p;
}

describe("the test against a first that was picked on the same seeds", () => {
  it("reference: all arrangements of 8 seeds, within 5 standard errors of the share of 5,000", () => {
    const rng = stream(1, "selection");
    for (let trial = 0; trial < 4; trial++) {
      const all = policies(4, 8, (policy) => NORMAL.sample(rng) + (trial % 2) * policy);
      all.sort((a, b) => mean([...a.values()]) - mean([...b.values()]));
      const found = selectionTest(all[0]!, all.slice(1), resampler(8, TEST_RESAMPLES));
      for (const [i, p] of naive(all).entries()) expect(Math.abs(found[i]! - p)).toBeLessThan(1e-3 + 5 * Math.sqrt((p * (1 - p)) / 5000));
    }
  });

  it("finds a first that wins every seed against 28 others, with 20 seeds and with 10", () => {
    for (const seeds of [10, 20]) {
      const rng = stream(seeds, "wins");
      const [first, ...others] = policies(29, seeds, (policy) => (policy === 0 ? rng.uniform() : 1 + 2 * rng.uniform()));
      expect(againstFirst(first!, others, resampler).map((rival) => rival!.clear)).toEqual(others.map(() => true));
    }
  });

  it("compares the nearest rival with the first alone, once all others are far behind", () => {
    const rng = stream(1, "nearest");
    const [first, near, ...far] = policies(12, 20, (policy) => NORMAL.sample(rng) + (policy === 0 ? -1.2 : policy === 1 ? 0 : 50 + policy));
    const alone = selectionTest(first!, [near!], resampler(20, TEST_RESAMPLES))[0]!;
    expect(selectionTest(first!, [...far, near!], resampler(20, TEST_RESAMPLES)).at(-1)).toBe(alone);
    expect(alone).toBeLessThan(0.05);
  });

  it("is wrong in at most 5 % of environments with 7 equal policies: at most 26 of 300, which happens by chance once in 350", () => {
    const rng = stream(1, "equal");
    let wrong = 0;
    for (let trial = 0; trial < 300; trial++) {
      const all = policies(7, 12, () => NORMAL.sample(rng)).sort((a, b) => mean([...a.values()]) - mean([...b.values()]));
      if (selectionTest(all[0]!, all.slice(1), resampler(12, 399)).some((p) => p < 0.05)) wrong++;
    }
    expect(wrong).toBeLessThanOrEqual(26);
    expect(wrong).toBeGreaterThan(3);
  });

  it("compares policies that lack seeds on those that both have", () => {
    const rng = stream(1, "gaps");
    const [first, second, third] = policies(3, 8, (policy) => NORMAL.sample(rng) + policy);
    const gaps = new Map([...third!].filter(([seed]) => seed % 3 !== 0));
    const found = selectionTest(first!, [second!, gaps], resampler(8, TEST_RESAMPLES));
    for (const [i, p] of naive([first!, second!, gaps]).entries()) expect(Math.abs(found[i]! - p)).toBeLessThan(0.04);
  });

  it("neither overflows nor finds a difference between equal policies", () => {
    const [first, same, huge] = policies(3, 10, (policy, seed) => (policy === 2 ? 1e300 : 1) * (1 + seed / 10));
    expect(selectionTest(first!, [same!, huge!], resampler(10, TEST_RESAMPLES))).toEqual([1, expect.closeTo(2 ** -9, 2)]);
    expect(selectionTest(first!, [], resampler(10, TEST_RESAMPLES))).toEqual([]);
  });
});

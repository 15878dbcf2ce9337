import { describe, expect, it } from "vitest";
import { pareto } from "../src/distributions/pareto.js";
import { stream } from "../src/random/stream.js";
import { normalProbability } from "../src/special/normalProbability.js";
import { chiSquareTail } from "../src/statistics/chiSquareTail.js";
import { CompensatedSum } from "../src/statistics/compensatedSum.js";
import { formatNumber, formatPercent } from "../src/statistics/formatNumber.js";
import { medianEstimate } from "../src/statistics/medianEstimate.js";
import { observedQuantile, quantile } from "../src/statistics/quantile.js";
import { rankTest } from "../src/statistics/rankTest.js";

// Means, quantiles and Wilson's interval are compared with NumPy and SciPy in packages/lab/test/statistics.test.ts.

describe("CompensatedSum", () => {
  it("keeps what a double loses", () => {
    const sum = new CompensatedSum();
    for (const value of [1, 1e100, 1, -1e100]) sum.add(value);
    expect(sum.value).toBe(2);
    const product = new CompensatedSum();
    product.addProduct(1 + 2 ** -30, 1 + 2 ** -30);
    product.add(-1 - 2 ** -29);
    expect(product.value).toBe(2 ** -60);
  });

  it("distance compares sums before they are rounded", () => {
    const [a, b, c] = [new CompensatedSum(), new CompensatedSum(), new CompensatedSum()];
    a.add(1e20);
    a.add(1);
    b.add(-1e20);
    c.add(0.25);
    expect(a.distance([b], c)).toBe(0.75);
  });
});

describe("quantiles", () => {
  it("are linear between order statistics", () => {
    expect([0, 0.1, 0.5, 0.9, 1].map((p) => quantile([4, 1, 3, 2], p))).toEqual([1, 1.3, 2.5, 3.7, 4]);
    expect(quantile([7], 0.9)).toBe(7);
  });

  it("that are observed numbers: the smallest that a share p does not exceed, among the first ones", () => {
    expect([0, 0.25, 0.26, 0.5, 0.99, 1].map((p) => observedQuantile([1, 2, 3, 4], p))).toEqual([1, 1, 2, 2, 4, 4]);
    expect(observedQuantile([1, 2, 3, 4], 0.5, 2)).toBe(1);
  });
});

describe("the interval of a median", () => {
  it.each([6, 7, 10, 20, 99, 100, 101, 1_000, 1_001, 9_999])("has the ranks of the binomial distribution, exactly, for %i numbers", (n) => {
    // The largest r with 40 (C(n, 0) + ... + C(n, r)) <= 2^n, in whole numbers.
    let [term, sum, rank] = [1n, 1n, -1];
    while (40n * sum <= 2n ** BigInt(n)) {
      rank++;
      term = (term * BigInt(n - rank)) / BigInt(rank + 1);
      sum += term;
    }
    const { low, high, estimate } = medianEstimate(Float64Array.from({ length: n }, (_, i) => i));
    expect([low, high, estimate]).toEqual([rank, n - 1 - rank, (n - 1) / 2]);
  });

  it.each([1, 2, 5])("is everything, of %i numbers", (n) => {
    const sorted = Float64Array.from({ length: n }, (_, i) => i);
    expect(medianEstimate(sorted)).toEqual({ estimate: (n - 1) / 2, low: 0, high: n - 1 });
  });
});

/** P(Z > x). */
const normalTail = (x: number): number => normalProbability(x, Infinity);

describe("the tails of distributions (references: mpmath, 40 digits)", () => {
  it.each([
    [0.5, 1, 0.4795001221869535],
    [15.136705226623606, 1, 9.999999999998892e-5],
    [3, 2, 0.22313016014842982],
    [18.420680743952367, 2, 9.999999999999991e-5],
    [30, 3, 1.3800570312932547e-6],
    [60, 20, 7.121750862815577e-6],
    [5, 7, 0.6599632296942827],
    [1700, 1500, 0.0002217079970428595],
    [2100, 2000, 0.05867111137731808],
  ])("chi-square, P(X > %d) with %i degrees of freedom", (x, degrees, expected) => {
    expect(Math.abs(chiSquareTail(x, degrees) / expected - 1)).toBeLessThan(1e-11);
    expect(chiSquareTail(0, degrees)).toBe(1);
  });

  it.each([
    [0, 0.5],
    [1, 0.15865525393145705],
    [3.8905918864131, 4.999999999999877e-5],
    [10, 7.619853024160525e-24],
  ])("normal, P(Z > %d)", (x, expected) => {
    expect(Math.abs(normalTail(x) / expected - 1)).toBeLessThan(1e-13);
  });
});

describe("the rank test", () => {
  const rng = stream(1, "ranks");
  const sample = (count: number): Float64Array => Float64Array.from({ length: count }, () => Math.floor(12 * rng.uniform()) - 4);

  it("has the figures of the naive definition, with ties", () => {
    for (let i = 0; i < 50; i++) {
      const [first, second] = [sample(1 + Math.floor(30 * rng.uniform())), sample(2 + Math.floor(30 * rng.uniform()))];
      let wins = 0;
      for (const a of first) for (const b of second) wins += b > a ? 1 : b === a ? 0.5 : 0;
      const all = [...first, ...second];
      const [m, n, total] = [first.length, second.length, all.length];
      // The variance of the sum of n of the midranks, drawn without replacement.
      const ranks = all.map((x) => all.filter((y) => y < x).length + (all.filter((y) => y === x).length + 1) / 2);
      const middle = (total + 1) / 2;
      const spread = ranks.reduce((sum, rank) => sum + (rank - middle) ** 2, 0) / (total - 1);
      const variance = (spread * m * n) / total;
      const distance = Math.max(0, Math.abs(wins - (m * n) / 2) - 0.5);
      const found = rankTest(first, second);
      expect(found.larger).toBeCloseTo(wins / (m * n), 12);
      expect(found.p).toBeCloseTo(variance > 0 ? 2 * normalTail(distance / Math.sqrt(variance)) : 1, 10);
    }
  });

  it("says nothing of equal numbers, and survives the largest", () => {
    expect(rankTest(new Float64Array(50), new Float64Array(50))).toEqual({ larger: 0.5, p: 1 });
    expect(rankTest(new Float64Array(50).fill(-1e300), new Float64Array(50).fill(1e300)).p).toBeLessThan(1e-15);
  });

  it("is wrong as often as it says", () => {
    // 4,000 tests of 150 against 50 Pareto losses. At 1 % there are 40 alarms on average; more than 62 have a probability of 0.04 %.
    const distribution = pareto({ shape: 1.5, scale: 1 });
    let alarmed = 0;
    for (let i = 0; i < 4_000; i++) {
      const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => distribution.quantile(rng.open()));
      if (rankTest(draw(150), draw(50)).p < 0.01) alarmed++;
    }
    expect(alarmed).toBeGreaterThan(20);
    expect(alarmed).toBeLessThanOrEqual(62);
  });
});

describe("numbers as text", () => {
  it.each([
    [0, "0"],
    [1234567, "1,234,567"],
    [999.96, "1,000"],
    [12.345, "12.3"],
    [-0.01234, "−0.0123"],
    [1e9, "1 × 10⁹"],
    [4.56e-7, "4.56 × 10⁻⁷"],
  ])("%d reads %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it("shares read as per cent", () => {
    expect([0, 0.00001, 0.005, 0.123, 0.9999].map(formatPercent)).toEqual(["0 %", "< 0.01 %", "0.5 %", "12.3 %", "100 %"]);
  });
});

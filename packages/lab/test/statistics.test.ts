import { readFileSync } from "node:fs";
import fc from "fast-check";
import { logNormal, normal, type Rng, stream } from "tsallis";
import { mean, quantile, wilsonInterval } from "tsallis/statistics";
import { describe, expect, it } from "vitest";
import { gather, type PositionLists } from "../src/statistics/gather.js";
import { growth, localExponents, scalingExponent, tailStart } from "../src/statistics/growth.js";
import { meanCurve, partOf, RunningMeans } from "../src/statistics/meanCurve.js";
import { meanInterval, meanIntervals } from "../src/statistics/meanInterval.js";
import { meanTest } from "../src/statistics/meanTest.js";
import { FEWEST_SEEDS, fewSeeds, holm, pairedComparisons } from "../src/statistics/pairedComparison.js";
import { leastSquares, logLogSlope, meansWithout, powerSlope, powerSlopes, slopeWeights } from "../src/statistics/powerSlope.js";
import { bootstrapMeans, createResampler, RESAMPLES, type Resamples, TEST_RESAMPLES } from "../src/statistics/resamples.js";
import { ERROR_FLOOR, studentisedMeans } from "../src/statistics/studentisedMeans.js";
import { sweepSlope } from "../src/statistics/sweepSlope.js";
import { differenceInterval, twoSampleMeanTest } from "../src/statistics/twoSampleMeanTest.js";

interface Fixture {
  means: { values: number[]; mean: number }[];
  quantiles: { values: number[]; p: number; quantile: number }[];
  lines: { x: number[]; y: number[]; weights: number[]; plain: [number, number]; weighted: [number, number] }[];
  slopes: { rounds: number[]; values: number[]; points: number; slope: number }[];
  wilson: { wins: number; n: number; low: number; high: number }[];
  holm: { p: number[]; rejected: Record<string, number[]> }[];
  meanIntervals: { values: number[]; low: [number, number]; high: [number, number]; p: number }[];
  welch: { a: number[]; b: number[]; low: [number, number]; high: [number, number]; p: number }[];
  jackknives: { curves: number[][]; slope: number; pseudo: number[] }[];
}

const fixture = JSON.parse(readFileSync(new URL("fixtures/statistics.json", import.meta.url), "utf8")) as Fixture;

/** About eight per decade, as the lab's checkpoints are. */
const ROUNDS = fixture.slopes[0]!.rounds;
const resampler = createResampler(1);
const seedsOf = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

function close(actual: number, expected: number, tolerance = 1e-12): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)));
}

/** The same with margins for a Monte Carlo error. */
function between(actual: number, [first, second]: readonly [number, number]): void {
  const slack = 1e-12 * Math.abs(first);
  expect(actual).toBeGreaterThanOrEqual(Math.min(first, second) - slack);
  expect(actual).toBeLessThanOrEqual(Math.max(first, second) + slack);
}

describe("mean and quantile", () => {
  it("reference: exact fractions and NumPy", () => {
    for (const { values, mean: expected } of fixture.means) expect(Math.abs(mean(values) - expected)).toBeLessThanOrEqual(2e-16 * Math.abs(expected));
    for (const { values, p, quantile: expected } of fixture.quantiles) close(quantile(values, p), expected);
  });

  it("has finite quantiles of numbers near the ends of the doubles", () => {
    const huge = 1.7e308;
    expect(quantile([-huge, huge], 0.5)).toBe(0);
    expect(quantile([-huge, -huge, huge], 0.5)).toBe(-huge);
  });

  it("property: a quantile lies between the smallest and the largest, and does not fall with p", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, p) => {
          const q = quantile(values, p);
          expect(q).toBeGreaterThanOrEqual(Math.min(...values));
          expect(q).toBeLessThanOrEqual(Math.max(...values));
          expect(quantile(values, 1)).toBeGreaterThanOrEqual(q);
        },
      ),
    );
  });

  it("does not make NaN of sums beyond the doubles", () => {
    expect(mean([1e308, 1e308, 1e308])).toBe(Infinity);
  });
});

describe("running means", () => {
  it("are to the last bit the means of all values at a place", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ noNaN: true }), fc.double({ noNaN: true }))), (curves) => {
        const running = new RunningMeans(2);
        for (const curve of curves) running.add(curve);
        expect(running.means()).toEqual([0, 1].map((place) => mean(curves.map((curve) => curve[place]!))));
        expect(running.count).toBe(curves.length);
      }),
    );
  });
});

/** All indices, one resample after the other. */
const indicesOf = ({ indices }: Resamples) => [...indices()].flatMap((piece) => [...piece]);

/** The observations of each subset. */
const subsetsOf = ({ subsets }: Resamples) =>
  [...subsets()].flatMap(({ positions, bounds }) => [...bounds.keys()].slice(1).map((end) => [...positions.slice(bounds[end - 1], bounds[end])]));

describe("sums of columns over lists of positions", () => {
  it("are to the last bit those of one column and one list after the other", () => {
    const column = fc.array(fc.double({ noNaN: true }), { minLength: 7, maxLength: 7 });
    const list = fc.array(fc.nat(6), { maxLength: 20 });
    const piece = fc.array(list, { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(column, { maxLength: 9 }), fc.array(piece, { maxLength: 3 }), (columns, pieces) => {
        const all = pieces.flat();
        const found = gather(columns, pieces.map(listsOf), all.length);
        expect([...found.lengths]).toEqual(all.map(({ length }) => length));
        const naive = (term: (value: number) => number) =>
          columns.map((values) => Float64Array.from(all, (positions) => positions.reduce((sum, i) => sum + term(values[i]!), 0)));
        expect(found.sums).toEqual(naive((value) => value));
        expect(found.squares).toEqual(naive((value) => value * value));
      }),
    );
  });

  it("are the same of more than the memory held before", () => {
    const size = 100_000;
    const columns = [1, 2, 3, 4, 5].map((factor) => Float64Array.from({ length: size }, (_, i) => (factor * i) % 1013));
    const positions = Array.from({ length: 3 * size }, (_, i) => (7919 * i) % size);
    const { sums } = gather(columns, [listsOf([positions]), listsOf([[size - 1], []])], 3);
    expect(sums).toEqual(
      columns.map((values) =>
        Float64Array.of(
          positions.reduce((sum, i) => sum + values[i]!, 0),
          values[size - 1]!,
          0,
        ),
      ),
    );
  });
});

function listsOf(lists: readonly (readonly number[])[]): PositionLists {
  return { positions: Uint32Array.from(lists.flat()), bounds: Uint32Array.from([0, ...lists.map((_, l) => lists.slice(0, l + 1).flat().length)]) };
}

describe("subsets", () => {
  it("hold each observation by the toss of a coin, by the naive definition", () => {
    for (const size of [0, 1, 9]) {
      const resamples = resampler(size);
      const coin = stream(1, "subsets", size);
      const naive = Array.from({ length: resamples.pairs }, () => [...Array(size).keys()].filter(() => coin.uniform() < 0.5));
      expect(subsetsOf(resamples)).toEqual(naive);
    }
  });
});

describe("bootstrap", () => {
  it("is the mean of the drawn values, by the naive definition", () => {
    const values = [3, 1, 4, 1, 5];
    const resamples = resampler(5);
    const [means] = bootstrapMeans([values], resamples) as [Float64Array];
    expect(means.length).toBe(RESAMPLES);
    const [studentised] = studentisedMeans([Float64Array.from(values)], resamples) as [Float64Array];
    for (const resample of [0, 7, RESAMPLES - 1]) {
      const drawn = indicesOf(resamples)
        .slice(resample * 5, resample * 5 + 5)
        .map((i) => values[i]!);
      close(means[resample]!, drawn.reduce((a, b) => a + b) / 5);
      const variance = drawn.reduce((sum, value) => sum + (value - mean(drawn)) ** 2, 0) / 4;
      close(studentised[resample]!, mean(drawn) / Math.sqrt(Math.max(ERROR_FLOOR ** 2, variance) / 5));
    }
  });

  it("draws every index equally often: chi-square within its 1e-6 quantiles", () => {
    const counts = new Float64Array(10);
    for (const i of indicesOf(resampler(10))) counts[i]!++;
    const chi = counts.reduce((sum, count) => sum + (count - RESAMPLES) ** 2 / RESAMPLES, 0);
    expect(chi).toBeGreaterThan(0.1);
    expect(chi).toBeLessThan(45);
  });

  it("is the same for the same seed and size, and another for others", () => {
    const drawn = indicesOf(resampler(9));
    expect(indicesOf(createResampler(1)(9))).toEqual(drawn);
    expect(indicesOf(createResampler(2)(9))).not.toEqual(drawn);
    expect(indicesOf(createResampler(1, "second")(9))).not.toEqual(drawn);
  });

  it("of many observations is drawn in pieces, and the same every time", () => {
    const size = 300_000;
    const { count, indices, pairs, subsets } = createResampler(1)(size, 60);
    const rng = stream(1, "bootstrap", size);
    for (let time = 0; time < 2; time++) {
      const sizes = [...indices()].map(({ length }) => length);
      expect(sizes).toEqual(Array.from({ length: count }, () => size));
      expect([...subsets()].map(({ bounds }) => bounds.length - 1)).toEqual(Array.from({ length: pairs }, () => 1));
    }
    const [first] = indices();
    expect(first!.every((index) => index === Math.floor(rng.uniform() * size))).toBe(true);
    const values = Float64Array.from({ length: size }, (_, i) => i % 7);
    expect(bootstrapMeans([values], createResampler(1)(size, 60))).toEqual(bootstrapMeans([values], createResampler(1)(size, 60)));
  });

  it("gives several columns what it gives each alone", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 9, maxLength: 9 }), { maxLength: 12 }),
        (columns) => {
          const resamples = resampler(9, 40);
          expect(meanIntervals(columns, resamples)).toEqual(columns.map((values) => meanInterval(values, resamples)));
          const typed = columns.map((values) => Float64Array.from(values));
          expect(studentisedMeans(typed, resamples)).toEqual(typed.map((values) => studentisedMeans([values], resamples)[0]));
          expect(bootstrapMeans(columns, resamples)).toEqual(columns.map((values) => bootstrapMeans([values], resamples)[0]));
        },
      ),
    );
  });
});

describe("lines and exponents", () => {
  it("reference: NumPy's fits", () => {
    for (const { x, y, weights, plain, weighted } of fixture.lines) {
      const line = leastSquares(x, y)!;
      close(line.intercept, plain[0], 1e-10);
      close(line.slope, plain[1], 1e-10);
      close(
        slopeWeights(x)!.reduce((sum, weight, i) => sum + weight * y[i]!, 0),
        plain[1],
        1e-10,
      );
      const other = leastSquares(x, y, weights)!;
      close(other.intercept, weighted[0], 1e-10);
      close(other.slope, weighted[1], 1e-10);
    }
    expect(leastSquares([2, 2], [1, 3])).toBeNull();
    expect(slopeWeights([2, 2])).toBeNull();
  });

  it("reference: SciPy's slope over the last decade and a half", () => {
    for (const { rounds, values, points, slope } of fixture.slopes) {
      expect(rounds.length - tailStart(rounds)!).toBe(points);
      const fitted = scalingExponent(rounds, meanCurve([values, values], resampler(2)))!;
      close(fitted.estimate, slope);
      close(fitted.low, slope);
      close(fitted.high, slope);
    }
  });

  it("takes at least five checkpoints, and none of fewer", () => {
    expect(tailStart([1, 10, 100, 1000, 10000, 100000])).toBe(1);
    expect(tailStart([1, 10, 100, 1000])).toBeNull();
    expect(tailStart([])).toBeNull();
  });

  it("has an interval around the truth that shrinks with the seeds", () => {
    const rng = stream(5, "noise");
    const curves = seedsOf(200).map(() => {
      const factor = 0.5 + rng.uniform();
      return ROUNDS.map((round) => factor * round ** 0.6 * (0.9 + 0.2 * rng.uniform()));
    });
    const [few, many] = [10, 200].map((n) => scalingExponent(ROUNDS, meanCurve(curves.slice(0, n), resampler(n)))!);
    for (const { estimate, low, high } of [few!, many!]) {
      expect(low).toBeLessThan(estimate);
      expect(high).toBeGreaterThan(estimate);
      expect(low).toBeLessThan(0.6);
      expect(high).toBeGreaterThan(0.6);
    }
    expect(many!.high - many!.low).toBeLessThan(0.5 * (few!.high - few!.low));
  });

  it("is null where there is nothing to fit", () => {
    const rising = ROUNDS.map((round) => round);
    const zero = ROUNDS.map(() => 0);
    expect(scalingExponent(ROUNDS, meanCurve([rising], resampler(1)))).toBeNull();
    expect(scalingExponent(ROUNDS, meanCurve([zero, zero], resampler(2)))).toBeNull();
    // The mean is positive, but that of some resamples is 0.
    expect(scalingExponent(ROUNDS, meanCurve([rising, zero], resampler(2)))).toBeNull();
    expect(scalingExponent([], meanCurve([], resampler(0)))).toBeNull();
    expect(
      powerSlope(
        [0, 1],
        meanCurve(
          [rising, rising].map((curve) => curve.slice(0, 2)),
          resampler(2),
        ),
      ),
    ).toBeNull();
    expect(logLogSlope([1, 2], [1, Infinity])).toBeNull();
  });

  it("together with others is the same as alone, also next to one that cannot be fitted", () => {
    const rng = stream(6, "parts");
    const curves = seedsOf(12).map(() => ROUNDS.map((round, i) => (i < 3 ? -1 : round ** 0.5 * (0.5 + rng.uniform()))));
    const curve = meanCurve(curves, resampler(12));
    const parts = [0, 3, 7].map((from) => ({ x: ROUNDS.slice(from, from + 5), curve: partOf(curve, from, from + 5) }));
    const together = powerSlopes(parts);
    expect(together).toEqual(parts.map(({ x, curve: part }) => powerSlope(x, part)));
    expect(together.map((slope) => slope === null)).toEqual([true, false, false]);
  });

  it("by decades: a power keeps its exponent, a logarithm has that of the logarithm, and it falls", () => {
    const power = ROUNDS.map((round) => 3 * round ** 0.4);
    const logarithm = ROUNDS.map((round) => 7 * Math.log(round));
    const [powers, logarithms] = [power, logarithm].map((curve) => localExponents(ROUNDS, meanCurve([curve, curve], resampler(2))));
    expect(powers!.map(({ to }) => to)).toEqual([100, 1000, 10000, 100000]);
    for (const { exponent } of powers!) close(exponent!.estimate, 0.4);
    for (const { exponent, ofLogarithm } of logarithms!) close(exponent!.estimate, ofLogarithm);
    for (const [i, { ofLogarithm, from, to }] of logarithms!.entries()) {
      expect(ofLogarithm).toBeGreaterThan(1 / Math.log(to));
      expect(ofLogarithm).toBeLessThan(1 / Math.log(from));
      if (i > 0) expect(ofLogarithm).toBeLessThan(logarithms![i - 1]!.ofLogarithm);
    }
  });

  it("tells a logarithm from a power", () => {
    const rng = stream(6, "growth");
    const noisy = (law: (round: number) => number) => seedsOf(20).map(() => ROUNDS.map((round) => law(round) * (0.99 + 0.02 * rng.uniform())));
    const exact = growth(
      ROUNDS,
      meanCurve(
        [0, 0].map(() => ROUNDS.map((round) => 5 + 2 * Math.log(round))),
        resampler(2),
      ),
    )!;
    close(exact.logarithm.slope, 2, 1e-9);
    close(exact.logarithm.intercept, 5, 1e-9);
    expect(exact.logarithm.error).toBeLessThan(1e-12);
    expect(exact.power.error).toBeGreaterThan(1e-3);
    const root = growth(
      ROUNDS,
      meanCurve(
        [0, 0].map(() => ROUNDS.map((round) => 2 * round ** 0.5)),
        resampler(2),
      ),
    )!;
    close(root.power.exponent, 0.5, 1e-12);
    expect(root.power.error).toBeLessThan(1e-12);
    expect(
      growth(
        ROUNDS,
        meanCurve(
          noisy((round) => 20 * Math.log(round) - 30),
          resampler(20),
        ),
      )!.logarithmCloser,
    ).toBeGreaterThan(0.95);
    expect(
      growth(
        ROUNDS,
        meanCurve(
          noisy((round) => round ** 0.5),
          resampler(20),
        ),
      )!.logarithmCloser,
    ).toBeLessThan(0.05);
    expect(growth(ROUNDS, meanCurve([ROUNDS.map(() => 0), ROUNDS], resampler(2)))).toBeNull();
  });

  it("of a sweep: the slope over values, seeds that all values have, and the theory's", () => {
    const sample = (value: number | string, skip: number[] = []) => ({
      value,
      finals: new Map(
        seedsOf(12)
          .filter((seed) => !skip.includes(seed))
          .map((seed) => [seed, (1 + seed / 10) * Number(value) ** 0.5]),
      ),
      bound: 100 * Number(value) ** (2 / 3),
    });
    const slope = sweepSlope([sample(2, [3]), sample(4), sample(8, [5]), sample(16)], resampler)!;
    close(slope.estimate, 0.5);
    close(slope.low, 0.5);
    close(slope.theory!, 2 / 3);
    expect(slope.seeds).toBe(10);
    expect(sweepSlope([sample(2), { ...sample(4), bound: null }], resampler)!.theory).toBeNull();
    expect(sweepSlope([sample(2)], resampler)).toBeNull();
    expect(sweepSlope([sample(2), { ...sample(4), value: "4" }], resampler)).toBeNull();
    expect(sweepSlope([sample(2), { ...sample(4), value: -4 }], resampler)).toBeNull();
    expect(sweepSlope([sample(2), { ...sample(4), finals: new Map([[1, 3]]) }], resampler)).toBeNull();
  });
});

describe("paired comparison", () => {
  it("matches by seed, whatever the order, and counts ties half", () => {
    const a = new Map([
      [3, 5],
      [1, 1],
      [2, 2],
      [9, 100],
    ]);
    const b = new Map([
      [1, 2],
      [2, 2],
      [3, 4],
      [4, 0],
    ]);
    const result = pairedComparisons([a], b, resampler)[0]!;
    expect(result.pairs).toBe(3);
    expect(result.meanDifference.estimate).toBe(0);
    expect(result.medianDifference).toBe(0);
    expect(result.probability.estimate).toBe(0.5);
    expect(pairedComparisons([a], new Map([[7, 1]]), resampler)).toEqual([null]);
  });

  it("property: to change sides changes the sign", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 })), { minLength: 1, maxLength: 20 }),
        (values) => {
          const [a, b] = [0, 1].map((side) => new Map(values.map((pair, seed) => [seed, pair[side as 0 | 1]])));
          const [forth, back] = [pairedComparisons([a!], b!, resampler)[0]!, pairedComparisons([b!], a!, resampler)[0]!];
          close(forth.meanDifference.estimate, -back.meanDifference.estimate);
          close(forth.meanDifference.low, -back.meanDifference.high, 1e-9);
          close(forth.probability.estimate, 1 - back.probability.estimate);
          close(forth.probability.low, 1 - back.probability.high);
        },
      ),
    );
  });

  it("reference: SciPy's Wilson intervals", () => {
    for (const { wins, n, low, high } of fixture.wilson) {
      const interval = wilsonInterval(wins / n, n);
      close(interval.low, low);
      close(interval.high, high);
    }
  });
});

describe("many tests at once", () => {
  it("reference: Holm's rejections at several levels", () => {
    for (const { p, rejected } of fixture.holm) {
      const adjusted = holm(p);
      for (const [level, expected] of Object.entries(rejected)) {
        expect(adjusted.flatMap((value, i) => (value <= Number(level) ? [i] : []))).toEqual(expected);
      }
    }
    expect(holm([])).toEqual([]);
  });
});

describe("the interval and the test of a mean", () => {
  const sample = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 25 });

  it("has 0 as its end where only rounding would keep it from 0, as the test counts ties", () => {
    // Found by a review: integers tie often, and their subsets' means with 0.
    const values = [2, -1, 1, 2, -1, 2, 2, 0, 2, 0, 1, -1, 1, 1];
    for (let seed = 1; seed <= 40; seed++) {
      const resamples = createResampler(seed)(values.length, 999);
      const { low, high } = meanInterval(values, resamples);
      expect(low > 0 || high < 0, `seed ${seed}`).toBe(meanTest(values, resamples) < 0.05);
    }
  });

  it("refuses resamples of another size, and finds nothing in differences below the doubles", () => {
    expect(() => meanInterval([1, 2, 3], resampler(4))).toThrow("the resamples must be of 3 observations, got resamples of 4");
    expect(() => meanTest([1, 2, 3], resampler(2))).toThrow("must be of 3 observations");
    expect(meanTest([5e-324, ...Array.from({ length: 19 }, () => 0)], resampler(20))).toBe(1);
  });

  it("reference: NumPy's studentised bootstrap, and all 2^n sign flips turned into an interval by bisection", () => {
    for (const { values, low, high, p } of fixture.meanIntervals) {
      const resamples = resampler(values.length, TEST_RESAMPLES);
      const interval = meanInterval(values, resamples);
      between(interval.low, low);
      between(interval.high, high);
      expect(Math.abs(meanTest(values, resamples) - p)).toBeLessThan(0.02);
    }
  });

  it("property: has finite ends with the mean between them, and is the same again", () => {
    fc.assert(
      fc.property(sample, (values) => {
        const { low, high } = meanInterval(values, resampler(values.length));
        expect(low).toBeLessThanOrEqual(mean(values));
        expect(high).toBeGreaterThanOrEqual(mean(values));
        expect(high - low).toBeLessThan(Infinity);
        expect(meanInterval(values, createResampler(1)(values.length))).toEqual({ low, high });
      }),
      { numRuns: 30 },
    );
  });

  it("property: follows a shift and a positive factor, and turns round with the sign", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 25 }),
        fc.integer({ min: -1000, max: 1000 }),
        fc.double({ noNaN: true, min: 1e-3, max: 1e3 }),
        (values, shift, factor) => {
          const resamples = resampler(values.length);
          const { low, high } = meanInterval(values, resamples);
          const moved = meanInterval(
            values.map((value) => shift + factor * value),
            resamples,
          );
          const scale = Math.abs(shift) + factor * 1000;
          expect(Math.abs(moved.low - shift - factor * low)).toBeLessThan(1e-9 * scale);
          expect(Math.abs(moved.high - shift - factor * high)).toBeLessThan(1e-9 * scale);
          const back = meanInterval(
            values.map((value) => -value),
            resamples,
          );
          expect(Math.abs(back.low + high)).toBeLessThan(1e-6);
          expect(Math.abs(back.high + low)).toBeLessThan(1e-6);
        },
      ),
    );
  });

  it("property: p is below 0.05 just where 0 is outside, with the same resamples and six values or more", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true, min: -1, max: 3 }), { minLength: 6, maxLength: 25 }),
        fc.constantFrom(RESAMPLES, TEST_RESAMPLES),
        (values, count) => {
          const resamples = resampler(values.length, count);
          const { low, high } = meanInterval(values, resamples);
          // What touches 0 but for rounding is neither.
          fc.pre(Math.min(Math.abs(low), Math.abs(high)) > 1e-9 || (low === 0 && high === 0));
          expect(meanTest(values, resamples) < 0.05).toBe(low > 0 || high < 0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("property: p is in (0, 1] and knows neither the unit nor the sign", () => {
    fc.assert(
      fc.property(sample, (values) => {
        const resamples = resampler(values.length);
        const p = meanTest(values, resamples);
        expect(p).toBeGreaterThan(0);
        expect(p).toBeLessThanOrEqual(1);
        for (const factor of [-1, 1024, 2 ** -40]) {
          close(
            meanTest(
              values.map((value) => factor * value),
              resamples,
            ),
            p,
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  it("of one value or of equal ones is a point, and n signs say no less than 2^(1 - n)", () => {
    expect(meanInterval([7], resampler(1))).toEqual({ low: 7, high: 7 });
    expect(meanTest([7], resampler(1, TEST_RESAMPLES))).toBe(1);
    expect(meanTest([], resampler(0))).toBe(1);
    const equal = Array.from({ length: 7 }, () => 0.1);
    expect(meanInterval(equal, resampler(7))).toEqual({ low: mean(equal), high: mean(equal) });
    expect(meanTest(equal, resampler(7, TEST_RESAMPLES))).toBe(2 ** -6);
    expect(meanTest([0, 0, 0], resampler(3))).toBe(1);
    for (const n of [2, 3, 4, 5]) {
      const values = seedsOf(n).map((i) => 1000 + i);
      expect(meanTest(values, resampler(n, TEST_RESAMPLES))).toBeGreaterThanOrEqual(2 ** (1 - n));
    }
    expect(
      meanTest(
        seedsOf(60).map((i) => 1000 + i),
        resampler(60, TEST_RESAMPLES),
      ),
    ).toBe(2 / (TEST_RESAMPLES + 1));
  });

  it("of two values reaches beyond both, and of one disaster not beyond three Student's intervals", () => {
    const { low, high } = meanInterval([0, 1], resampler(2));
    expect(low).toBe(-1.5);
    expect(high).toBe(2.5);
    const disaster = seedsOf(20).map((i) => (i === 3 ? 1000 : 1 + i / 1e6));
    const interval = meanInterval(disaster, resampler(20));
    expect(interval.low).toBeGreaterThan(-60);
    expect(interval.high).toBeGreaterThan(2 * mean(disaster));
    expect(interval.high).toBeLessThan(mean(disaster) + 3 * 2.1 * 50);
  });

  it("has finite ends near the ends of the doubles", () => {
    for (const values of [
      [-1.7e308, 1.7e308],
      [0, 1.7e308, 0],
      [5e-324, 0, 0],
      [1e308, 1.1e308, 1e308],
    ]) {
      const { low, high } = meanInterval(values, resampler(values.length));
      expect(Number.isFinite(low)).toBe(true);
      expect(high).toBeGreaterThanOrEqual(low);
      expect(meanTest(values, resampler(values.length))).toBeGreaterThan(0);
    }
  });

  it("draws the resamples of an interval before those that a test has more", () => {
    const [few, many] = [resampler(6), resampler(6, TEST_RESAMPLES)];
    expect(indicesOf(many).slice(0, indicesOf(few).length)).toEqual(indicesOf(few));
    const [ofFew, ofMany] = [few, many].map(subsetsOf) as [number[][], number[][]];
    expect(ofMany.slice(0, ofFew.length)).toEqual(ofFew);
  });

  // 400 samples of 20 with a fixed seed. bench statistics has coverages of 95.6 and 92.4 % (1,000 trials) and false alarms of 4.7 and 4.5 %: a sound method passes these
  // limits with all but one seed in 1,000 (binomial). They guard against bugs, not against worse methods.
  const LAWS: Readonly<Record<string, { mean: number; draw: (rng: Rng) => number }>> = {
    normal: { mean: 0, draw: (rng) => normal({ mean: 0, deviation: 1 }).sample(rng) },
    exponential: { mean: 1, draw: (rng) => -Math.log(rng.open()) },
    "log-normal": { mean: Math.exp(0.5), draw: (rng) => logNormal({ location: 0, scale: 1 }).sample(rng) },
  };
  const resamplers = seedsOf(8).map((seed) => createResampler(seed));
  const samplesOf = (law: string, n: number) => {
    const rng = stream(11, "coverage", law);
    return Array.from({ length: 400 }, () => Array.from({ length: n }, () => LAWS[law]!.draw(rng)));
  };

  it.each([
    ["normal", 0.909],
    ["log-normal", 0.879],
  ])("covers the mean of 20, law: %s", (law, least) => {
    const covered = samplesOf(law, 20).filter((values, i) => {
      const { low, high } = meanInterval(values, resamplers[i % 8]!(20));
      return low <= LAWS[law]!.mean && LAWS[law]!.mean <= high;
    });
    expect(covered.length / 400).toBeGreaterThan(least);
  });

  it.each([
    ["normal", 0.094],
    ["exponential", 0.092],
  ])("seldom finds a difference in 20 with mean 0, law: %s", (law, most) => {
    const alarms = samplesOf(law, 20).filter((values, i) => {
      const differences = values.map((value) => value - LAWS[law]!.mean);
      return meanTest(differences, resamplers[i % 8]!(20)) < 0.05;
    });
    expect(alarms.length / 400).toBeLessThan(most);
  });
});

describe("few seeds", () => {
  it("are warned of below ten, and told what they cannot do", () => {
    expect(fewSeeds(1)).toContain("1 seed is few: there is no interval");
    expect(fewSeeds(5)).toContain("fewer than 6");
    expect(fewSeeds(6)).not.toContain("fewer than 6");
    expect(fewSeeds(9)).toContain("9 seeds are few");
    expect(fewSeeds(FEWEST_SEEDS)).toBeNull();
  });
});

describe("two samples", () => {
  const another = createResampler(1, "another");
  const both = (a: readonly number[], b: readonly number[]) => [resampler(a.length, TEST_RESAMPLES), another(b.length, TEST_RESAMPLES)] as const;

  it("reference: SciPy's Welch over all deals, and NumPy's bootstrap of it", () => {
    for (const { a, b, low, high, p } of fixture.welch) {
      const [first, second] = both(a, b);
      const interval = differenceInterval(a, b, first, second);
      close(interval.estimate, mean(a) - mean(b));
      between(interval.low, low);
      between(interval.high, high);
      expect(Math.abs(twoSampleMeanTest(a, b, first, second, stream(1, "deal")) - p)).toBeLessThan(0.02);
    }
  });

  it("property: has the difference inside, and 0 outside where p is below 0.05", () => {
    const values = fc.array(fc.double({ noNaN: true, min: -1, max: 2 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, values, fc.integer({ min: 0, max: 4 }), (a, b, shift) => {
        const moved = b.map((value) => value + shift);
        const [first, second] = [resampler(a.length), another(b.length)];
        const { estimate, low, high } = differenceInterval(a, moved, first, second);
        expect(low).toBeLessThanOrEqual(estimate);
        expect(high).toBeGreaterThanOrEqual(estimate);
        expect(high - low).toBeLessThan(Infinity);
        const p = twoSampleMeanTest(a, moved, first, second, stream(1, "deal"));
        expect(p).toBeGreaterThan(0);
        if (p < 0.05) expect(low > -1e-9 || high < 1e-9).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it("without variance: a point, and what the deals alone say", () => {
    const p = (a: number[], b: number[]) => twoSampleMeanTest(a, b, ...both(a, b), stream(1, "deal"));
    expect(differenceInterval([1, 1], [3, 3], ...both([1, 1], [3, 3]))).toEqual({ estimate: -2, low: -2, high: -2 });
    // One of ten deals and its mirror image.
    expect(Math.abs(p([1, 1, 1], [3, 3, 3]) - 0.1)).toBeLessThan(0.02);
    expect(p([2, 2], [2, 2])).toBe(1);
    expect(p([1], [5, 6, 7])).toBe(1);
    expect(p([1, 2, 3], [1, 2, 3])).toBe(1);
    expect(p([0, 1.7e308], [0, -1.7e308])).toBeGreaterThan(0.05);
  });
});

describe("intervals along a curve", () => {
  it("reference: the interval of a slope is that of Tukey's pseudo-values, about the slope", () => {
    for (const { curves, slope, pseudo } of fixture.jackknives) {
      const resamples = resampler(curves.length);
      const fitted = scalingExponent(ROUNDS, meanCurve(curves, resamples))!;
      close(fitted.estimate, slope, 1e-10);
      const { low, high } = meanInterval(pseudo, resamples);
      close(fitted.low - slope, low - mean(pseudo), 1e-8);
      close(fitted.high - slope, high - mean(pseudo), 1e-8);
    }
  });

  it("at each place is that of the values there", () => {
    const curves = [
      [1, 5],
      [2, 3],
      [4, 9],
    ];
    const { columns } = meanCurve(curves, resampler(3));
    expect(meanIntervals(columns, resampler(3))[1]).toEqual(meanInterval([5, 3, 9], resampler(3)));
  });

  it("leaves one out without losing the others beside it", () => {
    expect([...meansWithout([1e300, 1, 2])]).toEqual([1.5, 5e299, 5e299]);
  });
});

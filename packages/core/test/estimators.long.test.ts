import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Catoni } from "../src/estimators/catoni.js";
import type { Estimator } from "../src/estimators/estimator.js";
import { ExactSum } from "../src/estimators/exactSum.js";
import { GridSamples } from "../src/estimators/gridSamples.js";
import { Heap } from "../src/estimators/heap.js";
import { MedianOfMeans } from "../src/estimators/medianOfMeans.js";
import { PRobustMean, pRobustConstant } from "../src/estimators/pRobustMean.js";
import { safeguardedRoot } from "../src/estimators/safeguardedRoot.js";
import { SaturationRoot } from "../src/estimators/saturationRoot.js";
import { TrimmedMoments } from "../src/estimators/trimmedMoments.js";
import { TruncatedMean } from "../src/estimators/truncatedMean.js";
import { stream } from "../src/index.js";
import { exactly } from "./exactly.js";

/** Heavy-tailed samples (Pareto with index 1.3, both signs), with an outlier of size 1e15 about every fiftieth time if asked. */
function heavy(count: number, seed: number, outliers: boolean): number[] {
  const rng = stream(seed, "estimators");
  return Array.from({ length: count }, () => {
    const x = (rng.uniform() < 0.3 ? -1 : 1) * rng.open() ** (-1 / 1.3) + 0.1;
    return outliers && rng.uniform() < 0.02 ? Math.sign(x) * 1e15 * (1 + rng.uniform()) : x;
  });
}

const WORLDS: [string, boolean][] = [
  ["heavy tails", false],
  ["outliers of 1e15", true],
];

/** Agreement to 1e-12, relative to the larger of the value and 1, which is the scale of the samples. */
const agrees = (got: number, want: number) =>
  expect(Math.abs(got - want), `${got} for ${want}`).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(want)));

const mean = (values: readonly number[]) => exactly.quotient(exactly.sum(values), values.length);

/** Any finite number that a policy lets in. */
const finite = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.double({ min: -1e300, max: 1e300, noNaN: true }),
  fc.tuple(fc.integer({ min: -323, max: 300 }), fc.boolean()).map(([e, negative]) => (negative ? -1 : 1) * Math.min(Number(`1e${e}`), 1e300)),
  fc.constantFrom(0, -0, 5e-324, -5e-324, 1e300, -1e300, 1e15, -1e15),
);

describe("the exact sum", () => {
  test("property: it is the double nearest to the sum, and what is taken out leaves no trace", () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 30 }), fc.array(finite, { maxLength: 10 }), (values, guests) => {
        const sum = new ExactSum();
        for (const guest of guests) sum.add(guest);
        for (const value of values) sum.add(value);
        for (const guest of guests) sum.add(-guest);
        expect(sum.value + 0).toBe(exactly.rounded(exactly.sum(values)) + 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("a tie between two doubles is broken by the parts below it", () => {
    const ulp = 2 ** -52;
    for (const [values, want] of [
      [[1, ulp / 2], 1],
      [[1, ulp / 2, 2 ** -200], 1 + ulp],
      [[1, ulp / 2, -(2 ** -200)], 1],
      [[1 + ulp, ulp / 2, -(2 ** -200)], 1 + ulp],
      [[-1, -ulp / 2, -(2 ** -300)], -1 - ulp],
    ] as const) {
      const sum = new ExactSum();
      for (const value of values) sum.add(value);
      expect(sum.value).toBe(want);
    }
  });

  test("property: products are exact, multiples and sums of sums too", () => {
    const factor = fc.double({ min: -1e140, max: 1e140, noNaN: true }).filter((x) => Math.abs(x) > 1e-140);
    fc.assert(
      fc.property(fc.array(fc.tuple(factor, factor), { maxLength: 10 }), factor, (pairs, multiplier) => {
        const [products, twice, multiple] = [new ExactSum(), new ExactSum(), new ExactSum()];
        for (const [a, b] of pairs) products.addProduct(a, b);
        const exact = pairs.map(([a, b]) => exactly.product(a, b));
        expect(products.value).toBe(exactly.rounded(exactly.total(exact)));
        twice.addAll(products);
        twice.addAll(products);
        expect(twice.value).toBe(2 * products.value);
        const plain = new ExactSum();
        for (const [a] of pairs) plain.add(a);
        multiple.addMultiple(plain, multiplier);
        expect(multiple.value).toBe(exactly.rounded(exactly.total(pairs.map(([a]) => exactly.product(a, multiplier)))));
        for (const [a, b] of pairs) products.addProduct(-a, b);
        expect(products.value).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

test("property: the heap gives its numbers back in the order of their keys", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), (keys) => {
      const heap = new Heap();
      expect(heap.topKey).toBe(Infinity);
      for (const key of keys) heap.push(key, 2 * key);
      expect(heap.size).toBe(keys.length);
      for (const key of Float64Array.from(keys).sort()) {
        expect(heap.topKey + 0).toBe(key + 0);
        expect(heap.pop() + 0).toBe(2 * key + 0);
      }
    }),
  );
});

test("the grid: every count up to 40, then a ratio of at most 1.05, with all samples of the last point", () => {
  const samples = new GridSamples();
  const points: number[] = [];
  for (let n = 1; n <= 3000; n++) {
    samples.push(n);
    if (samples.used === n) points.push(n);
    expect(samples.used).toBe(points[points.length - 1]);
  }
  expect(points.slice(0, 45)).toEqual([...Array.from({ length: 40 }, (_, i) => i + 1), 42, 44, 46, 48, 50]);
  for (let i = 40; i < points.length; i++) expect(points[i]! / points[i - 1]!).toBeLessThanOrEqual(1.05);
  expect(Array.from(samples.first(3))).toEqual([1, 2, 3]);
});

describe("the truncated mean", () => {
  const naive = (samples: readonly number[], alpha: number, sigma: number, level: number) => {
    const kept = samples.map((x, j) => (Math.abs(x) <= ((sigma ** alpha * (j + 1)) / level) ** (1 / alpha) ? x : 0));
    return { mean: mean(kept), kept: kept.filter((x) => x !== 0).length };
  };

  test.each(WORLDS)("reference: the heap is the naive definition, round by round: %s", (_, outliers) => {
    for (const [alpha, sigma] of [
      [1.2, 3],
      [1.5, 1],
      [2, outliers ? 2e14 : 1],
    ] as const) {
      const samples = heavy(1000, 1, outliers);
      const estimator = new TruncatedMean(alpha, sigma);
      const counts = new Set<number>();
      samples.forEach((x, i) => {
        estimator.add(x);
        const level = 2 * Math.log(Math.max(2, 20 * i));
        if (i % 20 > 0) return;
        const { mean, kept } = naive(samples.slice(0, i + 1), alpha, sigma, level);
        agrees(estimator.estimate(level), mean);
        counts.add(i + 1 - kept);
      });
      expect(counts.size).toBeGreaterThan(5); // some have been dropped
    }
  });

  test("what was kept leaves when the level passes its key, and equality is kept", () => {
    const estimator = new TruncatedMean(2, 1);
    for (const x of [0.1, 0, -4, 0.3]) estimator.add(x); // keys 100, -, 3/16, 44.4
    expect(estimator.estimate(3 / 16)).toBe(-3.6 / 4);
    agrees(estimator.estimate(0.2), 0.1);
    agrees(estimator.estimate(50), 0.025);
    expect(estimator.estimate(1000)).toBe(0);
  });
});

describe("the median of means", () => {
  const naive = (samples: readonly number[], blocks: number) => {
    const length = Math.floor(samples.length / blocks);
    const means = Array.from({ length: blocks }, (_, i) => mean(samples.slice(i * length, (i + 1) * length))).sort((a, b) => a - b);
    return blocks % 2 === 1 ? means[(blocks - 1) / 2]! : (means[blocks / 2 - 1]! + means[blocks / 2]!) / 2;
  };

  test.each(WORLDS)("reference: block sums are the naive definition, for any number of blocks: %s", (_, outliers) => {
    const samples = heavy(1000, 2, outliers);
    const estimator = new MedianOfMeans();
    samples.forEach((x, i) => {
      estimator.add(x);
      const n = i + 1;
      if (n % 17 > 1) return;
      for (const blocks of new Set([1, Math.ceil(n / 2), Math.ceil(n / 13), Math.min(n, 31), n])) {
        agrees(estimator.estimate(blocks), naive(samples.slice(0, n), blocks));
      }
    });
  });

  test("outliers of both signs cancel in a block, and leave no trace on the others", () => {
    const estimator = new MedianOfMeans();
    for (let block = 0; block < 3; block++) for (let i = 0; i < 10; i++) estimator.add(i === 3 ? 1e15 : i === 7 ? -1e15 : 0.1);
    agrees(estimator.estimate(3), 0.08);
    const late = new MedianOfMeans();
    for (let i = 0; i < 30; i++) late.add(i === 0 ? 1e15 : 0.1);
    agrees(late.estimate(3), 0.1); // prefix sums would say 0.125
  });

  test("one block is the mean, as many as samples the median", () => {
    const estimator = new MedianOfMeans();
    for (const x of [5, 1, 100, 2]) estimator.add(x);
    expect(estimator.estimate(1)).toBe(27);
    expect(estimator.estimate(4)).toBe(3.5);
  });
});

describe("Catoni's estimator", () => {
  const psi = (x: number) => Math.sign(x) * Math.log1p(Math.abs(x) + x ** 2 / 2);
  /** By bisection on the definition; `samples` are those of the grid's last point. */
  const naive = (samples: readonly number[], sigma: number, level: number) => {
    const n = samples.length;
    const a = Math.sqrt((2 * level) / (n * (sigma ** 2 + (2 * sigma ** 2 * level) / (n - 2 * level))));
    let [low, high] = [Math.min(...samples), Math.max(...samples)];
    for (let i = 0; i < 200; i++) {
      const m = low / 2 + high / 2;
      if (exactly.rounded(exactly.sum(samples.map((x) => psi(a * (x - m))))) > 0) low = m;
      else high = m;
    }
    return low / 2 + high / 2;
  };

  test.each(WORLDS)("reference: the safeguarded root is the naive definition on the grid: %s", (_, outliers) => {
    const samples = heavy(700, 3, outliers);
    for (const sigma of [0.05, 2, 40]) {
      const estimator = new Catoni(sigma);
      const points: number[] = [];
      samples.forEach((x, i) => {
        estimator.add(x);
        if (![3, 17, 38, 100, 101, 102, 350, 699].includes(i)) return;
        points.push(estimator.samples.used);
        for (const level of [1, 4, 12]) {
          if (estimator.samples.used > 2 * level) agrees(estimator.estimate(level), naive(samples.slice(0, estimator.samples.used), sigma, level));
        }
      });
      expect(points).toEqual([4, 18, 39, 101, 102, 103, 351, 700].map((n) => gridFloor(n)));
    }
  });

  test("samples after the grid's last point do not count before the next", () => {
    const estimator = new Catoni(1);
    for (const x of heavy(41, 4, false)) estimator.add(x);
    expect(estimator.samples.used).toBe(40);
    const before = estimator.estimate(2);
    const fresh = new Catoni(1);
    for (const x of heavy(41, 4, false).slice(0, 40)) fresh.add(x);
    expect(fresh.estimate(2)).toBe(before);
    estimator.add(1e6);
    expect(estimator.samples.used).toBe(42);
    expect(estimator.estimate(2)).not.toBe(before);
  });

  test("property: on hostile samples it is a number between the smallest and the largest", () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 5, maxLength: 40 }), fc.constantFrom(1e-290, 1e-3, 1, 1e290), (samples, sigma) => {
        const estimator = new Catoni(sigma);
        for (const x of samples) estimator.add(x);
        const estimate = estimator.estimate(2);
        expect(estimate).toBeGreaterThanOrEqual(Math.min(...samples));
        expect(estimate).toBeLessThanOrEqual(Math.max(...samples));
      }),
      { numRuns: 300 },
    );
  });
});

test("the safeguarded root finds roots where Newton's method runs away, in few steps even on a bracket of all doubles", () => {
  for (const root of [0.5, -3e7, 1e-9, 1e200]) {
    for (const steep of [1e-3, 1, 1e6]) {
      const f = {
        value: 0,
        slope: 0,
        size: 0,
        steps: 0,
        at(x: number) {
          const z = steep * (x - root);
          this.value = -Math.atan(z);
          this.slope = -steep / (1 + z ** 2);
          this.size = Math.abs(this.value);
          this.steps++;
        },
      };
      const found = safeguardedRoot(f, -1e300, 1e300, 12345);
      expect(Math.abs(found - root)).toBeLessThanOrEqual(1e-15 * Math.abs(root));
      expect(f.steps).toBeLessThan(150);
    }
  }
});

describe("the p-robust estimator", () => {
  test("reference: b_p is 1/2 at 2, 3^(-3/4) at 1.5, towards 1 at 1, and the printed form gives the same", () => {
    expect(pRobustConstant(2)).toBe(0.5);
    expect(pRobustConstant(1.5)).toBeCloseTo(3 ** -0.75, 14);
    expect(pRobustConstant(1.000001)).toBeGreaterThan(0.9999);
    for (const p of [1.01, 1.2, 1.5, 1.7, 1.99]) {
      const r = (2 - p) / (p - 1);
      expect(pRobustConstant(p)).toBeCloseTo((2 * r ** (1 - 2 / p) + r ** (2 - 2 / p)) ** (-p / 2), 12);
    }
  });

  test("property: exp psi(x) <= 1 + x + b|x|^p and exp(-psi(x)) <= 1 - x + b|x|^p, and no smaller b will do", () => {
    const slack = (p: number, b: number, x: number) => (1 - x + b * x ** p) * (1 + x + b * x ** p) - 1; // x > 0, where psi = ln(1 + x + b x^p)
    fc.assert(
      fc.property(fc.double({ min: 1.01, max: 2, noNaN: true }), fc.double({ min: -12, max: 12, noNaN: true }), (p, exponent) => {
        expect(slack(p, pRobustConstant(p), Math.exp(exponent))).toBeGreaterThanOrEqual(-1e-13 * Math.exp(2 * Math.max(exponent, 0)));
      }),
      { numRuns: 2000 },
    );
    for (const p of [1.05, 1.3, 1.6, 1.9]) {
      const least = Math.min(...Array.from({ length: 4000 }, (_, i) => slack(p, 0.999 * pRobustConstant(p), Math.exp(-8 + i / 250))));
      expect(least).toBeLessThan(0);
    }
  });

  test.each(WORLDS)("reference: it is the naive definition on the grid: %s", (_, outliers) => {
    for (const [alpha, c] of [
      [1.1, 0.1],
      [1.5, 1],
      [2, 20],
    ] as const) {
      const b = pRobustConstant(alpha);
      const psi = (x: number) => Math.sign(x) * Math.log1p(b * Math.abs(x) ** alpha + Math.abs(x));
      const estimator = new PRobustMean(alpha, c);
      const samples = heavy(2000, 5, outliers);
      samples.forEach((x, i) => {
        estimator.add(x);
        if (i % 10 > 0) return;
        const n = gridFloor(i + 1);
        expect(estimator.samples.used).toBe(n);
        const terms = samples.slice(0, n).map((y) => psi(y / (c * n ** (1 / alpha))));
        agrees(estimator.estimate, (c / n ** (1 - 1 / alpha)) * exactly.rounded(exactly.sum(terms)));
      });
    }
  });

  test("reference: far beyond the scale it is ln(x + b x^p), without overflow, and odd", () => {
    for (const [alpha, c, sample] of [
      [1.01, 1e-200, 3],
      [1.5, 1e-290, 1e300],
      [2, 1, 1e300],
    ] as const) {
      const logarithm = Math.log(sample) - Math.log(c);
      const far = alpha * logarithm + Math.log(pRobustConstant(alpha) + Math.exp((1 - alpha) * logarithm));
      for (const sign of [1, -1]) {
        const estimator = new PRobustMean(alpha, c);
        estimator.add(sign * sample);
        expect(estimator.estimate / (sign * c * far)).toBeCloseTo(1, 12);
      }
    }
  });
});

describe("AdaR-UCB's estimators", () => {
  const saturated = (samples: readonly number[], M: number) => samples.reduce((sum, x) => sum + Math.min((x / M) ** 2, 1), 0);

  test.each(WORLDS)("reference: the root solves its equation to 1e-12 at a moving level: %s", (_, outliers) => {
    const samples = heavy(3000, 6, outliers).map((x, i) => (i % 11 === 0 ? 0 : x));
    const estimator = new SaturationRoot();
    let asked = 0;
    samples.forEach((x, i) => {
      estimator.add(x);
      // Up and down: the level of a clock that runs, with jumps.
      const a = 5.83 * 3 * Math.log(2 + (i % 5 === 0 ? i : 1000 - (i % 1000)));
      expect(estimator.nonzero).toBe(samples.slice(0, i + 1).filter((y) => y !== 0).length);
      if (!(estimator.nonzero > a)) return;
      asked++;
      const M = estimator.root(a);
      expect(Math.abs(saturated(samples.slice(0, i + 1), M) - a)).toBeLessThanOrEqual(1e-12 * a);
    });
    expect(asked).toBeGreaterThan(2500);
  });

  test("property: also with ties, and for any level below the number of samples that are not zero", () => {
    const sample = fc.constantFrom(0, 1, -1, 2, 1e15, -1e15, 1e-100, 1e140);
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 40 }),
        fc.array(fc.double({ min: 1e-6, max: 0.999999, noNaN: true }), { maxLength: 5 }),
        (samples, shares) => {
          const estimator = new SaturationRoot();
          for (const x of samples) estimator.add(x);
          for (const share of shares) {
            const a = share * estimator.nonzero;
            if (a > 0) expect(Math.abs(saturated(samples, estimator.root(a)) - a)).toBeLessThanOrEqual(1e-12 * a);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each(WORLDS)("reference: trimmed mean and variance are the naive definition at a threshold that moves both ways: %s", (_, outliers) => {
    // Far from zero, where a difference of sums of squares would lose its digits.
    const samples = heavy(1000, 7, outliers).map((x) => x + 1e4);
    const estimator = new TrimmedMoments();
    samples.forEach((x, i) => {
      estimator.add(x);
      if (i === 0 || i % 5 > 0) return;
      const M = i % 3 === 0 ? 2e15 : 1e4 + (i % 40);
      estimator.trim(M);
      const kept = samples.slice(0, i + 1).map((y) => (Math.abs(y) <= M ? y : 0));
      const m = mean(kept);
      expect(Math.abs(estimator.mean - m)).toBeLessThanOrEqual(1e-12 * Math.abs(m));
      const variance = exactly.quotient(exactly.total(kept.map((y) => exactly.squareOfDifference(y, m))), i);
      expect(Math.abs(estimator.variance - variance)).toBeLessThanOrEqual(1e-12 * variance);
    });
  });

  test("a sample at the very threshold is kept, from either side", () => {
    const estimator = new TrimmedMoments();
    for (const x of [1, -2, 5]) estimator.add(x);
    for (const [threshold, mean] of [
      [2, -1 / 3],
      [5, 4 / 3],
      [1, 1 / 3],
      [2, -1 / 3],
    ] as const) {
      estimator.trim(threshold);
      expect(estimator.mean).toBe(mean);
    }
  });
});

test("property: an estimator that is told the same losses again gives the same bits, whatever was asked in between", () => {
  const ask: [() => Estimator, (estimator: never, n: number) => number][] = [
    [() => new TruncatedMean(1.5, 1), (e: TruncatedMean, n) => e.estimate(2 * Math.log(n + 2))],
    [() => new MedianOfMeans(), (e: MedianOfMeans, n) => e.estimate(Math.ceil(n / 3))],
    [() => new Catoni(1), (e: Catoni, n) => (n > 8 ? e.estimate(1 + Math.floor(Math.log2(n)) / 4) : 0)],
    [() => new PRobustMean(1.5, 1), (e: PRobustMean) => e.estimate],
    [() => new SaturationRoot(), (e: SaturationRoot, n) => (e.nonzero > Math.log(n + 1) ? e.root(Math.log(n + 1)) : 0)],
    [
      () => new TrimmedMoments(),
      (e: TrimmedMoments, n) => {
        e.trim(5 + (n % 7));
        return n < 2 ? 0 : e.mean - e.variance;
      },
    ],
  ];
  for (const [create, read] of ask) {
    const watched = create();
    const samples = heavy(300, 8, true);
    let last = 0;
    samples.forEach((x, i) => {
      watched.add(x);
      last = read(watched as never, i + 1);
    });
    const again = create();
    for (const x of watched.samples.first(watched.samples.size)) again.add(x);
    expect(read(again as never, 300)).toBe(last);
    expect(Array.from(again.samples.first(again.samples.size))).toEqual(samples);
  }
});

/** The largest grid point up to n. */
function gridFloor(n: number): number {
  let point = 1;
  for (let next = 1; next <= n; next = Math.max(next + 1, Math.floor(1.05 * next))) point = next;
  return point;
}

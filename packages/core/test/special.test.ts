import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { erf, erfc } from "../src/special/errorFunction.js";
import { incompleteBeta } from "../src/special/incompleteBeta.js";
import { lowerGammaRatio, upperGamma, upperGammaRatio } from "../src/special/incompleteGamma.js";
import { logGamma, logGammaOnePlus } from "../src/special/logGamma.js";
import { normalProbability } from "../src/special/normalProbability.js";
import { normalQuantile } from "../src/special/normalQuantile.js";
import { integrateHalfLine, integrateInterval } from "../src/special/quadrature.js";
import { doubleOf, nextUp, rankOf } from "../src/special/rank.js";
import fixture from "./fixtures/special.json" with { type: "json" };

/** fast-check takes its seed from the clock otherwise. */
const RUNS = { seed: 20, numRuns: 1000 };

function relativeError(got: number, want: number): number {
  return want === 0 ? Math.abs(got) : Math.abs(got / want - 1);
}

describe("reference: special functions against mpmath at 40 digits (fixtures/special.py)", () => {
  const functions: Record<keyof typeof fixture, [(a: number, b: number, c: number) => number, number]> = {
    logGamma: [(x) => logGamma(x), 1e-15],
    lowerGammaRatio: [(a, x) => lowerGammaRatio(a, x), 1e-13],
    upperGammaRatio: [(a, x) => upperGammaRatio(a, x), 1e-13],
    upperGamma: [(a, x) => upperGamma(a, x), 1e-13],
    erf: [(x) => erf(x), 1e-14],
    erfc: [(x) => erfc(x), 1e-13],
    normalQuantile: [(p) => normalQuantile(p), 1e-14],
    incompleteBeta: [(x, a, b) => incompleteBeta(x, 1 - x, a, b), 3e-13],
  };
  for (const [name, [f, tolerance]] of Object.entries(functions)) {
    test(`${name} within ${tolerance} relatively`, () => {
      const table = fixture[name as keyof typeof fixture];
      expect(table.length).toBeGreaterThan(9);
      for (const row of table) {
        const [a, b, c] = row as [number, number, number];
        const want = row.at(-1)!;
        expect(relativeError(f(a, b, c), want), `${name}(${row.slice(0, -1)}) is ${want}`).toBeLessThanOrEqual(tolerance);
      }
    });
  }
});

describe("reference: ends and closed forms", () => {
  test("arguments at the ends", () => {
    expect([lowerGammaRatio(2, 0), lowerGammaRatio(2, Infinity), upperGammaRatio(2, 0), upperGammaRatio(2, Infinity)]).toEqual([0, 1, 1, 0]);
    expect([upperGamma(-1, Infinity), erf(Infinity), erfc(-Infinity), erfc(Infinity)]).toEqual([0, 1, 2, 0]);
    expect([incompleteBeta(0, 1, 2, 3), incompleteBeta(1, 0, 2, 3)]).toEqual([0, 1]);
    expect(normalProbability(-Infinity, Infinity)).toBe(1);
    expect(normalQuantile(0.5)).toBeCloseTo(0, 300);
  });

  test("normalProbability keeps the digits of an interval far out, on either side", () => {
    // P(10 <= Z <= 10.5) by mpmath: as a difference of two distribution functions it would be 0.
    expect(relativeError(normalProbability(10, 10.5), 7.576662960982433e-24)).toBeLessThan(1e-13);
    expect(relativeError(normalProbability(-10.5, -10), 7.576662960982433e-24)).toBeLessThan(1e-13);
  });

  test("upperGamma of an order far below 0, and at x = 0", () => {
    // Gamma(-999.5, 1) and Gamma(-99, 0.01) by mpmath.
    expect(relativeError(upperGamma(-999.5, 1), 0.0003676952256801742)).toBeLessThan(1e-13);
    expect(relativeError(upperGamma(-99, 0.01), 9.999483016867078e195)).toBeLessThan(1e-13);
    expect(upperGamma(-1e5, 1)).toBeGreaterThan(0);
    expect([upperGamma(-0.5, 0), upperGamma(0, 0), upperGamma(1, 0)]).toEqual([Infinity, Infinity, 1]);
  });

  test("logGammaOnePlus keeps the digits of a tiny argument", () => {
    expect(relativeError(logGammaOnePlus(1e-30), -0.5772156649015329e-30)).toBeLessThan(1e-15);
    expect(logGammaOnePlus(3)).toBe(logGamma(4));
  });
});

describe("reference: quadrature against closed forms", () => {
  const cases: [string, number, number][] = [
    ["e^x on (0, 2)", integrateInterval((x) => Math.exp(x), 2), Math.expm1(2)],
    ["x^-0.9 on (0, 2)", integrateInterval((x) => x ** -0.9, 2), 10 * 2 ** 0.1],
    ["(2 - x)^-0.95 on (0, 2)", integrateInterval((_, toHigh) => toHigh ** -0.95, 2), 20 * 2 ** 0.05],
    ["sqrt(x (1 - x)) on (0, 1)", integrateInterval((x, toHigh) => Math.sqrt(x * toHigh), 1), Math.PI / 8],
    [
      "a peak of width 0.006 inside, where coarse nodes see nothing but 0",
      integrateInterval((x) => Math.exp(-(((x - 0.33) / 0.006) ** 2)), 1),
      0.006 * Math.sqrt(Math.PI),
    ],
    ["a peak of width 1e-6 at one end", integrateInterval((x) => Math.exp(-1e6 * x), 2), 1e-6],
    [
      "1 / (1 + x) / x^0.01 on (0, inf)",
      integrateHalfLine((y) => (y > 0 ? Math.exp(-0.01 * y) / (1 + Math.exp(-y)) : Math.exp(0.99 * y) / (1 + Math.exp(y)))),
      Math.PI / Math.sin(Math.PI * 0.01),
    ],
    [
      "a peak so far out that the terms before it are nothing beside the sum",
      integrateHalfLine((y) => Math.exp(-0.5 * ((y - 625) / 25) ** 2) / (25 * Math.sqrt(2 * Math.PI))),
      1,
    ],
    ["e^-x on (0, inf)", integrateHalfLine((y) => (y < 700 ? Math.exp(y - Math.exp(y)) : 0)), 1],
  ];
  for (const [name, value, want] of cases) {
    test(name, () => {
      expect(relativeError(value, want)).toBeLessThan(1e-13);
    });
  }

  test("an integrand that never settles ends all the same", () => {
    expect(Math.abs(integrateInterval((x) => (Math.sin(1e7 * x) > 0 ? 1 : 0), 1) - 0.5)).toBeLessThan(0.1);
  });

  test("an empty interval", () => {
    expect(integrateInterval(() => 1, 0)).toBe(0);
  });
});

describe("property", () => {
  test("the recurrence Gamma(x + 1) = x Gamma(x)", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 500, noNaN: true }), (x) => {
        const [a, b] = [logGamma(x + 1), logGamma(x) + Math.log(x)];
        return Math.abs(a - b) <= 4e-15 + 2e-15 * Math.abs(b);
      }),
      RUNS,
    );
  });

  test("ratios of the incomplete gamma function sum to 1 and rise", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 40, noNaN: true }), fc.double({ min: 1e-6, max: 80, noNaN: true }), (a, x) => {
        const p = lowerGammaRatio(a, x);
        return Math.abs(p + upperGammaRatio(a, x) - 1) < 1e-14 && lowerGammaRatio(a, 1.1 * x) >= p - 1e-15;
      }),
      RUNS,
    );
  });

  test("incompleteBeta is mirrored by 1 - x", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1, maxExcluded: true, noNaN: true }),
        fc.double({ min: 0.05, max: 30, noNaN: true }),
        fc.double({ min: 0.05, max: 30, noNaN: true }),
        (x, a, b) => Math.abs(incompleteBeta(x, 1 - x, a, b) + incompleteBeta(1 - x, x, b, a) - 1) < 1e-13,
      ),
      RUNS,
    );
  });

  test("normalQuantile inverts the tail", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 0.5, noNaN: true }), (p) => relativeError(0.5 * erfc(-normalQuantile(p) / Math.SQRT2), p) < 1e-12),
      RUNS,
    );
  });

  test("ranks order the doubles, and nextUp is the next one", () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (x, y) => {
        const ordered = x < y === rankOf(x) < rankOf(y);
        const up = nextUp(x);
        return ordered && doubleOf(rankOf(x)) === x && up > x && rankOf(up) === rankOf(x) + 1n;
      }),
      RUNS,
    );
    expect(nextUp(0)).toBe(Number.MIN_VALUE);
    expect(nextUp(-Number.MIN_VALUE)).toBe(0);
    expect(nextUp(1)).toBe(1 + Number.EPSILON);
    expect(nextUp(Infinity)).toBe(Infinity);
  });
});

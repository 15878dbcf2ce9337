import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDistribution } from "../src/distributions/createDistribution.js";
import type { DetailedDistribution } from "../src/distributions/distribution.js";
import { DISTRIBUTIONS } from "../src/distributions/table.js";
import type { Parameter } from "../src/parameters.js";
import { stream } from "../src/random/stream.js";

// The whole declared ranges: whatever the table accepts must answer every question with a number.

/** Numbers of a range: its ends, and in between evenly in the number or in its logarithm, with both signs where both are allowed. */
function numbers(low: number, high: number): fc.Arbitrary<number> {
  const clip = (x: number) => Math.min(high, Math.max(low, x));
  const size = Math.max(Math.abs(low), Math.abs(high));
  const ordinary = fc.double({ min: clip(-10), max: clip(10), noNaN: true });
  const any = fc.tuple(fc.double({ min: Math.log(Math.max(low, 1e-300)), max: Math.log(size), noNaN: true }), fc.boolean());
  return fc.oneof(
    fc.constantFrom(low, high),
    ordinary,
    any.map(([exponent, negative]) => clip(negative && low < 0 ? -Math.exp(exponent) : Math.exp(exponent))),
  );
}

/** The smallest number above an exclusive bound. */
const nextAbove = (x: number) => x * (1 + Number.EPSILON) || Number.MIN_VALUE;

function anyOf(parameter: Parameter, depth: number): fc.Arbitrary<unknown> {
  switch (parameter.type) {
    case "number":
      return numbers(parameter.atLeast ?? nextAbove(parameter.above!), parameter.atMost!);
    case "distribution":
      return spec(depth - 1);
    default:
      throw new Error(parameter.type);
  }
}

function spec(depth: number): fc.Arbitrary<object> {
  // Stable distributions are slow; the next test has them.
  const names = Object.keys(DISTRIBUTIONS).filter((name) => name !== "mixture" && name !== "stable");
  const within = names.filter((name) => depth > 0 || !("of" in DISTRIBUTIONS[name]!.parameters));
  const single = fc.constantFrom(...within).chain((distribution) => named(distribution, depth));
  const pair = fc.tuple(single, single, fc.double({ min: 0.01, max: 0.99, noNaN: true }));
  return depth > 0
    ? fc.oneof(
        { weight: 5, arbitrary: single },
        { weight: 1, arbitrary: pair.map(([a, b, w]) => ({ distribution: "mixture", weights: [w, 1 - w], of: [a, b] })) },
      )
    : single;
}

function named(distribution: string, depth: number): fc.Arbitrary<object> {
  const values = Object.entries(DISTRIBUTIONS[distribution]!.parameters).map(([key, parameter]) => [key, anyOf(parameter, depth)] as const);
  return fc.record({ distribution: fc.constant(distribution), ...Object.fromEntries(values) });
}

/** Undefined for what the factories refuse beyond their tables: a uniform distribution with low >= high, a signed distribution of negative sizes. */
function distributionOf(given: object): DetailedDistribution | undefined {
  try {
    return createDistribution(given);
  } catch {
    return undefined;
  }
}

function check(given: object, places: readonly number[], orders: readonly number[]): boolean {
  const distribution = distributionOf(given);
  if (distribution === undefined) return false;
  const say = (what: string) => `${what} of ${JSON.stringify(given)}`;
  const isNumber = (value: number, what: string) => expect(Number.isNaN(value), say(what)).toBe(false);
  isNumber(distribution.mean, "mean");
  expect(distribution.variance, say("variance")).toBeGreaterThanOrEqual(0);
  for (const order of orders) {
    expect(distribution.absoluteMoment(order), say(`E|X|^${order}`)).toBeGreaterThanOrEqual(0);
    for (const centre of [distribution.mean, ...places]) {
      if (Number.isFinite(centre))
        expect(distribution.momentAbout(centre, order), say(`E|X - ${centre}|^${order}`)).toBeGreaterThanOrEqual(-1e-9 * Math.abs(centre));
    }
  }
  for (const x of [distribution.mean, distribution.low, distribution.high, ...distribution.atoms, ...places]) {
    const [cdf, survival] = [distribution.cdf(x), distribution.survival(x)];
    expect(cdf >= 0 && cdf <= 1 && survival >= 0 && survival <= 1, `${say(`probabilities at ${x}`)}: ${cdf}, ${survival}`).toBe(true);
    isNumber(distribution.truncatedMean(Math.abs(x)), `E[X 1{|X| <= ${Math.abs(x)}}]`);
    for (const y of [...places, Infinity]) isNumber(distribution.partialMean(x, y), `E[X 1{${x} <= X <= ${y}}]`);
    isNumber(distribution.partialMean(-Infinity, x), `E[X 1{X <= ${x}}]`);
  }
  for (const p of [1e-9, 0.5, 1 - 1e-9]) isNumber(distribution.quantile(p), `the quantile ${p}`);
  const rng = stream(1, "range");
  for (let i = 0; i < 5; i++) expect(Number.isFinite(distribution.sample(rng)), say("a sample")).toBe(true);
  return true;
}

const place = numbers(-1e300, 1e300);
const order = fc.oneof(fc.constantFrom(1, 1.5, 2), fc.double({ min: 0.05, max: 20, noNaN: true }));

describe("property: nothing that an accepted spec answers is NaN, and probabilities are in [0, 1]", () => {
  const distributions = Object.keys(DISTRIBUTIONS).filter((name) => !["stable", "mixture"].includes(name));
  test.each(distributions)("%s", (name) => {
    let made = 0;
    fc.assert(
      fc.property(named(name, 1), place, order, (given, x, a) => {
        if (check(given, [x], [a])) made++;
      }),
      { seed: 23, numRuns: 60 },
    );
    expect(made).toBeGreaterThan(15);
  });

  test("distributions of distributions of distributions", () => {
    let made = 0;
    fc.assert(
      fc.property(spec(3), place, (given, x) => {
        if (check(given, [x], [1.5])) made++;
      }),
      { seed: 24, numRuns: 150 },
    );
    expect(made).toBeGreaterThan(80);
  });

  test("stable", () => {
    for (const [index, skew, scale] of [
      [1.05, 1, 1e-100],
      [1.05, -0.5, 1],
      [1.5, 0, 1e100],
      [1.999, -1, 1],
      [2, 1, 1],
    ]) {
      check({ distribution: "stable", index, skew, scale }, [1e-300, -1e300], [0.5]);
    }
  }, 20_000);
});

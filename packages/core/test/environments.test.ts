// The conformance suite: every environment of the table passes it for being registered. What is particular to one is in environments.each.test.ts.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Distribution } from "../src/distributions/distribution.js";
import { pareto } from "../src/distributions/pareto.js";
import { corrupted } from "../src/environments/corrupted.js";
import { createEnvironment } from "../src/environments/createEnvironment.js";
import type { Environment } from "../src/environments/environment.js";
import { stochastic } from "../src/environments/stochastic.js";
import { ENVIRONMENTS } from "../src/environments/table.js";
import { TsallisError } from "../src/errors.js";
import { stream } from "../src/random/stream.js";

const paretoSpec = (shape: number, scale: number) => ({ distribution: "pareto", shape, scale });
const signedSpec = (p: number) => ({ distribution: "signed", p, of: { distribution: "lomax", shape: 1.7, scale: 2 } });
const bernoulliSpec = (p: number) => ({ distribution: "bernoulli", p });

const recorded = Array.from({ length: 3000 }, (_, t) => [((t * 37) % 101) / 10 - 2, ((t * 53 + 20) % 97) / 7, (t * 11) % 7]);

/** At least one spec per environment; together they have positive and signed distributions, atoms and densities, ties, one arm and many. */
const EXAMPLES: readonly { environment: string; alpha: number; [parameter: string]: unknown }[] = [
  { environment: "stochastic", alpha: 1.5, arms: [paretoSpec(1.7, 1), signedSpec(0.9), paretoSpec(1.7, 1.2), signedSpec(0.6)] },
  { environment: "stochastic", alpha: 1.2, arms: [paretoSpec(1.3, 1)] },
  {
    environment: "stochastically-constrained",
    alpha: 2,
    arms: [bernoulliSpec(0.125), bernoulliSpec(0), bernoulliSpec(0.125)],
    alternate: [bernoulliSpec(1), bernoulliSpec(0.875), bernoulliSpec(1)],
  },
  {
    environment: "stochastically-constrained",
    alpha: 1.5,
    growth: 1.1,
    arms: [signedSpec(0.7), signedSpec(0.8), signedSpec(0.7)],
    alternate: [paretoSpec(1.6, 1), paretoSpec(1.6, 2), paretoSpec(1.6, 1.5)],
  },
  {
    environment: "switching",
    alpha: 1.5,
    arms: [paretoSpec(1.7, 1), signedSpec(0.8), paretoSpec(1.8, 2)],
    alternate: [signedSpec(0.9), paretoSpec(1.7, 1), { distribution: "thinned", q: 0.3, of: paretoSpec(2, 4) }],
    period: 7,
  },
  {
    environment: "drifting",
    alpha: 1.5,
    arms: [paretoSpec(1.7, 1), signedSpec(0.8), bernoulliSpec(0.3)],
    alternate: [signedSpec(0.55), paretoSpec(1.7, 1), bernoulliSpec(0.9)],
    rounds: 1000,
  },
  {
    environment: "corrupted",
    alpha: 1.5,
    arms: [paretoSpec(1.7, 1.2), paretoSpec(1.7, 3), paretoSpec(1.7, 1), signedSpec(0.99)],
    budget: 900,
    start: 300,
  },
  { environment: "corrupted", alpha: 1.5, arms: [paretoSpec(1.7, 1), paretoSpec(1.7, 2)], budget: 0 },
  { environment: "waves", alpha: 1.5, arms: [paretoSpec(1.7, 1), signedSpec(0.8), bernoulliSpec(0.3)], amplitude: 4, period: 704 },
  { environment: "scale-bomb", alpha: 1.5, arms: [signedSpec(0.6), signedSpec(0.9), paretoSpec(1.7, 1)], from: 500, until: 1499, factor: 100 },
  { environment: "changing-tail", alpha: 1.5, means: [1, 1.5, 2], shapes: [1.6, 2.5, 1.9], period: 10 },
  { environment: "lower-bound", alpha: 1.5, arms: 5, gap: 0.25 },
  { environment: "minimax", alpha: 1.5, arms: 3, sigma: 10, horizon: 1000 },
  { environment: "truncation-violated", alpha: 1.5, arms: 3, shape: 1.6, scale: 1, gap: 0.5 },
  { environment: "replay", alpha: 1.5, losses: recorded },
];

const ROUNDS = 3000;
const labelOf = (spec: { environment: string }, i: number) => `${spec.environment} (example ${i})`;
const examples = EXAMPLES.map((spec, i) => [labelOf(spec, i), spec] as const);

function* cells(environment: Environment, rounds: number, step = 1): Generator<[round: number, arm: number]> {
  for (let round = 1; round <= rounds; round += step) for (let arm = 0; arm < environment.arms; arm++) yield [round, arm];
}

function tableOf(environment: Environment, rounds: number): number[] {
  return Array.from(cells(environment, rounds), ([round, arm]) => environment.loss(round, arm));
}

function thrownBy(action: () => unknown): TsallisError {
  try {
    action();
  } catch (error) {
    if (error instanceof TsallisError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The objects inside a value that are not frozen. */
function thawed(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return [...(Object.isFrozen(value) ? [] : [value]), ...Object.values(value).flatMap(thawed)];
}

/** A distribution's value as a uniform number: P(X < x) + v P(X = x) with v uniform is uniform on [0, 1] for every distribution, atoms or not. */
function uniformised(distribution: Distribution, x: number, v: number): number {
  const below = 1 - distribution.survival(x);
  return below + v * (distribution.cdf(x) - below);
}

/** sqrt(n) times the largest distance between the empirical and the uniform distribution function. */
function kolmogorov(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  return Math.sqrt(n) * sorted.reduce((most, u, i) => Math.max(most, u - i / n, (i + 1) / n - u), 0);
}

test.each(Object.keys(ENVIRONMENTS))("%s has an example", (name) => {
  expect(
    EXAMPLES.map(({ environment }) => environment),
    `packages/core/test/environments.test.ts: add an example of ${name} to EXAMPLES`,
  ).toContain(name);
});

describe.each(examples)("%s", (_, spec) => {
  const environment = createEnvironment(spec, 7);
  const table = tableOf(environment, 200);

  test("says what it is", () => {
    expect(environment.spec.environment).toBe(spec.environment);
    expect(environment.alpha).toBe(spec.alpha);
    expect(ENVIRONMENTS[spec.environment]!.description).not.toBe("");
  });

  test("property: a loss depends on round and arm alone, whatever was asked before", () => {
    const cell = fc.record({ round: fc.integer({ min: 1, max: 200 }), arm: fc.integer({ min: 0, max: environment.arms - 1 }) });
    const questions = fc.array(fc.record({ of: cell, kind: fc.constantFrom("loss", "mean", "gap", "distribution", "sigma") }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(questions, (asked) => {
        const fresh = createEnvironment(spec, 7);
        for (const {
          of: { round, arm },
          kind,
        } of asked) {
          if (kind === "loss") expect(fresh.loss(round, arm)).toBe(table[(round - 1) * fresh.arms + arm]);
          else if (kind === "sigma") fresh.sigma();
          else if (kind === "distribution") fresh.distribution(round, arm)!.sample(stream(round, "other"));
          else fresh[kind as "mean" | "gap"](round, arm);
        }
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  test("a distant round changes nothing before it", () => {
    const twin = createEnvironment(spec, 7);
    if (spec.environment !== "replay") {
      twin.loss(1_000_000, 0);
      expect(Number.isFinite(twin.loss(2 ** 40 + 1, 0))).toBe(true);
    } else twin.loss(ROUNDS, 0); // a recorded table ends
    expect(tableOf(twin, 200)).toEqual(table);
  });

  test("the same seed gives the same table; another seed another", () => {
    expect(tableOf(createEnvironment(spec, 7), 200)).toEqual(table);
    const other = tableOf(createEnvironment(spec, 8), 200);
    // Replay has no randomness: the table is the spec.
    if (spec.environment === "replay") expect(other).toEqual(table);
    else expect(other).not.toEqual(table);
  });

  test("the spec is complete, frozen and JSON, and makes the same table again", () => {
    expect(Object.keys(environment.spec)).toEqual(["environment", ...Object.keys(ENVIRONMENTS[spec.environment]!.parameters)]);
    expect(environment.spec).toMatchObject(spec);
    const text = JSON.stringify(environment.spec);
    expect(JSON.parse(text)).toEqual(environment.spec);
    expect(thawed(environment.spec)).toEqual([]);
    const again = createEnvironment(JSON.parse(text), 7);
    expect(again.spec).toEqual(environment.spec);
    expect(tableOf(again, 200)).toEqual(table);
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "1" as never, undefined as never])("round %s is refused", (round) => {
    for (const ask of ["loss", "mean", "gap", "distribution"] as const) {
      expect(thrownBy(() => environment[ask](round, 0))).toMatchObject({ code: "ERR_ROUND", parameter: "round", value: round });
    }
  });

  test.each([-1, 0.5, Number.NaN, environment.arms, 2 ** 32, "0" as never, undefined as never])("arm %s is refused", (arm) => {
    for (const ask of ["loss", "mean", "gap", "distribution"] as const) {
      expect(thrownBy(() => environment[ask](1, arm))).toMatchObject({ code: "ERR_ARM", parameter: "arm", value: arm });
    }
  });

  test.each([1, 0.5, 2.1, Number.NaN, "2" as never])("sigma of alpha %s is refused", (alpha) => {
    expect(thrownBy(() => environment.sigma(alpha))).toMatchObject({ code: "ERR_PARAMETER", parameter: "alpha" });
  });

  test.each([-1, 0.5, Number.NaN, "7" as never])("seed %s is refused", (seed) => {
    expect(thrownBy(() => createEnvironment(spec, seed))).toMatchObject({ code: "ERR_PARAMETER", parameter: "seed" });
  });

  test("mean is the distribution's, and gaps are to the smallest mean of the round", () => {
    const wrong: [round: number, arm: number][] = [];
    for (let round = 1; round <= ROUNDS; round += 3) {
      const means = Array.from({ length: environment.arms }, (_, arm) => environment.mean(round, arm));
      const least = Math.min(...means);
      for (const [arm, mean] of means.entries()) {
        const distribution = environment.distribution(round, arm)!;
        const near = (a: number, b: number) => Math.abs(a - b) <= 1e-14 * (1 + Math.abs(mean));
        if (!(near(mean, distribution.mean) && near(environment.gap(round, arm), mean - least))) wrong.push([round, arm]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("meanSum is the sum of the means so far, in whatever order it is asked", () => {
    const sums = Array.from({ length: environment.arms }, () => 0);
    const at = new Map<number, number[]>();
    for (let round = 1; round <= 2000; round++) {
      for (const arm of sums.keys()) sums[arm]! += environment.mean(round, arm);
      if (round % 137 === 0 || round < 4) at.set(round, [...sums]);
    }
    for (const round of [...at.keys(), ...[...at.keys()].reverse()]) {
      for (const [arm, sum] of at.get(round)!.entries()) {
        expect(Math.abs(environment.meanSum(round, arm) - sum)).toBeLessThanOrEqual(1e-12 * round * environment.sigma());
      }
    }
    expect(() => environment.meanSum(0, 0)).toThrow(TsallisError);
    expect(() => environment.meanSum(1, environment.arms)).toThrow(TsallisError);
  });

  test("the regime is what the means say, and gaps hold in every round", () => {
    const smallest = Array.from({ length: environment.arms }, () => Number.POSITIVE_INFINITY);
    const largest = smallest.map(() => 0);
    let moved = false;
    for (const [round, arm] of cells(environment, ROUNDS)) {
      const gap = environment.gap(round, arm);
      smallest[arm] = Math.min(smallest[arm]!, gap);
      largest[arm] = Math.max(largest[arm]!, gap);
      moved ||= environment.mean(round, arm) !== environment.mean(1, arm);
    }
    // One arm that is best in every round is what makes an environment stochastically constrained.
    expect(environment.gaps).toEqual(largest.includes(0) ? smallest : undefined);
    expect(environment.regime === "adversarial").toBe(!largest.includes(0));
    if (environment.regime === "stochastic") expect(moved).toBe(false);
    if (environment.gaps !== undefined) expect(Object.isFrozen(environment.gaps)).toBe(true);
    expect(environment.assumptions.uniqueBestArm.holds).toBe(environment.gaps?.filter((gap) => gap === 0).length === 1);
  });

  test("sigma bounds every moment, and some distribution attains it", () => {
    for (const alpha of new Set([environment.alpha, 1.1])) {
      const limit = environment.sigma(alpha) ** alpha;
      const moments = new Map<string, number>();
      // A step that meets both ends of every example's stretches, rounds 1 and 1001 of the drift and the top of the waves among them.
      for (const [round, arm] of cells(environment, ROUNDS, spec.environment === "replay" ? 1 : 8)) {
        const distribution = environment.distribution(round, arm)!;
        const key = JSON.stringify(distribution.spec);
        if (!moments.has(key)) moments.set(key, distribution.absoluteMoment(alpha));
      }
      const largest = Math.max(...moments.values());
      expect(Math.abs(largest / limit - 1)).toBeLessThan(1e-12);
    }
    expect(environment.sigma()).toBe(environment.sigma(environment.alpha));
    expect(environment.assumptions.heavyTailed.holds).toBe(true);
  });

  test("assumptions give reasons", () => {
    for (const { reason } of Object.values(environment.assumptions)) expect(reason.length).toBeGreaterThan(10);
  });

  // Three statistics per arm, each bounded at 1e-6: Kolmogorov's by the DKW inequality with Massart's constant, P(sqrt(n) D > x) <= 2 exp(-2 x^2);
  // the products, which lie in [-1/4, 1/4] and have mean 0, by Hoeffding's, P(|mean| > t) <= 2 exp(-8 n t^2), for even and odd rounds apart, which makes
  // the terms of each sum independent. About 200 statistics: the false-alarm rate of the suite is below 2e-4, once, for these seeds.
  test("losses follow their distributions, independent between arms and between rounds", () => {
    const seeded = createEnvironment(spec, 2026);
    const tie = stream(1, "ties");
    const u = Array.from({ length: seeded.arms }, (_, arm) =>
      Array.from({ length: ROUNDS }, (_, t) => uniformised(seeded.distribution(t + 1, arm)!, seeded.loss(t + 1, arm), tie.uniform())),
    );
    const level = Math.log(2e6);
    const product = (a: number, b: number) => (a - 0.5) * (b - 0.5);
    const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const [arm, values] of u.entries()) {
      expect(kolmogorov(values)).toBeLessThan(Math.sqrt(level / 2));
      const next = u[(arm + 1) % u.length]!;
      if (next !== values) expect(Math.abs(meanOf(values.map((value, t) => product(value, next[t]!))))).toBeLessThan(Math.sqrt(level / (8 * ROUNDS)));
      for (const parity of [0, 1]) {
        const pairs = values.slice(1).flatMap((value, t) => (t % 2 === parity ? [product(value, values[t]!)] : []));
        expect(Math.abs(meanOf(pairs))).toBeLessThan(Math.sqrt(level / (8 * pairs.length)));
      }
    }
  });
});

describe("createEnvironment refuses", () => {
  const good = { environment: "stochastic", alpha: 1.5, arms: [paretoSpec(1.7, 1), paretoSpec(1.7, 2)] };
  const two = { arms: good.arms, alternate: good.arms };

  test.each([
    [null, "ERR_PARAMETER", "spec"],
    [[], "ERR_PARAMETER", "spec"],
    [{}, "ERR_MISSING", "environment"],
    [{ environment: "stochastik" }, "ERR_UNKNOWN_NAME", "environment"],
    [{ environment: "toString" }, "ERR_UNKNOWN_NAME", "environment"],
    [{ environment: 3 }, "ERR_UNKNOWN_NAME", "environment"],
    [{ ...good, alpha: undefined }, "ERR_MISSING", "alpha"],
    [{ ...good, alpha: 1 }, "ERR_PARAMETER", "alpha"],
    [{ ...good, alpha: 2.01 }, "ERR_PARAMETER", "alpha"],
    [{ ...good, alpha: Number.NaN }, "ERR_PARAMETER", "alpha"],
    [{ ...good, horizon: 9 }, "ERR_UNKNOWN_KEY", "horizon"],
    [{ ...good, arms: [] }, "ERR_PARAMETER", "arms"],
    [{ ...good, arms: 3 }, "ERR_PARAMETER", "arms"],
    [{ ...good, arms: [good.arms[0], 3] }, "ERR_PARAMETER", "arms[1]"],
    [{ ...good, arms: [good.arms[0], null] }, "ERR_PARAMETER", "arms[1]"],
    [{ ...good, arms: [...good.arms, paretoSpec(Number.NaN, 1)] }, "ERR_PARAMETER", "arms[2].shape"],
    [{ ...good, arms: [{ distribution: "thinned", q: 0.5, of: { distribution: "pareto", shape: 2 } }] }, "ERR_MISSING", "arms[0].of.scale"],
    [{ ...good, arms: [{ distribution: "paretto" }] }, "ERR_UNKNOWN_NAME", "arms[0].distribution"],
    [{ ...good, arms: [...good.arms, paretoSpec(1, 1)] }, "ERR_PARAMETER", "arms[2]"],
    [{ environment: "switching", alpha: 1.5, ...two, period: 0 }, "ERR_PARAMETER", "period"],
    [{ environment: "switching", alpha: 1.5, ...two, period: 2.5 }, "ERR_PARAMETER", "period"],
    [{ environment: "switching", alpha: 1.5, ...two, period: 5, alternate: [paretoSpec(2, 1)] }, "ERR_PARAMETER", "alternate"],
    [{ environment: "switching", alpha: 1.5, ...two, period: 5, alternate: [paretoSpec(2, 1), paretoSpec(0.9, 1)] }, "ERR_PARAMETER", "alternate[1]"],
    [
      { environment: "switching", alpha: 1.5, ...two, period: 5, alternate: [paretoSpec(2, 1), paretoSpec(2, 0)] },
      "ERR_PARAMETER",
      "alternate[1].scale",
    ],
    [{ environment: "drifting", alpha: 1.5, ...two, rounds: 0 }, "ERR_PARAMETER", "rounds"],
    [{ environment: "drifting", alpha: 1.5, ...two, rounds: 9, alternate: [paretoSpec(2, 1)] }, "ERR_PARAMETER", "alternate"],
    [{ environment: "stochastically-constrained", alpha: 1.5, ...two, growth: 1 }, "ERR_PARAMETER", "growth"],
    [{ environment: "stochastically-constrained", alpha: 1.5, ...two, alternate: [paretoSpec(2, 1)] }, "ERR_PARAMETER", "alternate"],
    [{ environment: "stochastically-constrained", alpha: 1.5, ...two, alternate: [...good.arms].reverse() }, "ERR_PARAMETER", "alternate"],
    [{ environment: "corrupted", alpha: 1.5, arms: good.arms, budget: -1 }, "ERR_PARAMETER", "budget"],
    [{ environment: "corrupted", alpha: 1.5, arms: good.arms, budget: 5, start: 0 }, "ERR_PARAMETER", "start"],
    [{ environment: "corrupted", alpha: 1.5, arms: [good.arms[0]], budget: 5 }, "ERR_PARAMETER", "arms"],
    [{ environment: "waves", alpha: 1.5, arms: good.arms, amplitude: -1, period: 10 }, "ERR_PARAMETER", "amplitude"],
    [{ environment: "waves", alpha: 1.5, arms: good.arms, amplitude: 1, period: 0 }, "ERR_PARAMETER", "period"],
    [{ environment: "scale-bomb", alpha: 1.5, arms: good.arms, from: 5, until: 4, factor: 2 }, "ERR_PARAMETER", "until"],
    [{ environment: "scale-bomb", alpha: 1.5, arms: good.arms, from: 5, until: 6, factor: 0 }, "ERR_PARAMETER", "factor"],
    [{ environment: "scale-bomb", alpha: 1.5, arms: good.arms, from: 5, until: 6, factor: 1e308 }, "ERR_PARAMETER", "factor"],
    [{ environment: "changing-tail", alpha: 1.5, means: [1, 0], shapes: [2], period: 5 }, "ERR_PARAMETER", "means"],
    [{ environment: "changing-tail", alpha: 1.5, means: [1, 2], shapes: [2, 1.5], period: 5 }, "ERR_PARAMETER", "shapes[1]"],
    [{ environment: "lower-bound", alpha: 1.5, arms: 1, gap: 0.1 }, "ERR_PARAMETER", "arms"],
    [{ environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.51 }, "ERR_PARAMETER", "gap"],
    [{ environment: "lower-bound", alpha: 1.1, arms: 2, gap: 0.01 }, "ERR_PARAMETER", "gap"],
    [{ environment: "truncation-violated", alpha: 1.5, arms: 2, shape: 1.5, scale: 1, gap: 1 }, "ERR_PARAMETER", "shape"],
    [{ environment: "truncation-violated", alpha: 1.5, arms: 2, shape: 1.6, scale: 1, gap: 0 }, "ERR_PARAMETER", "gap"],
    [{ environment: "replay", alpha: 1.5, losses: [] }, "ERR_PARAMETER", "losses"],
    [{ environment: "replay", alpha: 1.5, losses: [[1, 2], [3]] }, "ERR_PARAMETER", "losses"],
    [{ environment: "replay", alpha: 1.5, losses: [[1, Number.NaN]] }, "ERR_PARAMETER", "losses"],
  ])("%j", (spec, code, parameter) => {
    expect(thrownBy(() => createEnvironment(spec, 7))).toMatchObject({ code, parameter });
    const nested = parameter === "spec" ? "environments[1]" : `environments[1].${parameter}`;
    const error = thrownBy(() => createEnvironment(spec, 7, "environments[1]."));
    expect(error).toMatchObject({ code, parameter: nested });
    expect(error.message).toContain(nested);
  });

  test("the message names the known environments", () => {
    const { message } = thrownBy(() => createEnvironment({ environment: "stochastik" }, 7));
    for (const name of Object.keys(ENVIRONMENTS)) expect(message).toContain(name);
  });
});

test("factories take Distribution objects, and so does createEnvironment", () => {
  const arms = [pareto({ shape: 1.7, scale: 1 }), pareto({ shape: 1.7, scale: 2 })];
  const expected = tableOf(createEnvironment({ environment: "stochastic", alpha: 1.5, arms: [paretoSpec(1.7, 1), paretoSpec(1.7, 2)] }, 7), 50);
  expect(tableOf(stochastic({ alpha: 1.5, arms }, 7), 50)).toEqual(expected);
  expect(tableOf(createEnvironment({ environment: "stochastic", alpha: 1.5, arms: [arms[0], paretoSpec(1.7, 2)] }, 7), 50)).toEqual(expected);
  expect(corrupted({ alpha: 1.5, arms, budget: 3 }, 7).spec).toMatchObject({ arms: [paretoSpec(1.7, 1), paretoSpec(1.7, 2)], budget: 3, start: 1 });
});

test("the caller's arrays stay the caller's", () => {
  const losses = [
    [1, 2],
    [3, 4],
  ];
  const environment = createEnvironment({ environment: "replay", alpha: 2, losses }, 7);
  losses[0]![0] = 99;
  expect(environment.loss(1, 0)).toBe(1);
  expect(environment.spec.losses).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

describe("docs/reference/environments.md", () => {
  const page = readFileSync(new URL("../../../docs/reference/environments.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json!)).filter((value) => "environment" in value);

  test.each(blocks.map((spec) => [JSON.stringify(spec), spec] as const))("%s", (_, spec) => {
    const environment = createEnvironment(spec, 1);
    expect(Number.isFinite(environment.loss(1, environment.arms - 1))).toBe(true);
    expect(environment.assumptions.heavyTailed.holds).toBe(true);
  });
});

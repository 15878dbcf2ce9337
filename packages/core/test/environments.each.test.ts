// What is particular to one environment; environments.test.ts has what is common to all.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDistribution } from "../src/distributions/createDistribution.js";
import { createEnvironment } from "../src/environments/createEnvironment.js";
import type { Environment } from "../src/environments/environment.js";
import { growingPhases } from "../src/environments/growingPhases.js";
import { ENVIRONMENTS } from "../src/environments/table.js";
import { TsallisError } from "../src/errors.js";

const pareto = (shape: number, scale: number) => ({ distribution: "pareto", shape, scale });
const shifted = (by: number, of: object) => ({ distribution: "shifted", by, of });
const constant = (value: number) => ({ distribution: "constant", value });
const bernoulli = (p: number) => ({ distribution: "bernoulli", p });
/** c - Pareto, of mean c - 2. */
const leaning = (c: number) => shifted(c, { distribution: "negated", of: pareto(2, 1) });

const make = (environment: string, options: object, seed = 7) => createEnvironment({ environment, alpha: 1.5, ...options }, seed);
const upTo = (n: number) => Array.from({ length: n }, (_, t) => t + 1);
const meansOf = (environment: Environment, round: number) => Array.from({ length: environment.arms }, (_, arm) => environment.mean(round, arm));

describe("reference: sigmas and means by quadrature (fixtures/environments.py)", () => {
  interface Case {
    spec: { environment: string };
    sigmas: [alpha: number, sigma: number][];
    means: [round: number, ascending: number[]][];
  }
  const cases: Case[] = JSON.parse(readFileSync(new URL("fixtures/environments.json", import.meta.url), "utf8"));

  /** Those that need no reference: their distributions are given, so that their sigma is the largest of what distributions.json has. */
  const given = ["stochastically-constrained", "switching", "corrupted", "replay"];

  test.each(Object.keys(ENVIRONMENTS).filter((name) => !given.includes(name)))("%s is in the fixture", (name) => {
    const remedy = `packages/core/test/fixtures/environments.json: add ${name} to environments.py and run it with --only ${name}, or say in environments.each.test.ts why it needs none`;
    expect(
      cases.map(({ spec }) => spec.environment),
      remedy,
    ).toContain(name);
  });

  test.each(cases.map((each) => [JSON.stringify(each.spec).slice(0, 100), each] as const))("%s", (_, { spec, sigmas, means }) => {
    const environment = createEnvironment(spec, 3);
    for (const [alpha, sigma] of sigmas) expect(Math.abs(environment.sigma(alpha) / sigma - 1)).toBeLessThan(1e-9);
    for (const [round, ascending] of means) {
      const got = meansOf(environment, round).sort((a, b) => a - b);
      for (const [i, mean] of ascending.entries()) expect(Math.abs(got[i]! / mean - 1)).toBeLessThan(1e-13);
    }
  });
});

describe("growingPhases", () => {
  const lengthsOf = (phaseOf: (round: number) => number, rounds: number) => {
    const lengths: number[] = [];
    for (const round of upTo(rounds)) lengths[phaseOf(round)] = (lengths[phaseOf(round)] ?? 0) + 1;
    return lengths;
  };

  test("growth 1.6 gives 1, 2, 4, 7, 12, 20, 32, 52, 84, 135", () => {
    const lengths = [1, 2, 4, 7, 12, 20, 32, 52, 84, 135];
    const rounds = lengths.reduce((a, b) => a + b);
    expect(lengthsOf(growingPhases(1.6), rounds)).toEqual(lengths);
    expect(growingPhases(1.6)(rounds + 1)).toBe(lengths.length);
  });

  test("growth 1.000001 makes each phase one round longer, growth 2 twice as long", () => {
    expect(lengthsOf(growingPhases(1.000001), 55)).toEqual(upTo(10));
    expect(lengthsOf(growingPhases(2), 1023)).toEqual(upTo(10).map((i) => 2 ** (i - 1)));
  });

  test("growths beyond the range of a double still have phases", () => {
    expect([1, 2, 2 ** 53 - 1].map(growingPhases(1e308))).toEqual([0, 1, 1]);
  });

  test("property: the answer does not depend on the order of the questions", () => {
    const rounds = fc.array(fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 2 ** 53 - 1 })), { minLength: 1 });
    fc.assert(
      fc.property(rounds, fc.double({ min: 1.5, max: 10, noNaN: true }), (asked, growth) => {
        const shared = growingPhases(growth);
        for (const round of asked) expect(shared(round)).toBe(growingPhases(growth)(round));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});

describe("stochastically-constrained", () => {
  const gap = 0.125;
  const zimmertSeldin = make("stochastically-constrained", {
    alpha: 2,
    arms: [bernoulli(gap), bernoulli(0), bernoulli(gap)],
    alternate: [bernoulli(1), bernoulli(1 - gap), bernoulli(1)],
  });

  test("the instance of Zimmert and Seldin", () => {
    const low = [gap, 0, gap];
    const high = [1, 1 - gap, 1];
    // The phases end after rounds 1, 3, 7, 14, 26, ...
    const expected = [low, high, high, low, low, low, low, high, high, high, high, high, high, high, low];
    expect(upTo(15).map((round) => meansOf(zimmertSeldin, round))).toEqual(expected);
    expect(zimmertSeldin).toMatchObject({ regime: "stochastically-constrained", gaps: [gap, 0, gap] });
    expect(zimmertSeldin.sigma()).toBe(1);
    expect(Object.values(zimmertSeldin.assumptions).map(({ holds }) => holds)).toEqual([true, true, true]);
  });

  test("the completed spec has the growth", () => {
    expect(zimmertSeldin.spec.growth).toBe(1.6);
  });

  test("gaps are the smaller of the two; an arm that ties in one phase has none", () => {
    const options = { arms: [constant(1), constant(2), constant(3)], alternate: [constant(5), constant(9), constant(5)] };
    const environment = make("stochastically-constrained", options);
    expect(environment.gaps).toEqual([0, 1, 0]);
    expect(environment.assumptions.uniqueBestArm.holds).toBe(false);
  });
});

test("switching: the switches are exact", () => {
  const environment = make("switching", { arms: [constant(1), constant(2)], alternate: [constant(4), constant(3)], period: 3 });
  expect(upTo(13).map((round) => environment.loss(round, 0))).toEqual([1, 1, 1, 4, 4, 4, 1, 1, 1, 4, 4, 4, 1]);
  expect(upTo(13).map((round) => environment.gap(round, 1))).toEqual([1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1]);
  expect(environment).toMatchObject({ regime: "adversarial", gaps: undefined });
  expect(environment.sigma()).toBeCloseTo(4, 12);
  const same = make("switching", { arms: [constant(1), constant(2)], alternate: [constant(3), constant(7)], period: 3 });
  expect(same).toMatchObject({ regime: "stochastically-constrained", gaps: [0, 1] });
});

describe("drifting", () => {
  const environment = make("drifting", { arms: [constant(1), constant(2)], alternate: [constant(5), constant(0)], rounds: 4 });

  test("means move linearly and then stay", () => {
    expect([1, 2, 3, 4, 5, 6, 1000].map((round) => environment.mean(round, 0))).toEqual([1, 2, 3, 4, 5, 5, 5]);
    expect([1, 2, 3, 4, 5, 6, 1000].map((round) => environment.mean(round, 1))).toEqual([2, 1.5, 1, 0.5, 0, 0, 0]);
    expect(environment.regime).toBe("adversarial");
  });

  test("the distributions are mixtures, and at the ends the given ones", () => {
    expect(environment.distribution(1, 0)!.spec).toEqual(constant(1));
    expect(environment.distribution(2, 0)!.spec).toEqual({ distribution: "mixture", weights: [0.75, 0.25], of: [constant(1), constant(5)] });
    expect(environment.distribution(5, 0)!.spec).toEqual(constant(5));
  });

  // The sum of (1{the loss is the alternate one} - w) over 1000 rounds exceeds 86 in size with probability below 1e-6 (Hoeffding): ten sums, 1e-5.
  test("the alternate distribution is drawn as often as its weight says, all along the drift", () => {
    const slow = make("drifting", { arms: [constant(0), constant(0)], alternate: [constant(1), constant(1)], rounds: 5000 });
    for (const arm of [0, 1]) {
      for (let start = 0; start < 5000; start += 1000) {
        const excess = upTo(1000).reduce((sum, t) => sum + slow.loss(start + t, arm) - (start + t - 1) / 5000, 0);
        expect(Math.abs(excess)).toBeLessThan(86);
      }
    }
  });

  test("an arm that is best at both ends is best throughout", () => {
    const options = { arms: [constant(1), constant(2)], alternate: [constant(3), constant(7)], rounds: 10 };
    expect(make("drifting", options)).toMatchObject({ regime: "stochastically-constrained", gaps: [0, 1] });
  });
});

describe("waves", () => {
  const environment = make("waves", { arms: [constant(10), constant(12)], amplitude: 4, period: 8 });

  test("every arm rises and falls by the same amounts, wave after wave", () => {
    const slope = 4 * Math.SQRT1_2;
    const levels = [0, slope, 4, slope, 0, -slope, -4, -slope];
    for (const [i, level] of [...levels, ...levels].entries()) {
      expect(environment.mean(i + 1, 0)).toBeCloseTo(10 + level, 12);
      expect(environment.loss(i + 1, 1)).toBeCloseTo(12 + level, 12);
      expect(environment.distribution(i + 1, 1).mean).toBe(environment.mean(i + 1, 1));
      expect(environment.gap(i + 1, 1)).toBe(2);
    }
    expect(environment).toMatchObject({ regime: "stochastically-constrained", gaps: [0, 2] });
  });

  test("a period of four times the horizon is a rise", () => {
    const rise = make("waves", { arms: [constant(0)], amplitude: 5, period: 400 });
    const means = upTo(100).map((round) => rise.mean(round, 0));
    for (const [i, mean] of means.entries()) expect(mean).toBeGreaterThan(means[i - 1] ?? -1);
    expect(rise.mean(101, 0)).toBe(5);
  });

  test.each([1, 2, 3, 5, 6, 7, 9, 1000])("period %i: sigma is that of the highest level that a round has, to either side", (period) => {
    const odd = make("waves", { alpha: 2, arms: [constant(-1), constant(1)], amplitude: 3, period });
    const largest = Math.max(...upTo(period).flatMap((round) => meansOf(odd, round).map(Math.abs)));
    expect(odd.sigma()).toBeCloseTo(largest, 12);
  });
});

describe("corrupted", () => {
  const arms = [constant(4), constant(1), constant(9), constant(2)];
  const clean = [4, 1, 9, 2];
  const swapped = [4, 2, 9, 1];

  test.each([
    [3, 5],
    [1, 1],
    [1, 40],
    [7, 0],
    [50, 10],
  ])("from round %i, %i rounds of 40 or fewer are corrupted", (start, budget) => {
    const environment = make("corrupted", { arms, start, budget });
    const corruptedRounds = upTo(40).filter((round) => environment.mean(round, 1) !== 1);
    expect(corruptedRounds).toEqual(upTo(40).filter((round) => round >= start && round < start + budget));
    for (const round of upTo(40)) expect(meansOf(environment, round)).toEqual(corruptedRounds.includes(round) ? swapped : clean);
    expect(environment.regime).toBe(budget > 0 ? "adversarial" : "stochastic");
  });

  test("starts in round 1 unless told otherwise", () => {
    const environment = make("corrupted", { arms, budget: 2 });
    expect(environment.spec.start).toBe(1);
    expect(upTo(4).map((round) => environment.loss(round, 1))).toEqual([2, 2, 1, 1]);
  });
});

describe("scale-bomb", () => {
  const arms = [pareto(1.7, 1), shifted(-2, pareto(1.7, 2)), pareto(1.9, 1)];
  const window = { arms, from: 4, until: 6 };

  test.each([100, 0.01])("factor %d multiplies the losses of the window and no others", (factor) => {
    const plain = make("scale-bomb", { ...window, factor: 1 });
    const bomb = make("scale-bomb", { ...window, factor });
    for (const round of upTo(10)) {
      const by = round >= 4 && round <= 6 ? factor : 1;
      for (const arm of [0, 1, 2]) {
        expect(bomb.loss(round, arm)).toBe(by * plain.loss(round, arm));
        expect(bomb.mean(round, arm)).toBe(by * plain.mean(round, arm));
      }
    }
    expect(bomb.regime).toBe("stochastically-constrained");
    for (const [arm, gap] of plain.gaps!.entries()) expect(bomb.gaps![arm]).toBeCloseTo(gap * Math.min(1, factor), 12);
    expect(bomb.sigma() / plain.sigma()).toBeCloseTo(Math.max(1, factor), 10);
  });
});

test("changing-tail: the shapes take turns and the means stay", () => {
  const means = [1, 0.3, 7];
  const environment = make("changing-tail", { means, shapes: [3, 1.6, 2], period: 2 });
  expect(upTo(8).map((round) => environment.distribution(round, 1)!.spec.shape)).toEqual([3, 3, 1.6, 1.6, 2, 2, 3, 3]);
  for (const round of upTo(8))
    for (const [arm, mean] of means.entries()) expect(Math.abs(environment.mean(round, arm) / mean - 1)).toBeLessThan(1e-15);
  for (const [arm, gap] of [0.7, 0, 6.7].entries()) expect(environment.gaps![arm]).toBeCloseTo(gap, 12);
  expect(Object.values(environment.assumptions).map(({ holds }) => holds)).toEqual([true, true, true]);
});

describe("lower-bound", () => {
  const bestOf = (environment: Environment) => environment.gaps!.indexOf(0);

  test("property: two points, with the means and moments of the construction", () => {
    fc.assert(
      fc.property(fc.double({ min: 1.2, max: 2, noNaN: true }), fc.double({ min: 0.02, max: 0.5, noNaN: true }), (alpha, gap) => {
        const environment = make("lower-bound", { alpha, arms: 3, gap });
        const gamma = (2 * gap) ** (1 / (alpha - 1));
        const best = bestOf(environment);
        for (const arm of [0, 1, 2]) {
          const distribution = environment.distribution(1, arm)!;
          const mean = arm === best ? gap : 2 * gap;
          expect(Math.abs(distribution.mean / mean - 1)).toBeLessThan(1e-12);
          expect(Math.abs(distribution.absoluteMoment(alpha) / (arm === best ? 0.5 : 1) - 1)).toBeLessThan(1e-11);
          expect(Math.abs((distribution.spec.value as number) * gamma - 1)).toBeLessThan(1e-11);
        }
        expect(environment.sigma()).toBeCloseTo(1, 11);
        expect(Object.values(environment.assumptions).map(({ holds }) => holds)).toEqual([true, true, true]);
      }),
      { numRuns: 100, seed: 1 },
    );
  });

  // Each count is binomial(4000, 1/4): by Hoeffding's inequality it is off by more than 170 with probability below 2 exp(-2 * 170^2 / 4000) < 1.1e-6.
  test("the best arm depends on the seed, evenly, and not on the gap", () => {
    const counts = [0, 0, 0, 0];
    let told = 0;
    for (let seed = 0; seed < 4000; seed++) {
      const environment = make("lower-bound", { arms: 4, gap: 0.2 }, seed);
      const best = bestOf(environment);
      counts[best]!++;
      if (best !== 0 && environment.loss(1, 0) > 0) told++;
      if (seed < 50) expect(bestOf(make("lower-bound", { arms: 4, gap: 0.4 }, seed))).toBe(best);
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(170);
    // The first loss does not give the best arm away: 192 are expected, and fewer than 77 have probability below 1e-15 (Chernoff).
    expect(told).toBeGreaterThan(76);
  });
});

describe("minimax", () => {
  test("property: lower-bound at the gap (1/2) (64 K / T)^(1 - 1/alpha), times sigma", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.2, max: 2, noNaN: true }),
        fc.integer({ min: 2, max: 20 }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.integer({ min: 1, max: 1e6 }),
        (alpha, arms, sigma, horizon) => {
          const hard = make("minimax", { alpha, arms, sigma, horizon });
          const gap = Math.min(0.5, 0.5 * ((64 * arms) / horizon) ** (1 - 1 / alpha));
          const like = make("lower-bound", { alpha, arms, gap });
          expect(hard.sigma()).toBeCloseTo(sigma, 9);
          const sizes = (environment: Environment) => [...environment.gaps!].sort((a, b) => a - b);
          for (const [i, size] of sizes(like).entries()) expect(sizes(hard)[i]! / sigma).toBeCloseTo(size, 10);
          expect(hard.distribution(1, 0).survival(1e-9)).toBeGreaterThan(0.49 * Math.min(1, (64 * arms) / horizon));
          expect(Object.values(hard.assumptions).map(({ holds }) => holds)).toEqual([true, true, true]);
        },
      ),
    );
  });

  test("the best arm is hidden by the seed", () => {
    const best = Array.from({ length: 100 }, (_, seed) => make("minimax", { arms: 4, horizon: 1000 }, seed).gaps!.indexOf(0));
    expect([...new Set(best)].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe("truncation-violated", () => {
  const environment = make("truncation-violated", { arms: 3, shape: 1.7, scale: 1, gap: 0.5 });
  const best = environment.distribution(1, 0)!;
  const other = environment.distribution(1, 1)!;

  test("the best arm is arm 0, with a positive mean", () => {
    const mean = 1.7 / 0.7;
    for (const [arm, expected] of [mean, mean + 0.5, mean + 0.5].entries()) expect(environment.mean(9, arm)).toBeCloseTo(expected, 12);
    expect(environment.regime).toBe("stochastic");
    for (const [arm, gap] of [0, 0.5, 0.5].entries()) expect(environment.gaps![arm]).toBeCloseTo(gap, 12);
  });

  test("only truncated non-negativity fails", () => {
    const { heavyTailed, uniqueBestArm, truncatedNonNegative } = environment.assumptions;
    expect([heavyTailed.holds, uniqueBestArm.holds, truncatedNonNegative.holds]).toEqual([true, true, false]);
    expect(truncatedNonNegative.reason).toContain("arm 0");
    expect(other.truncatedNonNegative).toBe(true);
    // E[X 1{|X| > M}]
    for (const radius of [5, 10, 1000, 1e6]) expect(best.mean - best.truncatedMean(radius)).toBeLessThan(0);
  });

  test("what a threshold lets through makes the best arm look worst", () => {
    expect(best.mean).toBeLessThan(other.mean);
    for (const radius of [5, 10, 20]) expect(best.truncatedMean(radius)).toBeGreaterThan(other.truncatedMean(radius));
  });
});

describe("replay", () => {
  const losses = [
    [1, -7, 2],
    [0, 5, -1],
  ];
  const environment = make("replay", { losses });

  test("gives the table, as losses, means and distributions", () => {
    for (const [t, row] of losses.entries()) {
      for (const [arm, loss] of row.entries()) {
        expect([environment.loss(t + 1, arm), environment.mean(t + 1, arm), environment.distribution(t + 1, arm)!.mean]).toEqual([loss, loss, loss]);
      }
    }
    expect([0, 1, 2].map((arm) => environment.gap(1, arm))).toEqual([8, 0, 9]);
    expect([1.1, 1.5, 2].map((alpha) => environment.sigma(alpha))).toEqual([7, 7, 7]);
    expect(environment).toMatchObject({ arms: 3, regime: "adversarial", gaps: undefined });
  });

  test("ends with the table", () => {
    for (const ask of ["loss", "mean", "gap", "distribution"] as const) {
      expect(() => environment[ask](3, 0)).toThrow(expect.objectContaining({ code: "ERR_ROUND", value: 3, message: expect.stringContaining("2") }));
    }
    expect(() => environment.loss(3, 0)).toThrow(TsallisError);
  });

  test.each([
    [[[1, 0]], true],
    [[[1, -1]], undefined],
    [[[-1], [1]], false],
    [
      [
        [-1, 1],
        [1, -1],
      ],
      false,
    ],
  ])("truncated non-negativity of %j", (table, holds) => {
    expect(make("replay", { losses: table }).assumptions.truncatedNonNegative.holds).toBe(holds);
  });
});

describe("assumptions", () => {
  // pareto(2, 1) has mean 2 and is truncated non-negative, leaning(c) has mean c - 2 and is not; nothing is known of this one, of mean 2.
  const unknown = shifted(-1, { distribution: "log-normal", location: 0, scale: Math.sqrt(2 * Math.log(3)) });

  test("the distributions are what the table below takes them for", () => {
    const distributions = [pareto(2, 1), leaning(4), leaning(3), unknown, pareto(2, 2)];
    const environment = make("stochastic", { arms: distributions });
    expect(distributions.map((_, arm) => environment.distribution(1, arm)!.truncatedNonNegative)).toEqual([true, false, false, undefined, true]);
    for (const [arm, mean] of [2, 2, 1, 2, 4].entries()) expect(environment.mean(1, arm)).toBeCloseTo(mean, 12);
  });

  test.each<[string, boolean | undefined, string, object]>([
    ["the best arm counts, not the others", true, "stochastic", { arms: [leaning(9), pareto(2, 1)] }],
    ["the best arm violates", false, "stochastic", { arms: [leaning(3), pareto(2, 1)] }],
    ["of two best arms, one is enough", true, "stochastic", { arms: [leaning(4), pareto(2, 1)] }],
    ["nothing is known of the best arm", undefined, "stochastic", { arms: [unknown, pareto(2, 2)] }],
    [
      "best in both lists, but not so in one",
      false,
      "switching",
      { arms: [pareto(2, 1), pareto(2, 2)], alternate: [leaning(3), pareto(2, 2)], period: 5 },
    ],
    [
      "the best arm changes, all are so",
      true,
      "switching",
      { arms: [pareto(2, 1), pareto(2, 2)], alternate: [pareto(2, 2), pareto(2, 1)], period: 5 },
    ],
    [
      "the best arm changes, one is not",
      undefined,
      "switching",
      { arms: [leaning(3), pareto(2, 2)], alternate: [pareto(2, 2), pareto(2, 1)], period: 5 },
    ],
    ["the best arm changes, none is", false, "switching", { arms: [leaning(3), pareto(2, 2)], alternate: [pareto(2, 2), leaning(3)], period: 5 }],
    [
      "an arm that can never be best does not count",
      true,
      "switching",
      { arms: [pareto(2, 1), pareto(2, 2), leaning(9)], alternate: [pareto(2, 2), pareto(2, 1), leaning(8)], period: 5 },
    ],
    ["the swapped arms both violate", false, "corrupted", { arms: [leaning(3), leaning(4), pareto(2, 2)], budget: 5 }],
    [
      "one of the swapped arms violates, and both get its distribution",
      false,
      "corrupted",
      { arms: [leaning(3), pareto(2, 1), pareto(2, 2)], budget: 5 },
    ],
    [
      "a mixture of distributions that are so",
      true,
      "drifting",
      { arms: [pareto(2, 1), pareto(2, 2)], alternate: [pareto(2, 2), pareto(2, 1)], rounds: 5 },
    ],
    ["no level goes below 0", true, "waves", { arms: [pareto(2, 3), pareto(2, 4)], amplitude: 3, period: 12 }],
    ["a level goes below 0", false, "waves", { arms: [constant(1), constant(2)], amplitude: 3, period: 12 }],
    ["scaling keeps it", true, "scale-bomb", { arms: [pareto(2, 1)], from: 2, until: 3, factor: 50 }],
  ])("truncated non-negativity: %s", (_, holds, name, options) => {
    expect(make(name, options).assumptions.truncatedNonNegative.holds).toBe(holds);
  });

  test("an infinite moment is told, and lower ones are finite", () => {
    const environment = make("stochastic", { arms: [pareto(1.7, 1), pareto(1.4, 1)] });
    expect(environment.sigma()).toBe(Number.POSITIVE_INFINITY);
    expect(environment.assumptions.heavyTailed).toMatchObject({ holds: false, reason: expect.stringContaining("arm 1") });
    expect(environment.sigma(1.2)).toBeCloseTo((1.4 / (1.4 - 1.2)) ** (1 / 1.2), 10);
  });

  test("copies of the best arm are no unique best arm", () => {
    const environment = make("stochastic", { arms: [pareto(2, 1), pareto(2, 3), pareto(2, 1)] });
    expect(environment.gaps).toEqual([0, 4, 0]);
    expect(environment.assumptions.uniqueBestArm).toMatchObject({ holds: false, reason: expect.stringContaining("arms 0 and 2") });
    expect(make("stochastic", { arms: [pareto(2, 1)] }).assumptions.uniqueBestArm.holds).toBe(true);
  });
});

describe("means that are one number, computed in two ways", () => {
  // The three means are 1, 1 - 2^-52 and 1: scale/(shape - 1), shape scale/(shape - 1), the value itself.
  const arms = [{ distribution: "lomax", shape: 1.6, scale: 0.6 }, constant(1), pareto(1.6, 0.375)];

  test("tie, and no arm is strictly best", () => {
    const environment = make("stochastic", { arms });
    expect(meansOf(environment, 1).some((mean) => mean !== 1)).toBe(true);
    expect(environment.gaps).toEqual([0, 0, 0]);
    expect([0, 1, 2].map((arm) => environment.gap(1, arm))).toEqual([0, 0, 0]);
    expect(environment.assumptions.uniqueBestArm.holds).toBe(false);
  });

  test("tie in the middle of a drift as well, and in a switch they keep the regime", () => {
    expect([0, 1, 2].map((arm) => make("drifting", { arms, alternate: arms, rounds: 10 }).gap(5, arm))).toEqual([0, 0, 0]);
    const alternate = [constant(1), arms[0]!, constant(2)];
    expect(make("switching", { arms, alternate, period: 2 })).toMatchObject({ regime: "stochastically-constrained", gaps: [0, 0, 0] });
  });

  test("a difference of 1e-11 is a gap", () => {
    expect(make("stochastic", { arms: [constant(1), constant(1 + 1e-11)] }).gaps).toEqual([0, 1 + 1e-11 - 1]);
  });
});

describe("what is not a moment", () => {
  test("a moment that overflows is not called infinite", () => {
    const overflown = make("stochastic", { alpha: 2, arms: [constant(1), constant(1e200)] });
    expect(overflown.sigma()).toBe(Infinity);
    expect(overflown.assumptions.heavyTailed).toEqual({ holds: false, reason: "E|X|^2 is beyond the range of a double, 1.8e308, for arm 1" });
    const infinite = make("stochastic", { alpha: 2, arms: [pareto(1.9, 1)] });
    expect(infinite.assumptions.heavyTailed).toEqual({ holds: false, reason: "E|X|^2 is infinite for arm 0" });
  });

  test.each([
    [1, 0.001],
    [0.05, 0.001],
    [1, 0.003],
  ])("a normal distribution of mean %d and deviation %d has one", (mean, deviation) => {
    const environment = make("stochastic", { arms: [{ distribution: "normal", mean, deviation }] });
    expect(environment.sigma() / mean).toBeCloseTo(1, 3);
    expect(environment.assumptions.heavyTailed.holds).toBe(true);
  });
});

test.each([
  ["stochastic", {}],
  ["scale-bomb", { from: 1, until: 2, factor: 3 }],
  ["waves", { amplitude: 1, period: 3 }],
  ["drifting", { alternate: [constant(1)], rounds: 3 }],
])("%s: a distribution that is not of this library is named at the door", (environment, options) => {
  const { momentAbout: _, ...foreign } = createDistribution(constant(1));
  expect(() => make(environment, { arms: [foreign], ...options })).toThrow(/^arms\[0\] must be a distribution made by this library/);
});

describe("noise", () => {
  // 30,000 numbers of 53 bits have a coincidence with probability 5e-8.
  test("no cell repeats another", () => {
    const environment = make("stochastic", { arms: Array.from({ length: 3 }, () => pareto(2, 1)) });
    const losses = upTo(10000).flatMap((round) => [0, 1, 2].map((arm) => environment.loss(round, arm)));
    expect(new Set(losses).size).toBe(30000);
  });

  test("one name and one seed share their uniform numbers, whatever the distributions", () => {
    const one = make("stochastic", { arms: [pareto(1.6, 1), pareto(2, 1)] });
    const ten = make("stochastic", { arms: [pareto(1.6, 10), pareto(3, 1), pareto(3, 1)] });
    for (const round of upTo(50)) {
      expect(ten.loss(round, 0) / one.loss(round, 0)).toBeCloseTo(10, 10);
      expect(ten.loss(round, 1) ** 3).toBeCloseTo(one.loss(round, 1) ** 2, 6);
    }
  });

  test("environments of other names have noise of their own", () => {
    const arms = [pareto(2, 1), pareto(2, 2)];
    const one = make("stochastic", { arms });
    const other = make("corrupted", { arms, budget: 0 });
    expect(upTo(50).filter((round) => one.loss(round, 0) === other.loss(round, 0))).toEqual([]);
  });
});

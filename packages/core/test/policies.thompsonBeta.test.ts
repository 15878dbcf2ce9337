import { describe, expect, test } from "vitest";
import { standardGamma } from "../src/distributions/standardDraws.js";
import { BetaThompsonSampling, type Choice, createPolicy, restorePolicy, stream } from "../src/index.js";
import { lowerGammaRatio } from "../src/special/incompleteGamma.js";
import { sum } from "./policies.js";

// The distance of Kolmogorov and Smirnov over 20,000 draws; P(sqrt(n) D > 3.1) is below 2 exp(-2 * 3.1^2) = 9e-9 for each of the five.
test.each([1, 1.4, 2, 30, 1000])("gamma numbers of shape %d have their distribution function", (shape) => {
  const rng = stream(5, "gamma", String(shape));
  const draws = Float64Array.from({ length: 20_000 }, () => standardGamma(shape, rng)).sort();
  const distance = Math.max(...draws.map((x, i) => Math.abs(lowerGammaRatio(shape, x) - (i + 0.5) / draws.length)));
  expect(Math.sqrt(draws.length) * distance).toBeLessThan(3.1);
});

/** The definition of Marsaglia and Tsang, in the functions of the engine. */
function gamma(shape: number, rng: ReturnType<typeof stream>): number {
  const d = shape - 1 / 3;
  while (true) {
    const x = Math.sqrt(-2 * Math.log(rng.open())) * Math.cos(2 * Math.PI * rng.uniform());
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(rng.open()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

test("reference: one uniform, then two gamma numbers for each arm, and the smallest share is played, with late feedback", () => {
  for (const [seed, arms] of [5, 2, 1].entries()) {
    const policy = new BetaThompsonSampling({ arms });
    const [rng, twin, losses] = [stream(seed, "policy"), stream(seed, "policy"), stream(seed, "losses")];
    const counts = Array.from({ length: arms }, () => ({ plays: 0, zeros: 0, ones: 0 }));
    const open: Choice[] = [];
    for (let round = 1; round <= 400; round++) {
      twin.uniform();
      const unknown = counts.filter(({ zeros, ones }) => zeros + ones === 0).sort((a, b) => a.plays - b.plays);
      const draws = unknown.length > 0 ? [] : counts.map(({ zeros, ones }) => [gamma(1 + ones, twin), gamma(1 + zeros, twin)] as const);
      const shares = draws.map(([x, y]) => x / (x + y));
      const expected = unknown.length > 0 ? counts.indexOf(unknown[0]!) : shares.indexOf(Math.min(...shares));
      const choice = policy.choose(rng);
      expect([round, choice.arm, choice.probability]).toEqual([round, expected, null]);
      counts[expected]!.plays++;
      open.push(choice);
      while (open.length > 10 * losses.uniform()) {
        const [told] = open.splice(Math.floor(losses.uniform() * open.length), 1);
        const loss = losses.uniform() < 0.3 + 0.1 * told!.arm ? 1 : 0;
        policy.update(told!, loss);
        if (loss === 1) counts[told!.arm]!.ones++;
        else counts[told!.arm]!.zeros++;
      }
    }
  }
});

describe("losses that are neither 0 nor 1", () => {
  const means = (policy: { snapshot(): { state: Readonly<Record<string, unknown>> } }) => policy.snapshot().state.means as number[];

  // 40,000 trials: six standard deviations, false-alarm rate 2e-9 for each of the three.
  test.each([0.1, 0.5, 0.85])("%d counts as a one with that probability", (loss) => {
    const policy = new BetaThompsonSampling({ arms: 2 });
    for (let i = 0; i < 40_000; i++) policy.update(policy.force(i % 2), loss);
    expect(Math.abs(sum(means(policy)) / 2 - loss)).toBeLessThan(6 * Math.sqrt((loss * (1 - loss)) / 40_000));
  });

  test("late feedback, in another order, teaches what it would have taught at once", () => {
    const [soon, late] = [new BetaThompsonSampling({ arms: 3 }), new BetaThompsonSampling({ arms: 3 })];
    const losses = stream(3, "losses");
    const told = Array.from({ length: 300 }, (_, i) => [i % 3, losses.uniform()] as const);
    for (const [arm, loss] of told) soon.update(soon.force(arm), loss);
    const choices = told.map(([arm, loss]) => [late.force(arm), loss] as const);
    for (const [choice, loss] of choices.reverse()) late.update(choice, loss);
    for (const [arm, mean] of means(soon).entries()) expect(means(late)[arm]).toBeCloseTo(mean, 12);
  });

  test("outside [0, 1] they count as the nearer end", () => {
    const policy = createPolicy({ policy: "thompson-beta" }, 2);
    for (const loss of [-1e300, -0.1, 0]) policy.update(policy.force(0), loss);
    for (const loss of [1, 1.1, 1e300]) policy.update(policy.force(1), loss);
    expect(means(policy)).toEqual([0, 1]);
  });
});

test("a snapshot whose means leave [0, 1] is refused", () => {
  const policy = createPolicy({ policy: "thompson-beta" }, 2);
  for (const arm of [0, 1]) policy.update(policy.force(arm), arm);
  const good = policy.snapshot();
  for (const wrong of [
    [-0.5, 1],
    [0, 1.5],
    [Number.NaN, 0],
  ]) {
    expect(() => restorePolicy({ ...good, state: { ...good.state, means: wrong } })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.means" }),
    );
  }
});

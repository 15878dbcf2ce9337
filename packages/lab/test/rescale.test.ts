import { createDistribution, type Policy } from "tsallis";
import { describe, expect, it } from "vitest";
import { worldOf } from "../src/analysis/worldOf.js";
import type { Played } from "../src/conformance/accountable.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { rescalingOf } from "../src/document/rescaling.js";
import { type ResolvedRun, resolveRun } from "../src/document/resolveRun.js";
import { runsOf } from "../src/document/runs.js";
import { playRun } from "../src/run/playRun.js";
import { guaranteeOf } from "../src/theory/guaranteeOf.js";

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });
const normal = (mean: number) => ({ distribution: "normal", mean, deviation: 1 });
const heavy = { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2)], rescale: true };
const turning = { environment: "switching", alpha: 2, arms: [normal(0), normal(3)], alternate: [normal(3), normal(0)], period: 100, rescale: true };
const htinf = { policy: "htinf", alpha: "promised", sigma: "promised" };
const document = { name: "units", horizon: 500, seeds: 6, environments: { heavy, turning }, policies: { htinf } };
const options = { checkpoints: 10, onRounds: () => {} };

const experiment = completeExperiment(document);
const plain = completeExperiment({ ...document, environments: mapped(({ rescale: _, ...spec }) => spec) });

function mapped<T>(change: (spec: typeof heavy | typeof turning) => T): Record<string, T> {
  return { heavy: change(heavy), turning: change(turning) };
}

/** The trace of a run, and the losses that its policy learned. */
function listened(run: ResolvedRun, seed: number) {
  const losses: number[] = [];
  const between = (_: string, policy: Policy): Played => ({
    choose: (...given) => policy.choose(...given),
    details: () => policy.details?.() ?? {},
    update(choice, loss) {
      losses.push(loss);
      policy.update(choice, loss);
    },
  });
  return { trace: playRun(run, { ...options, seed, between }), losses };
}

describe("the units of a seed", () => {
  it("are the same again, differ between seeds, and lie in their ranges", () => {
    const all = Array.from({ length: 1000 }, (_, seed) => rescalingOf(2, seed));
    expect(rescalingOf(2, 7)).toEqual(all[7]);
    expect(new Set(all.map(({ scale }) => scale)).size).toBe(1000);
    const exponents = all.map(({ scale }) => Math.log10(scale));
    const shifts = all.map(({ scale, shift }) => shift / scale / 2);
    for (const exponent of exponents) expect(Math.abs(exponent)).toBeLessThanOrEqual(2);
    for (const shift of shifts) expect(Math.abs(shift)).toBeLessThanOrEqual(10);
    // Uniform: the mean of 1000 has a standard deviation of 0.037 and 0.18; five of these, false alarms below 1e-6.
    expect(Math.abs(exponents.reduce((a, b) => a + b) / 1000)).toBeLessThan(0.18);
    expect(Math.abs(shifts.reduce((a, b) => a + b) / 1000)).toBeLessThan(0.91);
    expect(Math.min(...exponents)).toBeLessThan(-1.9);
    expect(Math.max(...shifts)).toBeGreaterThan(9.5);
  });
});

describe("a run in other units", () => {
  it("the policy sees scaled and shifted losses, and regret is in the units of the document", () => {
    for (const run of runsOf(completeExperiment({ ...document, policies: { any: { policy: "uniform" } } }))) {
      const here = { horizon: 500, policies: { any: { policy: "uniform" } } };
      const rescaled = resolveRun({ ...here, environments: experiment.environments }, run);
      const { scale, shift } = rescaled.rescaling!;
      const [theirs, ours] = [listened(resolveRun({ ...here, environments: plain.environments }, run), run.seed), listened(rescaled, run.seed)];
      // Uniform play plays the same arms whatever it sees.
      expect(ours.losses).toEqual(theirs.losses.map((loss) => scale * loss + shift));
      expect(ours.trace).toEqual(theirs.trace);
    }
  });

  it("a policy that knows no units gets no help: its regret changes", () => {
    const finals = [plain, experiment].map(({ environments }) => {
      const policies = { ucb: { policy: "ucb1" } };
      return [1, 2, 3, 4, 5, 6].map(
        (seed) =>
          listened(
            resolveRun({ horizon: 500, environments, policies }, { environment: "heavy", policy: "ucb", seed, sweep: null }),
            seed,
          ).trace.pseudoRegret.at(-1)!,
      );
    });
    expect(finals[0]).not.toEqual(finals[1]);
  });

  it("the same units for all policies of a seed, and a promise that holds for what they see", () => {
    for (const run of runsOf(experiment)) {
      const { environment, policy, rescaling } = resolveRun(experiment, run);
      const { scale, shift } = rescaling!;
      expect(rescaling).toEqual(rescalingOf(environment.sigma(), run.seed));
      const sigma = policy.sigma as number;
      expect(sigma).toBeCloseTo(scale * environment.sigma() + Math.abs(shift), 9);
      for (const round of [1, 150]) {
        for (const arm of [0, 1]) {
          const { spec } = environment.distribution(round, arm);
          const distribution = createDistribution({ distribution: "shifted", by: shift, of: { distribution: "scaled", by: scale, of: spec } });
          const moment = distribution.absoluteMoment(environment.alpha) ** (1 / environment.alpha);
          expect(moment).toBeLessThanOrEqual(sigma * (1 + 1e-9));
        }
      }
    }
  });
});

describe("an environment in other units", () => {
  it("keeps its hash without the key, and carries it if it is true", () => {
    expect(experiment.environments.heavy).toEqual({ ...plain.environments.heavy, rescale: true });
    expect(completeExperiment({ ...document, environments: mapped((spec) => ({ ...spec, rescale: false })) })).toEqual(plain);
  });

  it("breaks truncated non-negativity, and no bound is claimed", () => {
    const [run] = runsOf(experiment);
    expect(worldOf(experiment, run!)!.assumptions.truncatedNonNegative).toMatchObject({ holds: false });
    expect(worldOf(plain, run!)!.assumptions.truncatedNonNegative).toMatchObject({ holds: true });
    expect(guaranteeOf(plain)(run!)!.bound).not.toBeNull();
    expect(guaranteeOf(experiment)(run!)!.bound).toBeNull();
    expect(guaranteeOf(experiment)(run!)!.note).toContain("losses are scaled and shifted with the seed");
  });

  it("needs a sigma, and cannot be taken apart by the anatomy", () => {
    const infinite = { environment: "stochastic", alpha: 1.9, arms: [pareto(1)], rescale: true };
    const uniform = { policies: { any: { policy: "uniform" } } };
    expect(() => completeExperiment({ ...document, ...uniform, environments: { infinite } })).toThrow(
      "environments.infinite.rescale needs a finite sigma, and the environment promises none at alpha 1.9",
    );
    expect(() => completeExperiment({ ...document, environments: { heavy }, anatomy: true })).toThrow("environments.heavy.rescale must be false");
  });
});

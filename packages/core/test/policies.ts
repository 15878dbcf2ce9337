import { POLICIES, type Policy, type PolicySpec, stream } from "../src/index.js";
import { completeOptions } from "../src/parameters.js";

/** Further specs of policies whose parameters change what they do, besides the example in their entry. */
const FURTHER: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  htinf: [
    ...[2, 1.9, 1.7, 1.25, 1.1, 1.05].map((alpha) => ({ alpha, sigma: 1.5 })),
    { alpha: 1.5, sigma: 0.4, theta: 1 },
    { alpha: 1.5, sigma: 1.5, halfLife: 60 },
  ],
  opttinf: [{ halfLife: 60 }],
  // With so short a horizon its epochs grow at once.
  adatinf: [{ horizon: 1000 }, { horizon: 1000, cost: "absolute" }],
  ada2tinf: [{ halfLife: 60 }, { variant: "published" }],
  ucb1: [{ exploration: 0.75 }],
  "kl-ucb": [{ c: 0 }],
  "exp3-plus-plus": [{ beta: 256 }],
  "explore-then-commit": [{ rounds: 5 }],
  "tsallis-inf": [{ estimator: "rv" }, { halfLife: 60 }],
  uniinf: [{ horizon: 1_000_000, halfLife: 60 }],
  "omd-lb-ht": [{ alpha: 2, sigma: 1.5, horizon: 1_000_000 }],
  "signed-tinf": [
    ...[2, 1.7, 1.1].map((alpha) => ({ alpha, sigma: 1.5 })),
    { alpha: 1.5, sigma: 1.5, theta: 0.5 },
    { alpha: 1.5, sigma: 1.5, halfLife: 60 },
  ],
  "matched-tinf": [{ halfLife: 60 }, { detect: 0.5 }, { halfLife: 60, detect: 0.5 }, { rarest: 12.5 }],
  "robust-ucb": [
    { estimator: "median-of-means", alpha: 1.3, sigma: 3 },
    { estimator: "catoni", alpha: 2, sigma: 3 },
    ...["median-of-means", "catoni"].map((estimator) => ({ estimator, alpha: 2, sigma: 3, variant: "published" })),
  ],
  ape2: [
    ...["gamma", "gev", "pareto", "frechet"].map((perturbation) => ({ alpha: 1.5, perturbation, c: 2 })),
    { alpha: 1.5, c: 2, variant: "published" },
  ],
};

/** The complete specs that the conformance suite plays: the example of every entry, and the further ones. */
export const SPECS: readonly PolicySpec[] = Object.entries(POLICIES).flatMap(([policy, { parameters, example }]) =>
  [example, ...(FURTHER[policy] ?? [])].map((options) => ({ policy, ...completeOptions(parameters, options) })),
);

export const label = (spec: PolicySpec): string => Object.values(spec).join(" ");

/** Plays rounds with immediate feedback; `loss(round, arm)` says what each costs. Returns the arms. */
export function play(policy: Policy, rounds: number, loss: (round: number, arm: number) => number, rng = stream(1, "play")): number[] {
  const arms: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const choice = policy.choose(rng);
    policy.update(choice, loss(choice.round, choice.arm));
    arms.push(choice.arm);
  }
  return arms;
}

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

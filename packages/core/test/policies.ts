import { POLICIES, type Policy, type PolicySpec, stream } from "../src/index.js";

/** Example specs of every registered policy; the conformance suite runs on all of them. */
const EXAMPLES: Readonly<Record<string, readonly PolicySpec[]>> = {
  htinf: [
    ...[2, 1.9, 1.7, 1.5, 1.25, 1.1, 1.05].map((alpha) => ({ policy: "htinf", alpha, sigma: 1.5 })),
    { policy: "htinf", alpha: 1.5, sigma: 0.4, theta: 1 },
    { policy: "htinf", alpha: 1.5, sigma: 1.5, halfLife: 60 },
  ],
  opttinf: [{ policy: "opttinf" }, { policy: "opttinf", halfLife: 60 }],
  // With so short a horizon its epochs grow at once.
  adatinf: [...[1_000_000_000, 1000].map((horizon) => ({ policy: "adatinf", horizon })), { policy: "adatinf", horizon: 1000, cost: "absolute" }],
  ada2tinf: [{ policy: "ada2tinf" }, { policy: "ada2tinf", halfLife: 60 }, { policy: "ada2tinf", variant: "published" }],
  ucb1: [{ policy: "ucb1" }, { policy: "ucb1", exploration: 0.75 }],
  moss: [{ policy: "moss", horizon: 1_000_000 }],
  "kl-ucb": [0, 3].map((c) => ({ policy: "kl-ucb", c })),
  thompson: [{ policy: "thompson", sigma: 1.5 }],
  "thompson-beta": [{ policy: "thompson-beta" }],
  exp3: [{ policy: "exp3" }],
  "exp3-ix": [{ policy: "exp3-ix" }],
  "exp3-plus-plus": [256, 1].map((beta) => ({ policy: "exp3-plus-plus", beta })),
  "epsilon-greedy": [{ policy: "epsilon-greedy", c: 6, d: 0.5 }],
  "explore-then-commit": [{ policy: "explore-then-commit", rounds: 5 }],
  "follow-the-leader": [{ policy: "follow-the-leader" }],
  "tsallis-inf": [
    ...["iw", "rv"].map((estimator) => ({ policy: "tsallis-inf", estimator })),
    { policy: "tsallis-inf", estimator: "iw", halfLife: 60 },
  ],
  uniinf: [
    { policy: "uniinf", horizon: 1_000_000 },
    { policy: "uniinf", horizon: 1_000_000, halfLife: 60 },
  ],
  "omd-lb-ht": [2, 1.3].map((alpha) => ({ policy: "omd-lb-ht", alpha, sigma: 1.5, horizon: 1_000_000 })),
  "delayed-tsallis-inf": [{ policy: "delayed-tsallis-inf" }],
  "matched-tinf": [{ policy: "matched-tinf" }, { policy: "matched-tinf", halfLife: 60 }],
  "robust-ucb": [
    { policy: "robust-ucb", estimator: "truncated", alpha: 1.5, sigma: 3 },
    { policy: "robust-ucb", estimator: "median-of-means", alpha: 1.3, sigma: 3 },
    { policy: "robust-ucb", estimator: "catoni", alpha: 2, sigma: 3 },
    ...["median-of-means", "catoni"].map((estimator) => ({ policy: "robust-ucb", estimator, alpha: 2, sigma: 3, variant: "published" })),
  ],
  ape2: [
    ...["weibull", "gamma", "gev", "pareto", "frechet"].map((perturbation) => ({ policy: "ape2", alpha: 1.5, perturbation, c: 2 })),
    { policy: "ape2", alpha: 1.5, perturbation: "weibull", c: 2, variant: "published" },
  ],
  "adar-ucb": [{ policy: "adar-ucb" }],
  "mr-ucb": [{ policy: "mr-ucb", alpha: 1.5, horizon: 1_000_000_000, c: 1, c0: 0.1 }],
  "mr-ape": [{ policy: "mr-ape", alpha: 1.5, horizon: 1_000_000_000, c: 1 }],
  forcemom: [{ policy: "forcemom", rho: 2 / 3 }],
  dsee: [{ policy: "dsee", alpha: 1.5, sigma: 3, w: 2 }],
  uniform: [{ policy: "uniform" }],
};

export const SPECS: readonly PolicySpec[] = Object.keys(POLICIES).flatMap((name) => {
  const examples = EXAMPLES[name];
  if (examples === undefined) throw new Error(`add an example spec of ${name} to packages/core/test/policies.ts`);
  return examples;
});

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

import { DISTRIBUTIONS, type DistributionSpec, ENVIRONMENTS, type Parameters, POLICIES, type PolicySpec } from "tsallis";
import type { Race } from "../engine/race.js";

/** What a new form says for parameters without a default, by their names. A name that is not here is left out, and the library says what it must be. */
const NUMBERS: Readonly<Record<string, unknown>> = {
  alpha: 1.5,
  amplitude: 1,
  arms: 3,
  by: 1,
  c: 2,
  d: 0.1,
  deviation: 1,
  dof: 1.7,
  factor: 100,
  gap: 0.25,
  high: 1,
  index: 1.7,
  k: 1,
  location: 0,
  low: 0,
  mean: 1,
  means: [0.5, 1, 1],
  p: 0.5,
  probability: 0.5,
  q: 0.5,
  scale: 0.5,
  shape: 1.7,
  shapes: [1.6, 3],
  skew: 0,
  value: 1,
  weights: [0.5, 0.5],
};

export const DISTRIBUTION: DistributionSpec = { distribution: "lomax", shape: 1.7, scale: 0.5 };
const ARMS = [0.4, 0.7, 0.7].map((scale): DistributionSpec => ({ ...DISTRIBUTION, scale }));

/** A distribution of another kind. One that is made of another distribution is made of the one before. */
export function startOfDistribution(distribution: string, before: DistributionSpec = DISTRIBUTION): DistributionSpec {
  const { parameters } = DISTRIBUTIONS[distribution]!;
  return { distribution, ...filled(parameters, { ...NUMBERS, of: parameters.of?.type === "distributions" ? [before, DISTRIBUTION] : before }) };
}

/** A world of another kind, with the arms of the one before as far as both have them. */
export function startOfWorld(environment: string, { world: before, rounds }: Pick<Race, "world" | "rounds">): Race["world"] {
  const { parameters } = ENVIRONMENTS[environment]!;
  const arms = Array.isArray(before.arms) ? (before.arms as DistributionSpec[]) : ARMS;
  const raised = arms.map((of): DistributionSpec => ({ distribution: "shifted", by: 1, of }));
  const part = (share: number) => Math.max(1, Math.floor(rounds * share));
  const known = {
    ...NUMBERS,
    alpha: before.alpha,
    ...(parameters.arms?.type === "distributions" && { arms }),
    // Where the best arm must stay, the level changes; elsewhere the arms change places.
    alternate: environment === "stochastically-constrained" ? raised : [...arms].reverse(),
    budget: part(0.2),
    from: part(0.5),
    period: part(0.5),
    rounds: part(0.5),
    until: part(0.5),
  };
  const { delay, rotate } = before;
  return { environment, ...filled(parameters, known), ...(delay !== undefined && { delay }), ...(rotate && { rotate }) };
}

/** A policy with the parameters that the world promises; its horizon, if it needs one, is the race's. */
export function startOfPolicy(policy: string, rounds: number): PolicySpec {
  const known = { ...NUMBERS, alpha: "promised", sigma: "promised", rounds: Math.max(1, Math.floor(rounds / 100)) };
  return { policy, ...filled(POLICIES[policy]!.parameters, known) };
}

/** The policies of the scenes have the names of their papers. */
const LABELS: Readonly<Record<string, string>> = {
  "matched-tinf": "MatchedTINF",
  htinf: "HTINF",
  ucb1: "UCB1",
  "robust-ucb": "RobustUCB",
  thompson: "Thompson",
  exp3: "EXP3",
  "tsallis-inf": "Tsallis-INF",
  uniform: "Uniform",
  "signed-tinf": "SignedTINF",
  adatinf: "AdaTINF",
  ada2tinf: "Ada2TINF",
  opttinf: "OptTINF",
};

/** A label that no other policy of the race has. */
export function freeLabel(name: string, taken: readonly string[]): string {
  for (let i = 1; ; i++) {
    const label = i === 1 ? (LABELS[name] ?? name) : `${LABELS[name] ?? name} ${i}`;
    if (!taken.includes(label)) return label;
  }
}

function filled(parameters: Parameters, known: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const needed = Object.entries(parameters).filter(([name, parameter]) => !("default" in parameter || "optional" in parameter) && name in known);
  return Object.fromEntries(needed.map(([name]) => [name, known[name]]));
}

/** Those that are worth comparing first. */
const FIRST = ["matched-tinf", "htinf", "ucb1", "robust-ucb", "thompson", "exp3", "tsallis-inf", "uniform"];

/** A policy that does not race yet. */
export function nextPolicy(policies: Race["policies"]): string {
  const racing = new Set(policies.map(({ spec }) => spec.policy));
  return [...FIRST, ...Object.keys(POLICIES)].find((name) => !racing.has(name)) ?? FIRST[0]!;
}

import { createPolicy, POLICIES, type Policy, type PolicySpec, stream } from "../src/index.js";

/** Example specs of every registered policy; the conformance suite runs on all of them. */
const EXAMPLES: Readonly<Record<string, readonly PolicySpec[]>> = {
  htinf: [2, 1.9, 1.7, 1.5, 1.25, 1.1, 1.05].map((alpha) => ({ policy: "htinf", alpha, sigma: 1.5 })),
  opttinf: [{ policy: "opttinf" }],
  adatinf: [{ policy: "adatinf", horizon: 1_000_000_000 }],
  ada2tinf: [{ policy: "ada2tinf" }],
  uniform: [{ policy: "uniform" }],
};

export const SPECS: readonly PolicySpec[] = Object.keys(POLICIES).flatMap((name) => {
  const examples = EXAMPLES[name];
  if (examples === undefined) throw new Error(`add an example spec of ${name} to test/policies.ts`);
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

export { createPolicy };

import { type Choice, createEnvironment, createPolicy, type Environment, POLICIES, type Policy, type PolicySpec, stream } from "tsallis";
import { accountable, type Played } from "./accountable.js";
import { ensure } from "./ensure.js";

/** How far a check looks. */
export interface CheckPolicyOptions {
  /** The number of arms; 3 by default. */
  readonly arms?: number;
  /** The number of rounds that are played, in each of two ways; 1000 by default. */
  readonly rounds?: number;
  /** The seed of the losses and of the policy; 1 by default. */
  readonly seed?: number;
}

/** Feedback comes at once, or in heaps of so many rounds, the last first. */
const HEAPS = [1, 7];

/**
 * Checks that a policy of your own keeps the rules that experiments rest on, and throws ERR_CONFORMANCE, with the round and the numbers, where it does not: two
 * policies of one spec, with one seed, play alike on heavy-tailed losses of both signs (in [0, 1] if it needs bounded ones), also if feedback is late.
 *
 * @example
 * ```ts
 * import { checkPolicy } from "@tsallis/lab";
 *
 * checkPolicy({ policy: "ucb1" }, { arms: 4 });
 * console.log("it keeps the rules"); // it keeps the rules
 * ```
 */
export function checkPolicy(spec: PolicySpec, { arms = 3, rounds = 1000, seed = 1 }: CheckPolicyOptions = {}): void {
  const world = worldFor(spec, arms, seed);
  for (const heap of HEAPS) {
    const one = createPolicy(spec, arms);
    // One that is another policy with options of its own has the other's spec.
    const other = createPolicy(JSON.parse(JSON.stringify(one.spec.policy === spec.policy ? one.spec : spec)), arms);
    const [first, second] = [one, other].map((policy) => accountable(spec.policy, policy)) as [Played, Played];
    const rngs = [one, other].map(() => stream(seed, "policy"));
    const open: [Choice, Choice][] = [];
    for (let round = 1; round <= rounds; round++) {
      const [a, b] = [first.choose(rngs[0]!), second.choose(rngs[1]!)].map((choice) => ({ ...choice })) as [Choice, Choice];
      requireChoice(a, one, round);
      ensure(
        a.arm === b.arm && a.probability === b.probability && a.threshold === b.threshold,
        `in round ${round} two policies of the spec ${JSON.stringify(one.spec)} choose ${JSON.stringify(a)} and ${JSON.stringify(b)} from the same numbers; take randomness from rng alone`,
      );
      open.push([a, b]);
      if (open.length < heap) continue;
      for (const [mine, others] of open.splice(0).reverse()) {
        const loss = world.loss(mine.round, mine.arm);
        first.update(mine, loss);
        second.update(others, loss);
      }
      ensure(one.round === round, `update must not advance the round: it is ${one.round} after ${round} rounds`);
      const [name, value] = Object.entries(first.details()).find(([, value]) => !Number.isFinite(value)) ?? [];
      ensure(name === undefined, `details() must hold finite numbers, but ${name} is ${value} after round ${round}`);
    }
  }
}

function worldFor({ policy }: PolicySpec, arms: number, seed: number): Environment {
  const isBounded = POLICIES[policy]?.needs.includes("bounded-losses") ?? false;
  const distribution = (p: number) =>
    isBounded ? { distribution: "bernoulli", p } : { distribution: "signed", p, of: { distribution: "lomax", shape: 1.3, scale: 1 } };
  const distributions = Array.from({ length: arms }, (_, arm) => distribution(0.5 + arm / (2 * arms)));
  return createEnvironment({ environment: "stochastic", alpha: 1.2, arms: distributions }, seed);
}

function requireChoice({ policy, round, probability, threshold }: Choice, { policyId, round: played }: Policy, now: number): void {
  const wrong = (name: string, value: unknown, wanted: string) =>
    `in round ${now}, ${name} of the Choice must be ${wanted}, got ${JSON.stringify(value)}`;
  ensure(policy === policyId, wrong("policy", policy, JSON.stringify(policyId)));
  ensure(played === now, `in round ${now}, round of the policy must be ${now} after choose, which adds 1 to it, got ${JSON.stringify(played)}`);
  ensure(round === now, wrong("round", round, `${now}`));
  ensure(probability === null || (probability > 0 && probability <= 1), wrong("probability", probability, "in (0, 1], or null"));
  ensure(threshold === null || threshold >= 0, wrong("threshold", threshold, "null, or a number of at least 0"));
}

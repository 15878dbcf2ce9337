import fc from "fast-check";
import { type Choice, createPolicy, type KernelName, POLICIES, type Policy, type PolicySpec, stream } from "../src/index.js";
import { KERNELS } from "./kernels.js";
import { label, SPECS, sum } from "./policies.js";

export const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value));

export const hasKernel = (spec: PolicySpec) => createPolicy(spec, 2).snapshot().kernel !== undefined;

/** Every example spec, under each kernel if it has one. */
export const CASES = SPECS.flatMap((spec): [string, PolicySpec, KernelName][] =>
  hasKernel(spec) ? KERNELS.map(({ name }) => [`${label(spec)}, ${name} kernel`, spec, name]) : [[label(spec), spec, "dense"]],
);

/** What a policy shows to have its Choices checked. */
export const traits = (policy: Policy) => policy as Policy & { readonly skips: boolean; readonly weighs: boolean };

type Losses = (round: number, arm: number) => number;

/** Of both signs, with a tail of index 1.4. */
export const heavy = (seed: number): Losses => {
  const rng = stream(seed, "losses");
  return (_round, arm) => (rng.uniform() < 0.3 ? -1 : 1) * rng.open() ** (-1 / 1.4) + 0.2 * arm;
};

/** Ordinary ones: three uniform numbers, around means that differ. */
const light = (seed: number): Losses => {
  const rng = stream(seed, "light losses");
  return (_round, arm) => rng.uniform() + rng.uniform() + rng.uniform() - 1 + 0.1 * arm;
};

/** In [0, 1]: even arms vary little, odd ones have the values 0 and 1. */
const bounded = (seed: number): Losses => {
  const rng = stream(seed, "bounded losses");
  return (_round, arm) => {
    const u = rng.uniform();
    return arm % 2 === 0 ? Math.min(1, 0.4 + 0.02 * arm + 0.2 * u) : u < Math.min(0.9, 0.4 + 0.02 * arm) ? 1 : 0;
  };
};

/**
 * The losses that a policy must be seen to play on: heavy and light ones, and those in [0, 1] if it is made for them. On heavy ones alone a policy for bounded losses is soon
 * stuck with one arm, and then it does not show what it has forgotten.
 */
export function lossesFor({ policy }: PolicySpec): readonly ((seed: number) => Losses)[] {
  return POLICIES[policy]!.needs.includes("bounded-losses") ? [bounded, light, heavy] : [heavy, light];
}

/** Losses that hurt: both signs, zero, denormals, up to 1e300. */
export const hostileLoss = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc
    .tuple(fc.double({ min: -323, max: 300, noNaN: true }), fc.boolean())
    .map(([exponent, negative]) => (negative ? -1 : 1) * Math.min(10 ** exponent, 1e300)),
  fc.constantFrom(0, -0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e300, -1e300),
);

/** As `expect`, for what is checked in every round of many: `expect` costs more than the round does. */
export function ensure(holds: boolean, otherwise: () => string): void {
  if (!holds) throw new Error(otherwise());
}

export function ensureSound(policy: Policy): void {
  const x = policy.probabilities();
  if (x === null) return;
  ensure(
    x.length === policy.arms && x.every((p) => p >= 0 && p <= 1) && Math.abs(sum(x) - 1) < 1e-12,
    () => `probabilities ${x} of ${policy.arms} arms`,
  );
}

/**
 * Whether a Choice has the probability that was shown before. It comes from the kernel, and `probabilities` from a dense computation: under the indexed kernel they may
 * differ, relatively, in the last digits.
 */
export function isDrawn({ arm, probability }: Choice, x: Float64Array | null, relative: number): boolean {
  return x === null ? probability === null : probability === x[arm] || Math.abs(probability! / x[arm]! - 1) < relative;
}

/** Lets an act fail with these codes only. */
export function attempt(act: () => void, codes: string[]): void {
  try {
    act();
  } catch (error) {
    if (!codes.includes((error as { code: string }).code)) throw error;
  }
}

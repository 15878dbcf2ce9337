import { show, TsallisError } from "../../errors.js";
import { LARGEST_LOSS } from "../../largestLoss.js";
import { requireArm } from "../../requireArm.js";

/** The part of a policy that checking what `choose` is given needs. */
interface Chooser {
  readonly spec: { readonly policy: string };
  readonly arms: number;
  readonly weighs: boolean;
  readonly takesKnownCosts: boolean;
}

/** Checks the extra losses that are known before a round: one number per arm, of the size that losses may have. */
export function requireKnownCosts(knownCosts: ArrayLike<number>, policy: Chooser): void {
  const { arms } = policy;
  if (!policy.takesKnownCosts) throw useless(policy, "knownCosts", knownCosts);
  if (typeof knownCosts !== "object" || knownCosts === null || knownCosts.length !== arms) {
    const message = `knownCosts must be a list of ${arms} numbers, one for each arm, got ${show(knownCosts)}`;
    throw new TsallisError("ERR_PARAMETER", "knownCosts", knownCosts, message);
  }
  for (let arm = 0; arm < arms; arm++) {
    const cost: unknown = knownCosts[arm];
    if (typeof cost === "number" && Math.abs(cost) <= LARGEST_LOSS) continue;
    const message = `knownCosts[${arm}] must be a number of size at most ${LARGEST_LOSS}, got ${show(cost)}`;
    throw new TsallisError("ERR_LOSS", `knownCosts[${arm}]`, cost, message);
  }
}

/** Checks the arms that must not be chosen: at least one other arm must be left. */
export function requireExcept(except: readonly number[], policy: Chooser): void {
  const { arms } = policy;
  if (!policy.weighs) throw useless(policy, "except", except);
  if (!Array.isArray(except)) throw new TsallisError("ERR_PARAMETER", "except", except, `except must be a list of arms, got ${show(except)}`);
  for (const arm of except) requireArm(arm, arms);
  if (new Set(except).size === arms) {
    throw new TsallisError("ERR_PARAMETER", "except", except, `except must leave at least one of the ${arms} arms, got ${show(except)}`);
  }
}

function useless({ spec }: Chooser, name: string, value: unknown): TsallisError {
  const remedy = "leave it out, or use a policy whose entry in POLICIES has takesKnownCosts: true, such as matched-tinf";
  return new TsallisError("ERR_KNOWN_COSTS", name, value, `${spec.policy} has no probabilities that ${name} could change; ${remedy}`);
}

/** Takes the excluded arms out of the probabilities, in place: the others share in proportion. If they all have underflowed to 0, they share equally. */
export function exclude(probabilities: Float64Array, except: readonly number[]): Float64Array {
  for (const arm of except) probabilities[arm] = 0;
  let rest = probabilities.reduce((sum, x) => sum + x, 0);
  if (rest === 0) {
    probabilities.fill(1);
    for (const arm of except) probabilities[arm] = 0;
    rest = probabilities.length - new Set(except).size;
  }
  for (let arm = 0; arm < probabilities.length; arm++) probabilities[arm]! /= rest;
  return probabilities;
}

/** The arm at which a uniform on [0, 1) lands. */
export function armAt(probabilities: Float64Array, u: number): number {
  const last = probabilities.length - 1;
  let arm = 0;
  let rest = u - probabilities[0]!;
  while (rest >= 0 && arm < last) rest -= probabilities[++arm]!;
  // Rounding can leave u beyond the sum; the last arm with any probability then takes it.
  while (probabilities[arm] === 0) arm--;
  return arm;
}

import { show, TsallisError } from "../../errors.js";
import { requireArm } from "../../requireArm.js";

/**
 * Where each arm of a new arrangement comes from: arm j was arm from[j], or is new where from[j] is null. Arms that are not named are gone.
 *
 * @example
 * ```ts
 * import { HTINF } from "tsallis";
 *
 * // Arm 1 goes, arms 0 and 2 stay, and a new one comes.
 * const policy = new HTINF({ arms: 3, alpha: 1.5, sigma: 1 }).rearrange([0, 2, null]);
 * console.log(policy.arms); // 3
 * ```
 */
export type Rearrangement = readonly (number | null)[];

/** Refuses a list that is no rearrangement of `arms` arms. */
export function requireRearrangement(from: Rearrangement, arms: number): void {
  if (!(Array.isArray(from) && from.length > 0)) {
    const message = `from must be a list with one entry per arm, the number of the old arm or null for a new one, got ${show(from)}`;
    throw new TsallisError("ERR_PARAMETER", "from", from, message);
  }
  const named = new Set<number>();
  // By index, because forEach and its kin pass over holes.
  for (let j = 0; j < from.length; j++) {
    const arm: unknown = from[j];
    if (arm === null) continue;
    requireArm(arm, arms, `from[${j}]`);
    if (named.has(arm)) {
      const message = `from[${j}] must be an arm that no other entry names, got ${show(arm)} twice; use null for a new arm`;
      throw new TsallisError("ERR_PARAMETER", `from[${j}]`, arm, message);
    }
    named.add(arm);
  }
}

/** What is kept for each arm, in the new arrangement. */
export function carry<T>(values: ArrayLike<T>, from: Rearrangement, fresh: T): T[] {
  return from.map((arm) => (arm === null ? fresh : values[arm]!));
}

/** The number of arms that a rearrangement keeps, and the probability that they have together. */
export function keptOf(probabilities: Float64Array, from: Rearrangement): { readonly arms: number; readonly probability: number } {
  const kept = from.filter((arm) => arm !== null);
  return { arms: kept.length, probability: kept.reduce((sum, arm) => sum + probabilities[arm]!, 0) };
}

/** The probabilities after a rearrangement: 1 / K' for each new arm, the rest in proportion to what the kept arms had; in equal parts if they had nothing. */
export function rearrangedProbabilities(probabilities: Float64Array, from: Rearrangement): Float64Array {
  const each = 1 / from.length;
  const kept = keptOf(probabilities, from);
  // The division comes first: a share divided by a subnormal probability could overflow.
  return Float64Array.from(from, (arm) =>
    arm === null || kept.probability === 0 ? each : (probabilities[arm]! / kept.probability) * kept.arms * each,
  );
}

import { show, TsallisError } from "../../errors.js";
import { LARGEST_LOSS } from "../../largestLoss.js";

/**
 * A decision, with everything that learning from it needs. It is JSON-safe, so its feedback may come late, out of order, or to another
 * process that restored the policy from a snapshot.
 *
 * @example
 * ```ts
 * import { HTINF } from "tsallis";
 *
 * const { round, arm, probability } = new HTINF({ arms: 4, alpha: 1.5, sigma: 1 }).force(2);
 * console.log(round, arm, probability); // 1 2 0.25
 * ```
 */
export interface Choice {
  /** The id of the policy that chose: its completed spec, its number of arms and its arm-set version. */
  policy: string;
  round: number;
  arm: number;
  /** The probability with which the arm was chosen; null if the policy cannot compute it (Thompson sampling, for example). */
  probability: number | null;
  /** Losses larger than this in size are skipped; null if the policy has no threshold. */
  threshold: number | null;
}

/**
 * Whether the policy that made the choice skips this loss: it counts the round and learns nothing else from it.
 *
 * @example
 * ```ts
 * import { HTINF, isSkipped } from "tsallis";
 *
 * const choice = new HTINF({ arms: 3, alpha: 1.5, sigma: 1 }).force(0);
 * console.log(isSkipped(choice, 0.01), isSkipped(choice, 1e6)); // false true
 * ```
 */
export function isSkipped(choice: Choice, loss: number): boolean {
  return choice.threshold !== null && Math.abs(loss) > choice.threshold;
}

/** The part of a policy that checking a Choice needs. */
interface Chooser {
  readonly policyId: string;
  readonly arms: number;
  readonly round: number;
  /** Whether its Choices carry a threshold. */
  readonly skips: boolean;
  /** Whether it learns by dividing by the probability, so that there must be one. */
  readonly weighs: boolean;
}

/** Refuses a Choice that this policy cannot have made by now. */
export function requireChoice(choice: Choice, policy: Chooser): void {
  if (!couldHaveMade(choice, policy)) throw complaint(choice, policy);
}

/** Kept small, so that V8 inlines it in hot rounds; `complaint` finds the words. */
function couldHaveMade(choice: Choice, { policyId, arms, round, skips, weighs }: Chooser): boolean {
  return (
    typeof choice === "object" &&
    choice !== null &&
    choice.policy === policyId &&
    isCount(choice.round, 1, round) &&
    isCount(choice.arm, 0, arms - 1) &&
    (weighs ? isWithin(choice.probability, 1) && choice.probability !== 0 : choice.probability === null || isWithin(choice.probability, 1)) &&
    (skips ? isWithin(choice.threshold, Number.MAX_VALUE) : choice.threshold === null)
  );
}

function isCount(value: unknown, low: number, high: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high;
}

function isWithin(value: unknown, high: number): boolean {
  return typeof value === "number" && value >= 0 && value <= high;
}

function complaint(choice: Choice, policy: Chooser): TsallisError {
  if (typeof choice !== "object" || choice === null) return broken("choice", choice, "a Choice object, as choose() returned it");
  if (typeof choice.policy !== "string") return broken("choice.policy", choice.policy, "a policy's id");
  if (choice.policy !== policy.policyId) {
    const message = `choice.policy is ${show(choice.policy)}, but this policy is ${show(policy.policyId)}; give feedback to the policy that chose`;
    return new TsallisError("ERR_FOREIGN_CHOICE", "choice.policy", choice.policy, message);
  }
  if (!isCount(choice.round, 1, Number.MAX_SAFE_INTEGER)) return broken("choice.round", choice.round, "a positive integer");
  if (choice.round > policy.round) {
    const message = `choice.round is ${choice.round}, but this policy has played ${policy.round} rounds; restore a newer snapshot`;
    return new TsallisError("ERR_FUTURE_CHOICE", "choice.round", choice.round, message);
  }
  if (!isCount(choice.arm, 0, policy.arms - 1)) return broken("choice.arm", choice.arm, `an integer in [0, ${policy.arms - 1}]`);
  if (
    policy.weighs ? !(isWithin(choice.probability, 1) && choice.probability !== 0) : !(choice.probability === null || isWithin(choice.probability, 1))
  ) {
    return broken("choice.probability", choice.probability, policy.weighs ? "in (0, 1]" : "null or in [0, 1]");
  }
  return broken("choice.threshold", choice.threshold, policy.skips ? "a finite number of at least 0" : "null");
}

function broken(name: string, value: unknown, wanted: string): TsallisError {
  return new TsallisError("ERR_CHOICE", name, value, `${name} must be ${wanted}, got ${show(value)}`);
}

/** Refuses anything that is not a loss, before it can corrupt a policy's state. */
export function requireLoss(loss: unknown): asserts loss is number {
  if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
    throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most 1e300, got ${show(loss)}`);
  }
}

/** An arm less likely than this cannot be forced: its importance weight would be meaningless. */
const SMALLEST_PROBABILITY = 1e-300;

/** Refuses to force an arm from which a policy that divides by its probability could learn nothing. */
export function requireForceable(arm: number, probability: number): void {
  if (probability >= SMALLEST_PROBABILITY) return;
  const message = `arm ${arm} has probability ${show(probability)}, below 1e-300, so its loss cannot be weighted; leave that round out`;
  throw new TsallisError("ERR_PROBABILITY", "arm", arm, message);
}

import { show, TsallisError } from "../errors.js";
import { requireArm } from "../requireArm.js";

/** Guards every question that an environment answers about one round and one arm. */
export function requireCell(arms: number, round: number, arm: number): void {
  if (!(Number.isSafeInteger(round) && round >= 1)) {
    throw new TsallisError("ERR_ROUND", "round", round, `round must be an integer of at least 1, got ${show(round)}`);
  }
  requireArm(arm, arms);
}

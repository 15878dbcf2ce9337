import { show, TsallisError } from "./errors.js";

/** Refuses an arm that is not one of `arms`. */
export function requireArm(arm: number, arms: number): void {
  if (!(Number.isInteger(arm) && arm >= 0 && arm < arms)) {
    throw new TsallisError("ERR_ARM", "arm", arm, `arm must be an integer in [0, ${arms - 1}], got ${show(arm)}`);
  }
}

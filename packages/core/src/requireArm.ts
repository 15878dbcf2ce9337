import { show, TsallisError } from "./errors.js";

/** Refuses an arm that is not one of `arms`. */
export function requireArm(arm: unknown, arms: number, name = "arm"): asserts arm is number {
  if (!(Number.isInteger(arm) && (arm as number) >= 0 && (arm as number) < arms)) {
    throw new TsallisError("ERR_ARM", name, arm, `${name} must be an integer in [0, ${arms - 1}], got ${show(arm)}`);
  }
}

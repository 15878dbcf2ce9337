import { show, TsallisError } from "../../errors.js";
import type { Parameter } from "../../parameters.js";

/** The number of arms, a parameter of every policy's constructor. */
export const ARMS = { type: "integer", atLeast: 1, atMost: 2147483647, description: "number of arms" } as const satisfies Parameter;

/** Refuses an arm that is not one of `arms`. */
export function requireArm(arm: number, arms: number): void {
  if (!(Number.isInteger(arm) && arm >= 0 && arm < arms)) {
    throw new TsallisError("ERR_ARM", "arm", arm, `arm must be an integer in [0, ${arms - 1}], got ${show(arm)}`);
  }
}

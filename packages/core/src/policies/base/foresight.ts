import { show, TsallisError } from "../../errors.js";
import { LARGEST_LOSS } from "../../largestLoss.js";
import { requireArm } from "../../requireArm.js";

/** Checks the extra losses that are known ahead: one number per arm, of the size that losses may have. */
export function requireAhead(ahead: ArrayLike<number>, arms: number): void {
  if (typeof ahead !== "object" || ahead === null || ahead.length !== arms) {
    throw new TsallisError("ERR_PARAMETER", "ahead", ahead, `ahead must be a list of ${arms} numbers, one for each arm, got ${show(ahead)}`);
  }
  for (let arm = 0; arm < arms; arm++) {
    const extra: unknown = ahead[arm];
    if (typeof extra === "number" && Math.abs(extra) <= LARGEST_LOSS) continue;
    throw new TsallisError("ERR_LOSS", `ahead[${arm}]`, extra, `ahead[${arm}] must be a number of size at most ${LARGEST_LOSS}, got ${show(extra)}`);
  }
}

/** Checks the arms that must not be chosen: at least one other arm must be left. */
export function requireExcept(except: readonly number[], arms: number): void {
  if (!Array.isArray(except)) throw new TsallisError("ERR_PARAMETER", "except", except, `except must be a list of arms, got ${show(except)}`);
  for (const arm of except) requireArm(arm, arms);
  if (new Set(except).size === arms) {
    throw new TsallisError("ERR_PARAMETER", "except", except, `except must leave at least one of the ${arms} arms, got ${show(except)}`);
  }
}

/** For a policy that can use neither. */
export function refuseForesight(policy: string, ahead: unknown, except?: unknown): void {
  if (ahead === undefined && except === undefined) return;
  const name = ahead === undefined ? "except" : "ahead";
  const message = `${policy} has no law that ${name} could change; leave it out, or take a policy whose entry in POLICIES says foresees: true, such as matched-tinf`;
  throw new TsallisError("ERR_FORESIGHT", name, ahead ?? except, message);
}

/** Takes the excluded arms out of a law, in place: the others share in proportion. If they all have underflowed to 0, they share alike. */
export function exclude(law: Float64Array, except: readonly number[]): Float64Array {
  for (const arm of except) law[arm] = 0;
  let rest = law.reduce((sum, x) => sum + x, 0);
  if (rest === 0) {
    law.fill(1);
    for (const arm of except) law[arm] = 0;
    rest = law.length - new Set(except).size;
  }
  for (let arm = 0; arm < law.length; arm++) law[arm]! /= rest;
  return law;
}

/** The arm of a law at which a uniform on [0, 1) lands. */
export function armAt(law: Float64Array, u: number): number {
  const last = law.length - 1;
  let arm = 0;
  let rest = u - law[0]!;
  while (rest >= 0 && arm < last) rest -= law[++arm]!;
  // Rounding can leave u beyond the sum; the last arm with any probability then takes it.
  while (law[arm] === 0) arm--;
  return arm;
}

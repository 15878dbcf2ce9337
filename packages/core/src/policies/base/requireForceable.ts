import { show, TsallisError } from "../../errors.js";

/** An arm less likely than this cannot be forced: its importance weight would be meaningless. */
const SMALLEST_PROBABILITY = 1e-300;

/** Refuses to force an arm from which a policy that divides by its probability could learn nothing. */
export function requireForceable(arm: number, probability: number): void {
  if (probability >= SMALLEST_PROBABILITY) return;
  const message = `arm ${arm} has probability ${show(probability)}, below 1e-300, so nothing can be learnt from it; leave that round out`;
  throw new TsallisError("ERR_PROBABILITY", "arm", arm, message);
}

import { completeOptions, type Parameter } from "../parameters.js";

/** The moment order that every environment declares (the paper's Assumption 1). */
export const ALPHA = {
  type: "number",
  above: 1,
  atMost: 2,
  description: "the moment order at which the environment promises its sigma",
} as const satisfies Parameter;

/** Guards the argument of `sigma(alpha)`. */
export function requireAlpha(alpha: number): number {
  return completeOptions({ alpha: ALPHA }, { alpha }).alpha;
}

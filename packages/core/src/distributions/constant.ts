import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteDistribution } from "./discreteDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { VALUE_RANGE } from "./ranges.js";

export const CONSTANT = {
  value: { ...VALUE_RANGE, description: "the only value" },
} as const satisfies Parameters;

/**
 * Sampling it draws no random number.
 *
 * @example
 * ```ts
 * import { constant } from "tsallis";
 *
 * const distribution = constant({ value: 0.5 });
 * console.log(distribution.mean, distribution.variance); // 0.5 0
 * ```
 */
export function constant(options: Completed<typeof CONSTANT>, path = ""): DetailedDistribution {
  const { value } = completeOptions(CONSTANT, options, path);
  return discreteDistribution({ distribution: "constant", value }, value, 1, () => value);
}

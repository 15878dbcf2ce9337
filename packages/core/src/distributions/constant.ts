import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";
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
 * const law = constant({ value: 0.5 });
 * console.log(law.mean, law.variance); // 0.5 0
 * ```
 */
export function constant(options: Completed<typeof CONSTANT>, path = ""): Law {
  const { value } = completeOptions(CONSTANT, options, path);
  return discreteLaw({ distribution: "constant", value }, value, 1, () => value);
}

import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";
import { VALUE_RANGE } from "./ranges.js";

export const CONSTANT = {
  value: { ...VALUE_RANGE, description: "the only value" },
} as const satisfies Parameters;

/** Sampling it draws no random number. */
export function constant(options: Completed<typeof CONSTANT>, path = ""): Law {
  const { value } = completeOptions(CONSTANT, options, path);
  return discreteLaw({ distribution: "constant", value }, value, 1, () => value);
}

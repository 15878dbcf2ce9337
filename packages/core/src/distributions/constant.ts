import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";

export const CONSTANT = {
  value: { type: "number", description: "the only value" },
} as const satisfies Parameters;

/** It draws no random number. */
export function constant(options: Completed<typeof CONSTANT>, path = ""): Law {
  const { value } = completeOptions(CONSTANT, options, path);
  return discreteLaw({ distribution: "constant", value }, value, 1, () => value);
}

import type { Parameters } from "../../parameters.js";

/** For a policy that differs from its print in what it plays: the literal one, at its literal cost and without the repair. The header of each says what it differs in. */
export const VARIANT_PARAMETERS = {
  variant: { type: "name", names: ["published"], optional: true, description: "to the letter of its source; by default as the reference page says" },
} as const satisfies Parameters;

/** The ratio of the grid on which the number of samples is frozen; undefined: that of the grid itself. */
export function gridRatio({ variant }: { readonly variant?: "published" }): number | undefined {
  return variant === undefined ? undefined : 1;
}

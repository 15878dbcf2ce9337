import type { Parameter, Parameters } from "../../parameters.js";

/** The number of arms, a parameter of every policy's constructor. */
export const ARMS = { type: "integer", atLeast: 1, atMost: 2147483647, description: "number of arms" } as const satisfies Parameter;

export const ALPHA = { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded" } as const satisfies Parameter;

export const SIGMA = {
  type: "number",
  atLeast: 1e-290,
  atMost: 1e290,
  description: "E|loss|^alpha is at most sigma^alpha in every round, for every arm",
} as const satisfies Parameter;

/** The last round that may be played: the base of all policies refuses the next one. */
export const HORIZON = { type: "integer", atLeast: 1, description: "number of rounds that will be played" } as const satisfies Parameter;

/** For a policy that differs from its print in what it plays: the literal one, at its literal cost and without the repair. The header of each says what it differs in. */
export const VARIANT_PARAMETERS = {
  variant: { type: "name", names: ["published"], optional: true, description: "to the letter of its source; by default as the reference page says" },
} as const satisfies Parameters;

/** The ratio of the grid on which the number of samples is frozen; undefined: that of the grid itself. */
export function gridRatio({ variant }: { readonly variant?: "published" }): number | undefined {
  return variant === undefined ? undefined : 1;
}

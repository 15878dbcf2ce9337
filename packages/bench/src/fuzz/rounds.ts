import type { Kind } from "./kinds.js";

/** The rounds of a world of values or of changes; the changes are spread over them. */
export const ROUNDS = 20_000;
/** The rounds of a world of rare events. In 20,000 rounds a policy can afford some 50 plays of each arm that looks bad, and all of them miss an event of 1 in 20 with probability 0.08. */
const RARE_ROUNDS = 50_000;

export function roundsOf(kind: Kind): number {
  return kind === "rare" ? RARE_ROUNDS : ROUNDS;
}

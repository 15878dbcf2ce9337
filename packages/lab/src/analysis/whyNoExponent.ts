import { tailStart } from "../statistics/growth.js";
import type { SummaryRow } from "./summary.js";

/** Why no power of the rounds could be fitted to a policy's regret, in a few words. */
export function whyNoExponent({ seeds, checkpoints }: SummaryRow): string {
  if (seeds < 2) return seeds === 0 ? "no run completed" : "one seed is too few";
  const start = tailStart(checkpoints.map(({ round }) => round));
  if (start === null) return "too few checkpoints";
  return checkpoints.slice(start).some(({ mean }) => mean <= 0) ? "regret is not positive" : "regret may as well be negative";
}

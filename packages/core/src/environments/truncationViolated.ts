import { negated } from "../distributions/negated.js";
import { pareto } from "../distributions/pareto.js";
import { SCALE_RANGE } from "../distributions/ranges.js";
import { shifted } from "../distributions/shifted.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireShape } from "./requireShape.js";

export const TRUNCATION_VIOLATED = {
  alpha: ALPHA,
  arms: { type: "integer", atLeast: 2, description: "the number of arms; arm 0 is the best" },
  shape: { type: "number", above: 1, atMost: 1000, description: "the tail index of the Pareto noise, above alpha" },
  scale: { ...SCALE_RANGE, description: "the scale of the Pareto noise" },
  gap: { type: "number", above: 0, atMost: 1e100, description: "how far the other arms' mean lies above the best arm's" },
} as const satisfies Parameters;

/**
 * The control that breaks truncated non-negativity. With P Pareto of mean m, the loss of the other arms is P + gap and that of arm 0 is 2 m - P, the mirror image
 * of P about its mean. The means are m + gap and m, all positive, but arm 0's heavy tail points left: E[X 1{|X| > M}] < 0 for large M, whatever m.
 * A policy that leaves out large losses sees arm 0 as worse than it is, and the others as better.
 */
export function truncationViolated(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(TRUNCATION_VIOLATED, options, path);
  const { alpha, arms, shape, scale, gap } = completed;
  requireShape(shape, alpha, `${path}shape`);
  const noise = pareto({ shape, scale });
  const best = shifted({ by: 2 * noise.mean, of: negated({ of: noise }) });
  const other = shifted({ by: gap, of: noise });
  const distributions = Array.from({ length: arms }, (_, arm) => (arm === 0 ? best : other));
  return phased("truncation-violated", completed, seed, [distributions], () => 0);
}

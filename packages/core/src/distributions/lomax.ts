// Lomax (Pareto II): P(X >= x) = (1 + x / scale)^-shape for x >= 0 (K. S. Lomax, J. Amer. Stat. Assoc. 49, 1954). It is Burr XII with c = 1.
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { burrWithSpec } from "./burr.js";
import type { DetailedDistribution } from "./distribution.js";
import { SCALE_RANGE, SHAPE_RANGE } from "./ranges.js";

export const LOMAX = {
  shape: { ...SHAPE_RANGE, description: "the tail index: E|X|^a is finite for a below it" },
  scale: { ...SCALE_RANGE, description: "the unit of X" },
} as const satisfies Parameters;

/**
 * Lomax (Pareto II), a Pareto that starts at 0: P(X >= x) = (1 + x / scale)^-shape.
 *
 * @example
 * ```ts
 * import { lomax } from "tsallis";
 *
 * const distribution = lomax({ shape: 1.5, scale: 1 });
 * console.log(distribution.mean, distribution.variance); // 2 Infinity
 * ```
 */
export function lomax(options: Completed<typeof LOMAX>, path = ""): DetailedDistribution {
  const { shape, scale } = completeOptions(LOMAX, options, path);
  return burrWithSpec({ distribution: "lomax", shape, scale }, 1, shape, scale);
}

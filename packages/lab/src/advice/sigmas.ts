import { elementary } from "tsallis";
import type { Interval } from "../statistics/interval.js";

/** The orders of the moments in the findings. */
export const ORDERS = [1.1, 1.25, 1.5, 1.75, 2] as const;

/**
 * The empirical sigma = (mean |loss|^alpha)^(1/alpha), and whether the tail allows that moment to exist. If the moment is infinite, the number merely
 * grows with the data.
 */
export interface Sigma {
  readonly alpha: number;
  readonly sigma: number;
  readonly moment: "finite" | "doubtful" | "infinite";
}

/** Sigma at each order, given the interval of the tail index; null if the index is unknown. */
export function sigmasOf(sigmaAt: (alpha: number) => number, index: Interval | null): Sigma[] {
  return ORDERS.map((alpha) => ({ alpha, sigma: sigmaAt(alpha), moment: existence(alpha, index) }));
}

export function sigmaOf(losses: Float64Array, alpha: number): number {
  // In units of the largest loss, whose square may overflow a double.
  let largest = 0;
  for (const loss of losses) largest = Math.max(largest, Math.abs(loss));
  if (largest === 0) return 0;
  let sum = 0;
  for (const loss of losses) {
    const size = Math.abs(loss) / largest;
    sum += alpha === 2 ? size * size : elementary.pow(size, alpha);
  }
  return largest * elementary.pow(sum / losses.length, 1 / alpha);
}

function existence(alpha: number, index: Interval | null): Sigma["moment"] {
  if (index === null || (alpha > index.low && alpha < index.high)) return "doubtful";
  return alpha <= index.low ? "finite" : "infinite";
}

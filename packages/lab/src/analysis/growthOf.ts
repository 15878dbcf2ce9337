import type { Estimate } from "tsallis/statistics";
import { type Growth, growth, localExponents } from "../statistics/growth.js";
import type { MeanCurve } from "../statistics/meanCurve.js";

/** How a cell's mean regret grows. */
export interface CellGrowth {
  readonly decades: readonly { readonly from: number; readonly to: number; readonly exponent: Estimate; readonly ofLogarithm: number }[];
  /** Null if neither a logarithm nor a power can be fitted. */
  readonly fits: Growth | null;
}

export function growthOf(rounds: readonly number[], curve: MeanCurve): CellGrowth {
  const decades = localExponents(rounds, curve).flatMap(({ exponent, ...decade }) => (exponent === null ? [] : [{ ...decade, exponent }]));
  return { decades, fits: growth(rounds, curve) };
}

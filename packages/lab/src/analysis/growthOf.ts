import { type Growth, growth } from "../statistics/growth.js";
import type { Estimate } from "../statistics/interval.js";
import { localExponents } from "../statistics/localExponents.js";
import { meanCurve } from "../statistics/meanCurve.js";
import type { Resampler } from "../statistics/resamples.js";
import type { Cell } from "./cells.js";

/** How a cell's mean regret grows. */
export interface CellGrowth {
  readonly decades: readonly { readonly from: number; readonly to: number; readonly exponent: Estimate; readonly ofLogarithm: number }[];
  /** Null if neither a logarithm nor a power can be fitted. */
  readonly laws: Growth | null;
}

export function growthOf(cell: Cell, resampler: Resampler): CellGrowth {
  const traces = [...cell.traces.values()];
  const rounds = traces[0]?.round ?? [];
  const curve = meanCurve(
    traces.map(({ pseudoRegret }) => pseudoRegret),
    resampler(traces.length),
  );
  const decades = localExponents(rounds, curve).flatMap(({ exponent, ...decade }) => (exponent === null ? [] : [{ ...decade, exponent }]));
  return { decades, laws: growth(rounds, curve) };
}

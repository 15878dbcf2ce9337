import type { Estimate } from "../statistics/interval.js";
import { FEWEST_LOSSES } from "./armLosses.js";
import { Z95 } from "./confidence.js";
import { type Excesses, excesses, pooledExcesses } from "./excesses.js";
import { hill } from "./hill.js";

/** Eight shares per decade, from one half downwards. */
const DIGITS = [5, 4, 3, 2.5, 2, 1.6, 1.25, 1] as const;
/** An estimate from fewer values is noise. */
const FEWEST = 5;

/** Hill's estimate with the given share of the values, the largest ones, as the tail. */
export interface HillPoint {
  readonly share: number;
  readonly pooled: Estimate;
  /** In the order of the arms; null for an estimate from fewer than five values. */
  readonly arms: readonly (number | null)[];
}

/**
 * How the estimate depends on where the tail begins. Shares of the values instead of k give arms of different length one axis. The samples are in
 * ascending order.
 */
export function hillPlot(samples: readonly Float64Array[]): HillPoint[] {
  const values = samples.reduce((sum, { length }) => sum + length, 0);
  if (values < FEWEST_LOSSES) return [];
  const points: HillPoint[] = [];
  for (let exponent = -1; ; exponent--) {
    for (const digit of DIGITS) {
      const share = Number(`${digit}e${exponent}`);
      const tails = samples.map((sorted) => tailWith(sorted, Math.round(sorted.length * share)));
      const present = tails.filter((tail) => tail !== null);
      if (present.reduce((sum, { k }) => sum + k, 0) < FEWEST) return points;
      const arms = tails.map((tail) => (tail !== null && tail.k >= FEWEST ? hill(tail, Z95).estimate : null));
      points.push({ share, pooled: hill(pooledExcesses(present), Z95), arms });
    }
  }
}

function tailWith(sorted: Float64Array, k: number): Excesses | null {
  return k > 0 && k < sorted.length ? excesses(sorted, k) : null;
}

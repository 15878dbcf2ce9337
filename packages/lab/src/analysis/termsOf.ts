import type { Estimate } from "../statistics/interval.js";
import { intervalAt, meanCurve } from "../statistics/meanCurve.js";
import type { Resampler } from "../statistics/resamples.js";
import type { Cell } from "./cells.js";

/** A column of the anatomy, summarised over the seeds. */
export interface Term {
  readonly name: string;
  readonly rounds: readonly number[];
  /** One per round. */
  readonly means: readonly number[];
  /** At the horizon. */
  readonly final: Estimate;
  /** The means of the proof's bound on this term; null if there is none. */
  readonly bound: readonly number[] | null;
}

const NAMES = ["expectedRegret", "skippingGap", "ftrlErrorMean", "ftrlError", "A", "B", "lambda"];

/** The terms of a cell's regret; empty if they were not recorded. */
export function termsOf({ traces }: Cell, resampler: Resampler): Term[] {
  const all = [...traces.values()];
  const curveOf = (name: string) => {
    const columns = all.flatMap(({ anatomy }) => (anatomy !== null && name in anatomy ? [anatomy[name]!] : []));
    return columns.length === 0 || columns.length < all.length ? null : meanCurve(columns, resampler(columns.length));
  };
  return NAMES.flatMap((name) => {
    const curve = curveOf(name);
    if (curve === null) return [];
    const { means } = curve;
    const final = { estimate: means.at(-1)!, ...intervalAt(curve, means.length - 1) };
    return [{ name, rounds: all[0]!.round, means, final, bound: curveOf(`bound.${name}`)?.means ?? null }];
  });
}

import type { Estimate } from "tsallis/statistics";
import { meanInterval } from "../statistics/meanInterval.js";
import type { Resamples } from "../statistics/resamples.js";
import type { ReadCell } from "./readCell.js";

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
export function termsOf({ cell, terms }: ReadCell, resamples: Resamples): Term[] {
  return NAMES.flatMap((name) => {
    const term = terms.get(name);
    if (term === undefined) return [];
    const { means, finals } = term;
    const final = { estimate: means.at(-1)!, ...meanInterval(finals, resamples) };
    return [{ name, rounds: cell.rounds, means, final, bound: terms.get(`bound.${name}`)?.means ?? null }];
  });
}

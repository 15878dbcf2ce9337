import type { Experiment } from "../document/experiment.js";
import { environmentOf } from "../document/resolveRun.js";
import { withValue } from "../document/sweepPoints.js";
import { type Rounds, uniformRegret } from "../theory/uniformRegret.js";
import type { Cell } from "./cells.js";
import { lastInterval } from "./lastInterval.js";
import { neverLearned } from "./neverLearned.js";

/** The share of a cell's runs that never learned; null where that can not be said. */
export type NeverLearnedOf = (cell: Cell) => number | null;

/** Answers for the cells of an experiment. What uniform play would have depends on the environment alone, and is computed once for all policies and seeds. */
export function neverLearnedOf(experiment: Experiment): NeverLearnedOf {
  const known = new Map<string, number>();
  return (cell) => {
    const traces = [...cell.traces.values()];
    const interval = lastInterval(traces[0]?.round ?? []);
    if (interval === null) return null;
    const key = JSON.stringify([cell.environment, cell.sweep, interval]);
    const uniform = known.get(key) ?? uniformIn(experiment, cell, interval);
    known.set(key, uniform);
    return neverLearned(traces, uniform);
  };
}

/**
 * With the first seed of the document: no environment of the library has gaps that depend on the seed, but for which arm has them. NaN where the environment can not
 * be made, as when results are read back without the module that it comes from.
 */
function uniformIn(experiment: Experiment, { environment, sweep }: Cell, interval: Rounds): number {
  try {
    const { environments, horizon, seeds } = sweep === null ? experiment : withValue(experiment, sweep);
    return uniformRegret(environmentOf(environments[environment]!, horizon, seeds[0]!), interval);
  } catch {
    return Number.NaN;
  }
}

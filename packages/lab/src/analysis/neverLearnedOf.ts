import type { Experiment } from "../document/experiment.js";
import { uniformRegret } from "../theory/uniformRegret.js";
import type { Cell } from "./cells.js";
import { lastInterval } from "./lastInterval.js";
import { neverLearned } from "./neverLearned.js";
import { worldOf } from "./worldOf.js";

/** The share of a cell's runs that never learned; null if unknown. */
export type NeverLearnedOf = (cell: Cell) => number | null;

/**
 * Answers for the cells of an experiment. The regret of uniform play depends on the environment alone and is computed once for all policies and
 * seeds.
 */
export function neverLearnedOf(experiment: Experiment): NeverLearnedOf {
  const known = new Map<string, number>();
  return (cell) => {
    const interval = lastInterval(cell.rounds);
    if (interval === null) return null;
    const key = JSON.stringify([cell.environment, cell.sweep, interval]);
    let uniform = known.get(key);
    if (uniform === undefined) {
      const world = worldOf(experiment, cell);
      uniform = world === null ? Number.NaN : uniformRegret(world, interval);
      known.set(key, uniform);
    }
    return neverLearned(cell.dynamicSteps, uniform);
  };
}

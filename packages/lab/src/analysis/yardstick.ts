import { mean } from "tsallis/statistics";
import type { Experiment } from "../document/experiment.js";
import { lastFifth } from "../run/lastFifth.js";
import { uniformRegret } from "../theory/uniformRegret.js";
import type { Cell } from "./cells.js";
import { isStuck } from "./stuck.js";
import { worldOf } from "./worldOf.js";

/**
 * A cell measured by uniform play, which depends on the environment alone and not on which other policies were played. Both are null if no run
 * completed, and where uniform play has no regret or none that is known.
 */
export interface Yardstick {
  /** The mean regret against the best arm of each round, as a share of the expected regret of uniform play. */
  readonly share: number | null;
  /** The share of the runs that are stuck. */
  readonly stuck: number | null;
}

/** The expected regret of uniform play in all rounds, and in the last fifth of them. */
interface Uniform {
  readonly whole: number;
  readonly lastFifth: number;
}

/** Answers for the cells of an experiment. Uniform play is computed once for all policies and seeds of an environment. */
export function yardstickOf(experiment: Experiment): (cell: Cell) => Yardstick {
  const known = new Map<string, Uniform>();
  return (cell) => {
    const horizon = cell.rounds.at(-1);
    if (horizon === undefined) return { share: null, stuck: null };
    const key = JSON.stringify([cell.environment, cell.sweep, horizon]);
    const uniform = known.get(key) ?? uniformIn(experiment, cell, horizon);
    known.set(key, uniform);
    return {
      share: isKnown(uniform.whole) ? finite(mean(cell.dynamicFinals) / uniform.whole) : null,
      stuck: isKnown(uniform.lastFifth) ? mean(cell.lastFifths.map((regret) => Number(isStuck(regret, uniform.lastFifth)))) : null,
    };
  };
}

function uniformIn(experiment: Experiment, cell: Cell, horizon: number): Uniform {
  const world = worldOf(experiment, cell);
  if (world === null) return { whole: Number.NaN, lastFifth: Number.NaN };
  const rounds = lastFifth(horizon);
  const late = uniformRegret(world, rounds);
  return { whole: uniformRegret(world, { from: 0, to: rounds.from }) + late, lastFifth: late };
}

function isKnown(regret: number): boolean {
  return regret > 0 && regret < Infinity;
}

/** JSON has no Infinity. */
function finite(share: number): number {
  return Math.min(share, Number.MAX_VALUE);
}

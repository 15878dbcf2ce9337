import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setImmediate } from "node:timers/promises";
import { accountableIfOwn } from "./conformance/accountable.js";
import type { Experiment, FrozenExperiment } from "./document/experiment.js";
import { resolveRun } from "./document/resolveRun.js";
import type { Run } from "./document/run.js";
import { chosenRuns, horizonOf } from "./document/runs.js";
import { readResults } from "./journal/readResults.js";
import { requireSameExperiment } from "./journal/resultsDirectory.js";
import { LabError } from "./labError.js";
import { describe } from "./run/executeRun.js";
import { Play } from "./run/play.js";
import type { Results } from "./run/results.js";

/** What an experiment would take. */
export interface DryRun {
  /** The runs that would be played; those that the folder already has are not among them. */
  readonly runs: number;
  /** The runs that the folder already has. */
  readonly found: number;
  readonly rounds: number;
  /** The threads of this machine that would play them; 0 if the workers of a queue would. */
  readonly threads: number;
  /** The estimated time of one core, for playing and for writing the results. */
  readonly coreSeconds: number;
  /** The estimated time with these threads, if nothing else keeps this machine busy; null if the workers of a queue would play. */
  readonly seconds: number | null;
  /** The estimated memory of the process. */
  readonly bytes: number;
  /**
   * What the estimate rests on: of how many cells (an environment, a policy, a swept value) a run was begun, for how long in all, and how much of a core's
   * time that was. On a busy machine it is less.
   */
  readonly sample: { readonly cells: number; readonly begun: number; readonly seconds: number; readonly coreSeconds: number };
  /** The runs of the sample that failed. */
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

/** How the estimate is made. */
export interface DryRunOptions {
  /** The folder that would be written to, which need not exist. */
  readonly directory: string;
  /** The most threads of this machine; 0 if the workers of a queue would play. */
  readonly workers: number;
  /** Counts only the runs whose id matches. */
  readonly only?: string;
  readonly signal: AbortSignal;
  /** Is told how much of the sample is done, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** The time of all samples together, and of one cell at most. */
const SAMPLES_MS = 4000;
const LONGEST_SAMPLE_MS = 300;
/** The first part only lets the engine compile: it plays its first ten thousand rounds of a policy several times more slowly than the later ones. */
const WARMING = 0.4;
const FIRST_ROUNDS = 64;
/** Starting threads, and writing the results: for any experiment, and for each cell. Measured on a core that plays a million rounds of HTINF per second. */
const START_SECONDS = 0.7;
const WRITING_SECONDS = 1.5;
const WRITING_SECONDS_PER_CELL = 0.01;
/** What a thread takes for itself, a run, and a cell in the analysis and the report. Measured too. */
const THREAD_BYTES = 35e6;
const RUN_BYTES = 1e3;
const CELL_BYTES = 80e3;

/** One environment, one policy, one swept value: runs that differ in their seeds alone. */
interface Cell {
  readonly run: Run;
  runs: number;
}

/** The cost of one run, in milliseconds. */
interface Cost {
  readonly made: number;
  readonly perRound: number;
}

/** Estimates what an experiment takes, from the beginning of one run of each cell, played on this thread. Writes nothing. */
export async function dryRun(frozen: FrozenExperiment, { directory, workers, only, signal, onProgress }: DryRunOptions): Promise<DryRun> {
  const { experiment } = frozen;
  const chosen = chosenRuns(experiment, only);
  const found = foundIn(directory, frozen);
  const runs = chosen.filter(({ id }) => !found.has(id));
  const cells = cellsOf(runs);
  const [begin, coreBegin] = [performance.now(), coreMs()];
  const before = process.memoryUsage.rss();
  const { costs, failed, warming } = await sampled(experiment, cells, signal, onProgress);
  const grown = Math.max(0, process.memoryUsage.rss() - before);
  const sample = { cells: cells.length, begun: costs.size, seconds: (performance.now() - begin) / 1000, coreSeconds: (coreMs() - coreBegin) / 1000 };

  const mean = meanOf([...costs.values()]);
  const lengths = cells.map((cell) => {
    const { made, perRound } = costs.get(cell) ?? mean;
    return { runs: cell.runs, seconds: (made + perRound * horizonOf(experiment, cell.run)) / 1000 };
  });
  const playing = lengths.reduce((sum, { runs, seconds }) => sum + runs * seconds, 0);
  const longest = lengths.reduce((most, { seconds }) => Math.max(most, seconds), 0);
  const writing = WRITING_SECONDS + WRITING_SECONDS_PER_CELL * cells.length;
  const threads = Math.min(workers, runs.length);
  const cores = Math.max(1, Math.min(threads, availableParallelism()));
  return {
    runs: runs.length,
    found: chosen.length - runs.length,
    rounds: runs.reduce((sum, run) => sum + horizonOf(experiment, run), 0),
    threads,
    coreSeconds: playing + threads * warming + writing,
    seconds: workers === 0 ? null : START_SECONDS + warming + Math.max(playing / cores, longest) + writing,
    bytes: before + threads * (THREAD_BYTES + grown) + chosen.length * RUN_BYTES + cells.length * CELL_BYTES,
    sample,
    failed,
  };
}

/** What the folder already has of this experiment. A folder that cannot be written to is refused, as it would be by the real run. */
function foundIn(directory: string, frozen: FrozenExperiment): Pick<Results, "has"> {
  if (!existsSync(directory)) return new Set();
  requireSameExperiment(directory, frozen);
  try {
    return readResults(directory).results;
  } catch (error) {
    if (error instanceof LabError && error.code === "ERR_RESULTS") return new Set();
    throw error;
  }
}

function cellsOf(runs: readonly Run[]): Cell[] {
  const cells = new Map<string, Cell>();
  for (const run of runs) {
    const key = JSON.stringify([run.environment, run.policy, run.sweep]);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, { run, runs: 1 });
    else cell.runs++;
  }
  return [...cells.values()];
}

/**
 * Goes through the cells twice, first to let the engine compile, which every thread has to do for itself. If that takes too long (a million arms, a busy
 * machine), some cells are left out: those that were only begun before the code was compiled would cost too much.
 */
async function sampled(experiment: Experiment, cells: readonly Cell[], signal: AbortSignal, onProgress?: (share: number) => void) {
  const costs = new Map<Cell, Cost>();
  const failed = new Map<Cell, { id: string; message: string }>();
  const share = Math.min(LONGEST_SAMPLE_MS, SAMPLES_MS / cells.length);
  const [begin, coreBegin] = [performance.now(), coreMs()];
  let warming = 0;
  for (const [pass, part] of [WARMING, 1 - WARMING].entries()) {
    costs.clear();
    for (const [i, cell] of spread(cells).entries()) {
      await setImmediate();
      signal.throwIfAborted();
      if (costs.size > 0 && performance.now() - begin > (pass + 1) * SAMPLES_MS) break;
      try {
        costs.set(cell, beginRun(experiment, cell.run, part * share));
      } catch (error) {
        costs.set(cell, { made: 0, perRound: 0 });
        failed.set(cell, { id: cell.run.id, message: describe(error).message });
      }
      onProgress?.((pass + (i + 1) / cells.length) / 2);
    }
    if (pass === 0) warming = (coreMs() - coreBegin) / 1000;
  }
  return { costs, failed: [...failed.values()], warming };
}

/** The cells in an order in which neighbours are far apart, so that the first ones stand for all. */
function spread(cells: readonly Cell[]): Cell[] {
  const golden = (Math.sqrt(5) - 1) / 2;
  return cells
    .map((cell, i) => ({ cell, place: (i * golden) % 1 }))
    .sort((a, b) => a.place - b.place)
    .map(({ cell }) => cell);
}

/** Plays a run for about this long, in steps that double; the last of them, or the whole run, tells the cost of a round in a core's time. */
function beginRun(experiment: Experiment, run: Run, milliseconds: number): Cost {
  const begin = coreMs();
  const resolved = resolveRun(experiment, run);
  const { anatomy, runHash = false } = experiment;
  const play = new Play(resolved, { seed: run.seed, anatomy, runHash, between: accountableIfOwn });
  const made = coreMs() - begin;
  for (let step = FIRST_ROUNDS; ; step *= 2) {
    const [from, since] = [play.round, coreMs()];
    play.advance(Math.min(resolved.horizon, from + step));
    const now = coreMs();
    if (play.round === resolved.horizon) return { made, perRound: (now - begin - made) / resolved.horizon };
    if (now - begin + 2 * (now - since) > milliseconds) return { made, perRound: (now - since) / step };
  }
}

function meanOf(costs: readonly Cost[]): Cost {
  const mean = (value: (cost: Cost) => number) => costs.reduce((sum, cost) => sum + value(cost), 0) / costs.length;
  return { made: mean(({ made }) => made), perRound: mean(({ perRound }) => perRound) };
}

/** The time that this process has taken of the cores: unlike a clock, it does not run while other processes do. */
function coreMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

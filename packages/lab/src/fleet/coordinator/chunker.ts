import type { Experiment } from "../../document/experiment.js";
import type { Run } from "../../document/run.js";
import { horizonOf } from "../../document/runs.js";

/** A chunk should take so many seconds: a queue's some milliseconds per chunk are then far below 1 %. */
const TARGET = 2;
/** Towards the end chunks get smaller, so that no worker is waited for; but not smaller than this, in seconds. */
const LEAST = 0.1;
/** A chunk holds at most so many runs, whatever they cost: their traces have to fit into one answer. */
const MOST = 512;
/** The work left is cut into so many chunks per slot, at least. */
const SHARES = 2;

interface Cost {
  seconds: number;
  rounds: number;
}

/** Cuts the runs that wait into chunks, by what runs of their kind have taken so far. */
export class Chunker {
  readonly #experiment: Experiment;
  readonly #runs: readonly Run[];
  readonly #skip: ReadonlySet<string>;
  readonly #costs = new Map<string, Cost>();
  readonly #all: Cost = { seconds: 0, rounds: 0 };
  #next = 0;
  #roundsLeft = 0;

  /** The runs in `skip` are somebody else's. */
  constructor(experiment: Experiment, runs: readonly Run[], skip: ReadonlySet<string>) {
    this.#experiment = experiment;
    this.#runs = runs;
    this.#skip = skip;
    for (const run of runs) if (!skip.has(run.id)) this.#roundsLeft += horizonOf(experiment, run);
  }

  /** The next chunk, for a fleet with so many slots; empty when all runs have been given out. */
  next(slots: number): Run[] {
    const left = this.#roundsLeft * perRound(this.#all);
    const limit = Math.max(LEAST, Math.min(TARGET, left / (SHARES * slots)));
    const dearest = this.#dearest();
    const chunk: Run[] = [];
    for (let seconds = 0; this.#next < this.#runs.length && chunk.length < MOST; this.#next++) {
      const run = this.#runs[this.#next]!;
      if (this.#skip.has(run.id)) continue;
      const known = this.#costs.get(kindOf(run));
      seconds += horizonOf(this.#experiment, run) * (known === undefined ? dearest : perRound(known));
      if (chunk.length > 0 && !(seconds <= limit)) break;
      chunk.push(run);
      this.#roundsLeft -= horizonOf(this.#experiment, run);
    }
    return chunk;
  }

  /** A run took so long. */
  learn(run: Run, seconds: number): void {
    const rounds = horizonOf(this.#experiment, run);
    const kind = kindOf(run);
    const cost = this.#costs.get(kind) ?? { seconds: 0, rounds: 0 };
    this.#costs.set(kind, cost);
    for (const sum of [cost, this.#all]) {
      sum.seconds += seconds;
      sum.rounds += rounds;
    }
  }

  /** What has not been seen yet is taken to be as dear as the dearest that has, per round; before anything has, it may take forever. */
  #dearest(): number {
    if (this.#costs.size === 0) return Infinity;
    let dearest = 0;
    for (const cost of this.#costs.values()) dearest = Math.max(dearest, perRound(cost));
    return dearest;
  }
}

/** Runs that differ in the seed alone cost alike. */
function kindOf({ environment, policy, sweep }: Run): string {
  return JSON.stringify([environment, policy, sweep?.path, sweep?.value]);
}

function perRound({ seconds, rounds }: Cost): number {
  return rounds === 0 ? 0 : seconds / rounds;
}

import type { Experiment } from "../../document/experiment.js";
import type { Run } from "../../document/run.js";
import { horizonOf } from "../../document/runs.js";

/** The target duration of a chunk. The queue needs a few milliseconds per chunk, which is then far below 1 %. */
const TARGET_SECONDS = 2;
/** Towards the end chunks become smaller, so that the others need not wait for one worker, but never smaller than this. */
const LEAST_SECONDS = 0.1;
/** The most runs in a chunk, however cheap they are, because all their traces have to fit into one answer. */
const MOST_RUNS = 512;
/** The remaining work is cut into at least this many chunks per slot. */
const SHARES = 2;

interface Cost {
  seconds: number;
  rounds: number;
}

/** Cuts the waiting runs into chunks, by the time that runs of their kind have taken so far. */
export class Chunker {
  readonly #experiment: Experiment;
  readonly #runs: readonly Run[];
  readonly #skip: ReadonlySet<string>;
  readonly #costs = new Map<string, Cost>();
  readonly #all: Cost = { seconds: 0, rounds: 0 };
  #next = 0;
  #roundsLeft = 0;

  /** The runs in `skip` belong to chunks that are already in the queue. */
  constructor(experiment: Experiment, runs: readonly Run[], skip: ReadonlySet<string>) {
    this.#experiment = experiment;
    this.#runs = runs;
    this.#skip = skip;
    for (const run of runs) if (!skip.has(run.id)) this.#roundsLeft += horizonOf(experiment, run);
  }

  /** The next chunk, for a fleet with the given number of slots; empty when all runs have been handed out. */
  next(slots: number): Run[] {
    const leftSeconds = this.#roundsLeft * perRound(this.#all);
    const limitSeconds = Math.max(LEAST_SECONDS, Math.min(TARGET_SECONDS, leftSeconds / (SHARES * slots)));
    const dearest = this.#dearest();
    const chunk: Run[] = [];
    for (let seconds = 0; this.#next < this.#runs.length && chunk.length < MOST_RUNS; this.#next++) {
      const run = this.#runs[this.#next]!;
      if (this.#skip.has(run.id)) continue;
      const known = this.#costs.get(kindOf(run));
      seconds += horizonOf(this.#experiment, run) * (known === undefined ? dearest : perRound(known));
      if (chunk.length > 0 && !(seconds <= limitSeconds)) break;
      chunk.push(run);
      this.#roundsLeft -= horizonOf(this.#experiment, run);
    }
    return chunk;
  }

  /** Records how long a run took. */
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

  /** The cost per round of a kind that has not been seen yet: that of the dearest kind so far, or Infinity before any is known. */
  #dearest(): number {
    if (this.#costs.size === 0) return Infinity;
    let dearest = 0;
    for (const cost of this.#costs.values()) dearest = Math.max(dearest, perRound(cost));
    return dearest;
  }
}

/** Runs that differ only in the seed cost about the same. */
function kindOf({ environment, policy, sweep }: Run): string {
  return JSON.stringify([environment, policy, sweep?.path, sweep?.value]);
}

function perRound({ seconds, rounds }: Cost): number {
  return rounds === 0 ? 0 : seconds / rounds;
}

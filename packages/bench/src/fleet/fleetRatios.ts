import { type Executor, freezeExperiment, runsOf, threadsExecutor } from "@tsallis/lab";
import { queueExecutor } from "@tsallis/lab/fleet";
import { processRate, WORKERS } from "../lab/benchLab.js";
import { labExperiment } from "../lab/labExperiment.js";
import { Progress } from "../progress.js";
import type { Ratio } from "../ratio.js";
import { withWorkers } from "./benchWorkers.js";

export interface RateSize {
  readonly rounds: number;
  readonly runs: number;
  readonly repetitions: number;
}

/** A result that comes this soon after the first one was finished with it: the coordinator looks for results ten times a second. */
const TOGETHER_MS = 50;

/** Compares two workers of one thread each with two bare processes, and one worker with threads of this process. Takes the best of some repetitions of each, in turn. */
export async function fleetRatios(url: string, threads: number, { rounds, runs, repetitions }: RateSize, signal: AbortSignal): Promise<Ratio[]> {
  const fleetRate = (workers: number, concurrency: number) => () =>
    withWorkers(url, { workers, concurrency }, signal, () => rate(queueExecutor(url), rounds, runs, signal));
  const [two, bare, one, local] = await bestInTurn(
    [
      fleetRate(WORKERS, 1),
      () => processRate(rounds, runs, signal),
      fleetRate(1, threads),
      () => rate(threadsExecutor(threads), rounds, runs, signal),
    ],
    repetitions,
  );
  return [
    { name: "rounds per second: two workers to two bare processes", asked: "at least 0.9", measured: two! / bare! },
    { name: `rounds per second: one worker to threads of one machine, ${threads} at once`, asked: "at least 0.95", measured: one! / local! },
  ];
}

async function bestInTurn(measures: readonly (() => Promise<number>)[], repetitions: number): Promise<number[]> {
  const found: number[][] = measures.map(() => []);
  const progress = new Progress("fleets, processes and threads", measures.length * repetitions);
  try {
    for (let repetition = 0; repetition < repetitions; repetition++) {
      for (const [i, measure] of measures.entries()) {
        found[i]!.push(await measure());
        progress.step();
      }
    }
  } finally {
    progress.stop();
  }
  return found.map((each) => Math.max(...each));
}

/** Rounds per millisecond from the first result to the last one, so that the start does not count. */
async function rate(executor: Executor, rounds: number, runs: number, signal: AbortSignal): Promise<number> {
  const frozen = freezeExperiment(labExperiment(rounds, runs));
  let first: number | undefined;
  let last = 0;
  let timed = 0;
  const listener = {
    onRounds() {},
    onResult() {
      last = performance.now();
      first ??= last;
      if (last - first >= TOGETHER_MS) timed += rounds;
    },
  };
  await executor.execute(frozen, runsOf(frozen.experiment), listener, signal);
  return timed / (last - first!);
}

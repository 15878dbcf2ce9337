import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { print } from "@tsallis/cli/dist/text/output.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { freezeExperiment, runsOf, threadsExecutor } from "@tsallis/lab";
import { SIGMA } from "../policies/lossTable.js";
import { Progress } from "../progress.js";
import type { Ratio } from "../ratio.js";
import { labExperiment } from "./labExperiment.js";
import type { LabTask } from "./labTimerThread.js";

/** How much work is timed. */
export interface LabSize {
  readonly overhead: { readonly rounds: number; readonly repetitions: number };
  readonly workers: { readonly rounds: number; readonly runs: number; readonly repetitions: number };
}

const FULL: LabSize = { overhead: { rounds: 1_000_000, repetitions: 9 }, workers: { rounds: 1_000_000, runs: 8, repetitions: 6 } };
const ALPHAS = [2, 1.5];
/** The number of workers, and of processes to compare them with. */
export const WORKERS = 2;
const PROCESS = fileURLToPath(new URL("./labProcess.js", import.meta.url));

/** Prints what the lab costs, compared with the bare policies that it runs. */
export async function benchLab(signal: AbortSignal): Promise<void> {
  const ratios = [...(await overheads(FULL.overhead, signal)), await workerRatio(FULL.workers, signal)];
  const rows = ratios.map(({ name, asked, measured }) => [name, asked, measured.toFixed(2)]);
  await print(`Ratios within this run\n${formatTable(["ratio", "asked", "measured"], rows)}`);
}

/** Compares a run in the lab with the bare loop of choose and update on the same losses, for each alpha. Takes the best of some repetitions of each, in turn, in its own thread. */
export async function overheads({ rounds, repetitions }: LabSize["overhead"], signal: AbortSignal): Promise<Ratio[]> {
  const tasks = ALPHAS.flatMap((alpha) => [true, false].map((lab): LabTask => ({ spec: { policy: "htinf", alpha, sigma: SIGMA }, rounds, lab })));
  const threads = tasks.map(() => new Worker(new URL("./labTimerThread.js", import.meta.url)));
  const times: number[][] = tasks.map(() => []);
  const progress = new Progress("the lab's overhead", tasks.length * (repetitions + 1));
  try {
    for (let repetition = -1; repetition < repetitions; repetition++) {
      for (const [i, task] of tasks.entries()) {
        threads[i]!.postMessage(task);
        const [time] = (await once(threads[i]!, "message", { signal })) as [number];
        if (repetition >= 0) times[i]!.push(time);
        progress.step();
      }
    }
  } finally {
    progress.stop();
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
  const best = times.map((each) => Math.min(...each));
  return ALPHAS.map((alpha, i) => ({
    name: `HTINF, alpha ${alpha}, K = 10: a run in the lab to bare choose and update`,
    asked: "below 1.5",
    measured: best[2 * i]! / best[2 * i + 1]!,
  }));
}

/** Compares the rounds per second of two workers with those of two processes that play the same runs. Takes the best of some repetitions of each, in turn; the start does not count. */
export async function workerRatio({ rounds, runs, repetitions }: LabSize["workers"], signal: AbortSignal): Promise<Ratio> {
  const threads: number[] = [];
  const processes: number[] = [];
  const progress = new Progress("two workers and two processes", 2 * repetitions);
  try {
    for (let repetition = 0; repetition < repetitions; repetition++) {
      threads.push(await threadRate(rounds, runs, signal));
      progress.step();
      processes.push(await processRate(rounds, runs, signal));
      progress.step();
    }
  } finally {
    progress.stop();
  }
  const measured = Math.max(...threads) / Math.max(...processes);
  return { name: "rounds per second: two workers to two processes", asked: "at least 0.9", measured };
}

async function threadRate(rounds: number, runs: number, signal: AbortSignal): Promise<number> {
  const frozen = freezeExperiment(labExperiment(rounds, runs));
  let first: { readonly played: number; readonly at: number } | undefined;
  const listener = {
    onResult() {},
    onRounds(played: number) {
      first ??= { played, at: performance.now() };
    },
  };
  await threadsExecutor(WORKERS).execute(frozen, runsOf(frozen.experiment), listener, signal);
  return (rounds * runs - first!.played) / (performance.now() - first!.at);
}

/** Rounds per millisecond of bare processes that share the runs. */
export async function processRate(rounds: number, runs: number, signal: AbortSignal): Promise<number> {
  const shares = Array.from({ length: WORKERS }, (_, share) => [PROCESS, rounds, runs, share, WORKERS].map(String));
  const printed = await Promise.all(shares.map((args) => promisify(execFile)(process.execPath, args, { signal })));
  return printed.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

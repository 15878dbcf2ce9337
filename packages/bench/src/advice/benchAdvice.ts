import { print } from "@tsallis/cli/dist/text/output.js";
import { inThreads } from "../inThreads.js";
import { requireCount } from "../requireCount.js";
import { type AdviceResult, adviceResult } from "./adviceResult.js";
import { adviceTable } from "./adviceTable.js";
import { HELD_OUT, KINDS, type Kind } from "./kinds.js";
import type { AdviceRun, AdviceTask } from "./playAdvice.js";

export interface AdviceOptions {
  /** The kinds that were set aside, in place of those that the rules were fitted to. */
  readonly heldOut: boolean;
  readonly rounds: number;
  /** How many seeds pick the best rival; as many others judge. */
  readonly seeds: number;
  readonly json: boolean;
}

const MOST_ROUNDS = 10_000_000;
const MOST_SEEDS = 10_000;

/** Prints how the policies that `advise` recommends do on data sets of known distributions. */
export async function benchAdvice({ heldOut, rounds, seeds, json }: AdviceOptions, signal: AbortSignal): Promise<void> {
  requireCount("rounds", rounds, MOST_ROUNDS);
  requireCount("seeds", seeds, MOST_SEEDS);
  const results = await followed(heldOut ? HELD_OUT : KINDS, rounds, seeds, signal);
  await print(json ? `${JSON.stringify(results)}\n` : adviceTable(results));
}

/** Takes and follows the advice on every kind of data set. */
export async function followed(kinds: readonly Kind[], rounds: number, seeds: number, signal: AbortSignal): Promise<AdviceResult[]> {
  const tasks = kinds.flatMap((kind) => Array.from({ length: 2 * seeds }, (_, i): AdviceTask => ({ kind, seed: i + 1, rounds })));
  const runs = await inThreads<AdviceTask, AdviceRun>(new URL("./adviceThread.js", import.meta.url), "advice", tasks, signal);
  return kinds.map((kind, k) => {
    const first = 2 * seeds * k;
    return adviceResult(kind, runs.slice(first, first + seeds), runs.slice(first + seeds, first + 2 * seeds));
  });
}

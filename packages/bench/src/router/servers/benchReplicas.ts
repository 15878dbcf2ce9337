import { Progress } from "../../progress.js";
import { playReplicas, type ReplicaResult } from "./playReplicas.js";

export interface ReplicaSize {
  readonly requests: number;
  readonly repetitions: number;
}

/** Plays the equal replicas with the seeds 1 to `repetitions`, BalancedPool and our dispatcher in alternation. */
export async function benchReplicas({ requests, repetitions }: ReplicaSize, signal: AbortSignal): Promise<ReplicaResult[]> {
  const progress = new Progress("equal replicas", repetitions);
  const results: ReplicaResult[] = [];
  try {
    for (let seed = 1; seed <= repetitions; seed++) {
      results.push(...(await playReplicas(seed, requests, signal)));
      progress.step();
    }
  } finally {
    progress.stop();
  }
  return results;
}

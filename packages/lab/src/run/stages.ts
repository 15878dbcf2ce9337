import type { Results } from "./results.js";

/** What long work on results is doing. */
export const STAGES = ["reading the journal", "analysing the runs", "drawing the report", "writing the traces", "writing the other files"] as const;

/** One of them. */
export type Stage = (typeof STAGES)[number];

/** Called again and again during long work, with what it is doing and how much of that is done, from 0 to 1. */
export type OnStage = (stage: Stage, share: number) => void;

/** The same results; each read counts as a part of a stage. */
export function watched(results: Results, stage: Stage, onStage: OnStage | undefined): Results {
  if (onStage === undefined) return results;
  let read = 0;
  return {
    size: results.size,
    has: (id) => results.has(id),
    get: (id) => {
      onStage(stage, Math.min(1, read++ / results.size));
      return results.get(id);
    },
  };
}

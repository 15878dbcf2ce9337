import { Progress } from "../progress.js";
import { FUNCTIONS } from "./callTimer.js";
import { medianTimings } from "./measurement.js";

/** How much work is timed. */
export interface FunctionSize {
  readonly repetitions: number;
  /** Calls per repetition. */
  readonly calls: number;
}

/** Times the elementary functions. Returns the name and the nanoseconds of the library's and of the engine's. */
export async function benchFunctions({ calls, repetitions }: FunctionSize, signal: AbortSignal): Promise<[string, number, number][]> {
  const names = Object.keys(FUNCTIONS);
  const cells = names.flatMap((name) =>
    [false, true].map((engine) => ({ row: `${name} ${engine}`, every: 1 as const, task: { kind: "calls" as const, name, engine, calls } })),
  );
  const progress = new Progress("elementary functions", cells.length * (repetitions + 1));
  const timings = await medianTimings(cells, repetitions, signal, () => progress.step()).finally(() => progress.stop());
  return names.map((name, i) => [name, timings[2 * i]!.time, timings[2 * i + 1]!.time]);
}

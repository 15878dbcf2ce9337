import { print } from "@tsallis/cli/dist/text/output.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { Progress } from "../progress.js";
import { requireCount } from "../requireCount.js";
import { CELLS, measureStatistics } from "./measureStatistics.js";
import { statisticsTables } from "./statisticsTables.js";

export interface StatisticsOptions {
  /** For each distribution and number of seeds. */
  readonly trials: number;
  readonly json: boolean;
}

const MOST_TRIALS = 1_000_000;

/** Prints how often the lab's intervals miss and its tests give false alarms, for distributions whose means are known. The trials are the same on every machine. */
export async function benchStatistics({ trials, json }: StatisticsOptions, signal: AbortSignal): Promise<void> {
  requireCount("trials", trials, MOST_TRIALS);
  const progress = new Progress("statistics", CELLS);
  try {
    const result = await measureStatistics(trials, signal, () => progress.step());
    progress.stop();
    const tables = statisticsTables(result).map(({ title, headers, rows }) => `${title}\n${formatTable(headers, rows)}`);
    await print(json ? `${JSON.stringify(result)}\n` : tables.join("\n"));
  } finally {
    progress.stop();
  }
}

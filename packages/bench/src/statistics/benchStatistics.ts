import { measureStatistics } from "./measureStatistics.js";
import { statisticsTables, type TextTable } from "./statisticsTables.js";

export interface StatisticsOptions {
  /** Of each law and number of seeds; about a minute and a half of one core with 1,000. */
  readonly trials: number;
  readonly json: boolean;
}

const MOST_TRIALS = 1_000_000;

/** Says how often the lab's intervals miss and its tests give false alarms, with laws whose truth is known. The same trials on every machine. */
export async function benchStatistics({ trials, json }: StatisticsOptions, signal: AbortSignal): Promise<string> {
  if (!(Number.isInteger(trials) && trials >= 1 && trials <= MOST_TRIALS)) {
    throw new RangeError(`trials must be an integer in [1, ${MOST_TRIALS}], got ${JSON.stringify(trials)}`);
  }
  const result = await measureStatistics(trials, signal);
  return json ? `${JSON.stringify(result)}\n` : statisticsTables(result).map(plain).join("\n");
}

/** Columns apart by tabs, to be laid out by whoever prints them. */
function plain({ title, headers, rows }: TextTable): string {
  return `${[title, headers.join("\t"), ...rows.map((row) => row.join("\t"))].join("\n")}\n`;
}

import type { Coverage } from "./coverage.js";
import type { FalseAlarms } from "./falseAlarms.js";
import { SEEDS, type StatisticsResult } from "./measureStatistics.js";
import { ASKED } from "./sampleDistributions.js";
import type { Share } from "./share.js";

export interface TextTable {
  readonly title: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The power of Student's t test, exactly, by the noncentral t distribution. */
const BY_STUDENT = "92.4";

/** The number of seeds for which targets are set. */
const ASKED_AT = 20;

/** Everything that `bench statistics` prints. Every share is in percent, with its Monte Carlo standard error. */
export function statisticsTables({ coverage, falseAlarms, unpaired, power }: StatisticsResult): TextTable[] {
  const means = coverage.filter((row) => row.of === "mean");
  const exponents = coverage.filter((row) => row.of === "exponent");
  const seeds = SEEDS.map((n) => `${n} seeds`);
  const asked = `asked at ${ASKED_AT}`;
  return [
    {
      title: `How often the 95 % interval of a mean contains the true one, percent (${trialsOf(means)})`,
      headers: ["distribution", ...seeds, asked],
      rows: byDistribution(means).map(([name, rows]) => [name, ...rows.map(percent), sought("at least", ASKED[name]?.coverage)]),
    },
    {
      title: "The length of these intervals divided by that of Student's, median",
      headers: ["distribution", ...seeds],
      rows: byDistribution(means).map(([name, rows]) => [name, ...rows.map(({ width }) => width?.toFixed(2) ?? "-")]),
    },
    {
      title: `How often the 95 % interval of the exponent of a mean curve contains the true one, percent (${trialsOf(exponents)})`,
      headers: ["curves", ...seeds],
      rows: byDistribution(exponents).map(([name, rows]) => [name, ...rows.map(percent)]),
    },
    {
      title: `False alarms of the test for means at the 5 % level, differences seed by seed, percent (${trialsOf(falseAlarms)})`,
      headers: ["distribution, less its mean", ...seeds, asked],
      rows: byDistribution(falseAlarms).map(([name, rows]) => [name, ...rows.map(percent), sought("at most", ASKED[name]?.falseAlarms)]),
    },
    {
      title: `False alarms of the test for two samples at the 5 % level, percent (${trialsOf(unpaired)})`,
      headers: ["distribution, less its mean", ...byDistribution(unpaired)[0]![1].map(samples)],
      rows: byDistribution(unpaired).map(([name, rows]) => [name, ...rows.map(percent)]),
    },
    {
      title: `True alarms: a normal difference of 0.8 deviations at 20 seeds, percent (${trialsOf([power])})`,
      headers: ["distribution", "found", "by Student's t"],
      rows: [[power.distribution, percent(power), BY_STUDENT]],
    },
  ];
}

function byDistribution<T extends { readonly distribution: string }>(rows: readonly T[]): [string, T[]][] {
  return [...new Set(rows.map(({ distribution }) => distribution))].map((name) => [name, rows.filter((row) => row.distribution === name)]);
}

function percent({ share, standardError }: Share): string {
  return `${(100 * share).toFixed(1)} ± ${(100 * standardError).toFixed(1)}`;
}

function sought(words: string, asked: number | null | undefined): string {
  return asked === null || asked === undefined ? "" : `${words} ${asked}`;
}

function samples({ seeds, spread }: FalseAlarms): string {
  const [a, b] = seeds as readonly [number, number];
  return `${a} and ${b}${spread === 1 ? "" : `, ${spread} times the spread`}`;
}

function trialsOf(rows: readonly (Coverage | FalseAlarms)[]): string {
  return `${rows[0]!.trials.toLocaleString("en")} trials each`;
}

import type { FalseAlarms } from "./falseAlarms.js";
import type { FalseLeads } from "./leads.js";
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
export function statisticsTables({ coverage, falseAlarms, unpaired, power, falseLeads, unequalLeads, trueLeads }: StatisticsResult): TextTable[] {
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
      title: "Of these, without the warning of compare on unequal spreads, percent of the trials",
      headers: ["distribution, less its mean", ...byDistribution(unpaired)[0]![1].map(samples)],
      rows: byDistribution(unpaired).map(([name, rows]) => [name, ...rows.map(({ unwarned }) => (100 * unwarned).toFixed(1))]),
    },
    {
      title: `True alarms: a normal difference of 0.8 deviations at 20 seeds, percent (${trialsOf([power])})`,
      headers: ["distribution", "found", "by Student's t"],
      rows: [[power.distribution, percent(power), BY_STUDENT]],
    },
    leadTable(`Environments with a wrong "clear" among equal policies, percent (${trialsOf(falseLeads)}; asked: at most 7.3, mean 5.5)`, falseLeads),
    leadTable(`The same with policies that have nothing but their means in common (${trialsOf(unequalLeads)}; nothing asked)`, unequalLeads),
    {
      title: `Environments whose best policy is called clear, percent (${trialsOf(trueLeads)}; normal regret; asked: at least 0.8 of Holm's)`,
      headers: ["policies", "seeds", "ahead by, deviations", "called clear", "by Holm's correction", "ratio"],
      rows: trueLeads.map((row) => [
        ...[row.policies, row.seeds, row.shift].map(String),
        percent(row),
        (100 * row.byHolm).toFixed(1),
        row.byHolm === 0 ? "-" : (row.share / row.byHolm).toFixed(2),
      ]),
    },
  ];
}

function leadTable(title: string, rows: readonly FalseLeads[]): TextTable {
  const cells = byDistribution(rows);
  const mean = rows.reduce((sum, { share }) => sum + share, 0) / rows.length;
  return {
    title: `${title}: mean ${(100 * mean).toFixed(1)}, largest ${(100 * Math.max(...rows.map(({ share }) => share))).toFixed(1)}`,
    headers: ["regret", ...cells[0]![1].map(({ policies, seeds }) => `${policies} policies, ${seeds} seeds`)],
    rows: cells.map(([name, each]) => [name, ...each.map(percent)]),
  };
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

function trialsOf(rows: readonly Share[]): string {
  return `${rows[0]!.trials.toLocaleString("en")} trials each`;
}

import { LOAD_RULES } from "../rules/loadRules.js";
import { ROUND_ROBIN } from "../rules/rules.js";
import { type MeanInterval, meanInterval } from "../worlds/meanInterval.js";
import { BEST } from "../worlds/routerResults.js";
import type { LoadPlayed, Tenth } from "./loadPlayed.js";
import type { LoadScenario } from "./loadScenarios.js";
import type { LoadWorldResult } from "./playLoad.js";

/** A run in which more than this share of the requests fail is a storm. */
const STORM = 0.05;

/** A rule in a scenario, over all seeds. Costs are in milliseconds. */
export interface LoadResult {
  readonly scenario: string;
  readonly rule: string;
  readonly mean: MeanInterval;
  readonly p99: MeanInterval;
  /** The share of the requests that failed. */
  readonly failures: MeanInterval;
  /** The largest, over seeds and tenths of a run, of the mean cost in a tenth to that of the best rule in the same tenth, the latter a mean over seeds. */
  readonly worstTenth: number;
  /** The largest, over seeds and tenths, of the share of failures minus that of the best rule in the same tenth, the latter a mean over seeds. */
  readonly worstFailures: number;
  /** The largest, over seeds, of the share of failures in the whole run minus the mean of the best rule's. */
  readonly worstRunFailures: number;
  /** The runs in which more than STORM of the requests failed. */
  readonly storms: number;
  /** The share of the possible gain over round robin, per seed, where load does not matter; else null. */
  readonly share: MeanInterval | null;
  /** The means over seeds of each tenth. */
  readonly tenths: readonly Tenth[];
}

/** Sums up the worlds of each scenario, one per seed. The best rule of a scenario is the one with the smallest mean; the yardstick is none. */
export function loadResults(scenarios: readonly LoadScenario[], worlds: readonly (readonly LoadWorldResult[])[]): LoadResult[] {
  const names = Object.keys(LOAD_RULES);
  return scenarios.flatMap(({ name: scenario }, s) => {
    const runs = names.map((rule, r) => ({ rule, played: worlds[s]!.map(({ rules }) => rules[r]!) }));
    const mean = (played: readonly LoadPlayed[]) => meanInterval(played.map((each) => each.mean)).mean;
    const leader = runs.reduce((a, b) => (mean(b.played) < mean(a.played) ? b : a)).played;
    const reference = tenthMeans(leader);
    const leaderFailures = meanInterval(leader.map((each) => each.failures)).mean;
    const roundRobin = runs.find(({ rule }) => rule === ROUND_ROBIN)!.played;
    const best = worlds[s]!.flatMap(({ best }) => best ?? []);
    const all = best.length === 0 ? runs : [...runs, { rule: BEST, played: best }];
    return all.map(({ rule, played }): LoadResult => {
      const worst = (excess: (tenth: Tenth, reference: Tenth) => number) =>
        Math.max(...played.flatMap(({ tenths }) => tenths.map((tenth, i) => excess(tenth, reference[i]!))));
      return {
        scenario,
        rule,
        mean: meanInterval(played.map((each) => each.mean)),
        p99: meanInterval(played.map((each) => each.p99)),
        failures: meanInterval(played.map((each) => each.failures)),
        worstTenth: worst((tenth, other) => tenth.mean / other.mean),
        worstFailures: worst((tenth, other) => tenth.failures - other.failures),
        worstRunFailures: Math.max(...played.map((each) => each.failures)) - leaderFailures,
        storms: played.filter((each) => each.failures > STORM).length,
        share:
          best.length === 0 ? null : meanInterval(played.map((each, i) => (roundRobin[i]!.mean - each.mean) / (roundRobin[i]!.mean - best[i]!.mean))),
        tenths: tenthMeans(played),
      };
    });
  });
}

function tenthMeans(played: readonly LoadPlayed[]): Tenth[] {
  return played[0]!.tenths.map((_, i) => ({
    mean: meanInterval(played.map(({ tenths }) => tenths[i]!.mean)).mean,
    failures: meanInterval(played.map(({ tenths }) => tenths[i]!.failures)).mean,
  }));
}

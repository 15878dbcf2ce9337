import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import { BEST } from "../worlds/routerResults.js";
import type { LoadResult } from "./loadResults.js";
import { LOAD_SCENARIOS } from "./loadScenarios.js";

/** What is asked of the share of the possible gain. */
const SHARES: Readonly<Record<string, number>> = { "slow-5-3s": 0.5, "slow-10-1s": 0.5, "slow-2-1s": 0.9 };

/** The targets, and what was measured in the scenarios that were played. */
export function loadTargets(results: readonly LoadResult[]): Ratio[] {
  const ours = results.filter(({ rule }) => rule === OURS);
  const underLoad = ours.filter(({ scenario }) => LOAD_SCENARIOS.find(({ name }) => name === scenario)!.kind === "load");
  const toBest = (result: LoadResult, figure: (result: LoadResult) => number) => {
    const rivals = results.filter(({ scenario, rule }) => scenario === result.scenario && rule !== BEST);
    return figure(result) / figure(rivals.reduce((a, b) => (b.mean.mean < a.mean.mean ? b : a)));
  };
  const worst = (what: string, asked: string, among: readonly LoadResult[], figure: (result: LoadResult) => number): Ratio[] => {
    if (among.length === 0) return [];
    const result = among.reduce((a, b) => (figure(b) > figure(a) ? b : a));
    return [{ name: `${what} (${result.scenario})`, asked, measured: figure(result) }];
  };
  return [
    ...worst("cost of ours in a tenth of a run to that of the best rule, at worst", "at most 3", ours, ({ worstTenth }) => worstTenth),
    ...worst("percentage points by which more of ours fail in a tenth of a run, at worst", "at most 1", ours, (each) => 100 * each.worstFailures),
    ...worst("mean of ours under load to that of the best rule, at worst", "at most 1.3", underLoad, (each) => toBest(each, ({ mean }) => mean.mean)),
    ...worst("p99 of ours under load to that of the best rule, at worst", "at most 1.6", underLoad, (each) => toBest(each, ({ p99 }) => p99.mean)),
    ...ours.flatMap(({ scenario, share }) =>
      SHARES[scenario] === undefined ? [] : [{ name: `share of ours in ${scenario}`, asked: `at least ${SHARES[scenario]}`, measured: share!.mean }],
    ),
  ];
}

import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import { BEST } from "../worlds/routerResults.js";
import type { LoadResult } from "./loadResults.js";
import { LOAD_SCENARIOS } from "./loadScenarios.js";

/** What is asked of the share of the possible gain. */
const SHARES: Readonly<Record<string, number>> = { "slow-5-3s": 0.5, "slow-10-1s": 0.5, "slow-2-1s": 0.9 };
/** Near their limits a few refused requests make a tenth costly. */
const LIMITED = ["limit-85", "limit-ten"];

/** The targets, and what was measured in the scenarios that were played. */
export function loadTargets(results: readonly LoadResult[]): Ratio[] {
  const ours = results.filter(({ rule }) => rule === OURS);
  const limited = ours.filter(({ scenario }) => LIMITED.includes(scenario));
  const named = (name: string) => ours.filter(({ scenario }) => scenario === name);
  const underLoad = ours.filter(({ scenario }) => LOAD_SCENARIOS.find(({ name }) => name === scenario)!.kind === "load");
  const toBest = (result: LoadResult) => {
    const rivals = results.filter(({ scenario, rule }) => scenario === result.scenario && rule !== BEST && rule !== OURS);
    return result.mean.mean / Math.min(...rivals.map(({ mean }) => mean.mean));
  };
  const worst = (what: string, asked: string, among: readonly LoadResult[], figure: (result: LoadResult) => number): Ratio[] => {
    if (among.length === 0) return [];
    const result = among.reduce((a, b) => (figure(b) > figure(a) ? b : a));
    return [{ name: `${what} (${result.scenario})`, asked, measured: figure(result) }];
  };
  const tenth = "cost of ours in a tenth of a run to that of the best rule, at worst";
  const mean = "mean of ours to that of the best other rule";
  const unlimited = ours.filter((result) => !limited.includes(result));
  return [
    ...worst("storms: runs of ours in which more than 5 % of the requests fail", "0", named("timeouts-retried"), ({ storms }) => storms),
    ...worst(tenth, "at most 3", unlimited, ({ worstTenth }) => worstTenth),
    ...worst(tenth, "at most 5", limited, ({ worstTenth }) => worstTenth),
    ...worst("percentage points by which more of ours fail in a run, at worst", "at most 0.5", ours, (each) => 100 * each.worstRunFailures),
    ...worst(`${mean}, under load, at worst`, "at most 1.16", underLoad, toBest),
    ...worst(mean, "at most 1.20", named("twenty-85"), toBest),
    ...worst(`${mean}, at worst`, "at most 1.25", limited, toBest),
    ...ours.flatMap(({ scenario, share }) =>
      SHARES[scenario] === undefined ? [] : [{ name: `share of ours in ${scenario}`, asked: `at least ${SHARES[scenario]}`, measured: share!.mean }],
    ),
  ];
}

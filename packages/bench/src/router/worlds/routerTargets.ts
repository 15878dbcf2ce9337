import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import type { RouterResult } from "./routerResults.js";

/** The scenarios in which our rule must have a large share of the possible gain. */
const HARD = ["a", "b", "c", "d"];

/** The targets for the shares, and the measured shares. */
export function routerTargets(results: readonly RouterResult[]): Ratio[] {
  const shares = (rule: string, scenarios: readonly string[]) =>
    results.filter((each) => each.rule === rule && scenarios.includes(each.scenario)).map(({ share }) => share.mean);
  const worst = (rule: string) => Math.min(...shares(rule, HARD));
  const others = [...new Set(results.map(({ rule }) => rule))].filter((rule) => rule !== OURS);
  const best = others.reduce((a, b) => (worst(b) > worst(a) ? b : a));
  const shortfalls = [...new Set(results.map(({ scenario }) => scenario))].map((scenario) => {
    const leader = others.reduce((a, b) => (shares(b, [scenario])[0]! > shares(a, [scenario])[0]! ? b : a));
    return { scenario, leader, by: shares(leader, [scenario])[0]! - shares(OURS, [scenario])[0]! };
  });
  const largest = shortfalls.reduce((a, b) => (b.by > a.by ? b : a));
  return [
    { name: "worst share of ours in (a) to (d)", asked: "at least 0.70", measured: worst(OURS) },
    { name: `worst share of the best other rule there (${best})`, asked: "below 0.70", measured: worst(best) },
    {
      name: `largest shortfall of ours behind the best rule (${largest.leader}, in ${largest.scenario})`,
      asked: "at most 0.25",
      measured: largest.by,
    },
  ];
}

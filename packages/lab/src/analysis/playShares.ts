import { mean } from "../statistics/mean.js";
import type { Cell } from "./cells.js";

/** For each arm, its share of the rounds so far at each checkpoint, as a mean over the seeds; null if single arms were not recorded. */
export function playShares({ traces }: Cell): readonly (readonly number[])[] | null {
  const all = [...traces.values()].flatMap(({ round, plays }) => (plays === null ? [] : [{ round, plays }]));
  if (all.length === 0 || all.length < traces.size) return null;
  const { round: rounds, plays: arms } = all[0]!;
  return arms.map((_, arm) => rounds.map((round, i) => mean(all.map(({ plays }) => plays[arm]![i]! / round))));
}

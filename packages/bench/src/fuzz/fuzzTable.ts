import { counted } from "@tsallis/cli/dist/text/counted.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { FuzzResult } from "./fuzzResult.js";
import { ROUNDS } from "./playFuzz.js";

/** How many stuck worlds of a policy are named. */
const NAMED = 10;

const HOW = `Share: regret divided by that of uniform play. Stuck: more than half of the last fifth of the rounds went to arms worse than the best.
Each policy plays in worlds that meet the condition under which it is recommended, with the true values of the parameters that it needs.
`;

/** Everything that `bench fuzz` prints. */
export function fuzzTable(results: readonly FuzzResult[]): string {
  const rows = results.map(({ policy, worlds, told, stuck, mean, q99, worst, worstWorld }) => [
    policy,
    worlds,
    told,
    stuck.toLocaleString("en"),
    ...[mean, q99, worst].map((share) => share.toFixed(3)),
    String(worstWorld),
  ]);
  return [
    `${counted(results[0]!.played, "random world")}, ${ROUNDS.toLocaleString("en")} rounds each`,
    formatTable(["policy", "worlds", "told", "stuck", "mean share", "99 %", "worst", "in world"], rows, [0, 1, 2]) + HOW,
    ...results.filter(({ stuck }) => stuck > 0).map(stuckLine),
  ].join("\n");
}

function stuckLine({ policy, stuck, stuckWorlds }: FuzzResult): string {
  const rest = stuck > NAMED ? ` and ${(stuck - NAMED).toLocaleString("en")} more, which --json lists` : "";
  return `${policy} is stuck in world${stuck === 1 ? "" : "s"} ${stuckWorlds.slice(0, NAMED).join(", ")}${rest}\n`;
}

import { counted } from "@tsallis/cli/dist/text/quantities.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { FuzzResult } from "./fuzzResult.js";
import { PARTS } from "./kinds.js";
import { roundsOf } from "./rounds.js";

/** How many stuck worlds of a policy are named. */
const NAMED = 10;

const HOW = `Share: regret against the best arm of each round, divided by that of uniform play. Stuck: more than half of uniform play's regret in the last fifth of the rounds.
In worlds of values, each policy gets losses that meet the condition under which it is recommended. The parameters that it needs have their true values.
`;

/** Everything that `bench fuzz` prints. */
export function fuzzTable(results: readonly FuzzResult[]): string {
  const rows = results.map(({ kind, policy, worlds, requires, played, stuck, mean, q99, worst, worstWorld }) => [
    kind,
    policy,
    worlds,
    requires,
    played.toLocaleString("en"),
    stuck.toLocaleString("en"),
    ...[mean, q99, worst].map((share) => share.toFixed(3)),
    String(worstWorld),
  ]);
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const rounds = kinds.map((kind) => `${roundsOf(kind).toLocaleString("en")} rounds${kinds.length > 1 ? ` (${kind})` : ""}`);
  return [
    `${counted(results[0]!.played, "random world")}${kinds.length > 1 ? " of each kind" : ""}, ${rounds.join(", ")} each`,
    formatTable(["kind", "policy", "worlds", "requires", "played", "stuck", "mean share", "99 %", "worst", "in world"], rows, {
      wrapped: [0, 1, 2, 3],
    }) + HOW,
    ...results.filter(({ kind, worlds, stuck }) => stuck > 0 && !PARTS[kind].includes(worlds)).map(stuckLine),
  ].join("\n");
}

function stuckLine({ kind, policy, stuck, stuckWorlds }: FuzzResult): string {
  const rest = stuck > NAMED ? ` and ${(stuck - NAMED).toLocaleString("en")} more, which --json lists` : "";
  return `${kind}: ${policy} is stuck in world${stuck === 1 ? "" : "s"} ${stuckWorlds.slice(0, NAMED).join(", ")}${rest}\n`;
}

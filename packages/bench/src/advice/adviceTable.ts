import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { AdviceResult, Judged } from "./adviceResult.js";

const HOW = `Share: regret divided by that of uniform play. Best: of the policies that require no more knowledge than the recommended one, picked on other seeds. Best of all: the same
without that restriction, with alpha, sigma and the deviation from the data.
`;

/** Everything that `bench advice` prints: what following the advice costs, and the share of each policy in each kind of data set. */
export function adviceTable(results: readonly AdviceResult[]): string {
  const rows = results.map(({ kind, recommended, share, worst, best, bestOfAll, alternatives }, i) => [
    `${i + 1} ${kind}`,
    Object.entries(recommended)
      .map(([policy, count], _, { length }) => (length === 1 ? policy : `${policy} ${count}`))
      .join(", "),
    share.toFixed(3),
    worst.toFixed(3),
    judgedText(best),
    (share - best.share).toFixed(3),
    judgedText(bestOfAll),
    alternatives.map(judgedText).join(", "),
  ]);
  const policies = [...new Set(results.flatMap(({ shares }) => Object.keys(shares)))];
  const shares = policies.map((policy) => [policy, ...results.map(({ shares }) => shares[policy]?.toFixed(3) ?? "-")]);
  return [
    formatTable(["kind of data set", "recommended", "share", "worst seed", "best", "above it", "best of all", "alternatives"], rows) + HOW,
    `Shares by the number of the kind\n${formatTable(["policy", ...results.map((_, i) => String(i + 1))], shares)}`,
  ].join("\n");
}

function judgedText({ policy, share }: Judged): string {
  return `${policy} ${share.toFixed(3)}`;
}

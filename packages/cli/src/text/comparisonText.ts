import type { ComparedCell, Comparison } from "@tsallis/lab";
import { formatInterval, formatNumber, formatPercent } from "tsallis/statistics";
import { formatTable } from "./textTable.js";

/** First a table of the changes, then the numbers of other cells. */
export function comparisonText({ cells, onlyFirst, onlySecond, incomparable, fewSeeds }: Comparison): string {
  const changed = cells.filter((cell) => cell.changed);
  const verdict =
    cells.length === 0
      ? "Nothing to compare: the results share no environment and policy with completed runs of the same horizon.\n"
      : `${changed.length === 0 ? "None" : changed.length} of ${cells.length} ${cells.length === 1 ? "cell" : "cells"} changed beyond noise${tally(changed)}.\n`;
  const reasons = new Map<string, string[]>();
  for (const { id, reason } of incomparable) reasons.set(reason, [...(reasons.get(reason) ?? []), id]);
  const rest = [
    ...(cells.length > changed.length ? [`Within noise: ${cells.length - changed.length}`] : []),
    ...[...reasons].map(([reason, ids]) => `Not comparable (${reason}): ${ids.join(", ")}`),
    ...(onlyFirst.length > 0 ? [`Only in the first: ${onlyFirst.join(", ")}`] : []),
    ...(fewSeeds === null ? [] : [fewSeeds]),
    ...(onlySecond.length > 0 ? [`Only in the second: ${onlySecond.join(", ")}`] : []),
  ];
  return (
    verdict + (changed.length > 0 ? formatTable(HEAD, changed.map(rowOf), { dropped: LEAST_FIRST }) : "") + rest.map((line) => `${line}\n`).join("")
  );
}

/** ": 1 better, 2 worse" */
function tally(changed: readonly ComparedCell[]): string {
  if (changed.length === 0) return "";
  const better = changed.filter(({ verdict }) => verdict === "better").length;
  return `: ${better} better, ${changed.length - better} worse`;
}

const HEAD = ["environment/policy", "verdict", "before", "after", "difference", "95 % interval", "p", "stuck"];
/** Stuck, p, the interval, the difference. */
const LEAST_FIRST = [7, 6, 5, 4];

function rowOf({ id, verdict, means, difference, p, stuck }: ComparedCell): string[] {
  return [
    id,
    verdict,
    formatNumber(means[0]),
    formatNumber(means[1]),
    signed(difference.estimate),
    formatInterval(difference.low, difference.high),
    p.toPrecision(2),
    stuck.map((share) => (share === null ? "-" : formatPercent(share))).join(" → "),
  ];
}

function signed(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

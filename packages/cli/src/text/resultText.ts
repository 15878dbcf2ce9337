import { join } from "node:path";
import { type Analysis, type ClaimVerdict, type Ranking, type RankingEntry, runHashesOf } from "@tsallis/lab";
import { formatNumber, formatPercent } from "tsallis/statistics";
import { profileText } from "./profileText.js";
import { counted } from "./quantities.js";
import { emphasised, shownPath } from "./terminal.js";
import { formatTable } from "./textTable.js";

const LEGEND = `Lower is better. Bound: the proven bound on the mean. Behind leader: the mean minus that of the first policy; "clear" if beyond noise, else "open".
Stuck: the share of runs with more than half of uniform play's regret in the last fifth of the rounds.
`;
const SWEEP_LEGEND = "Lower is better.\n";
const NEGATIVE = "Below 0: better than every fixed arm, which is possible where the best arm changes.\n";

/** With more environments than this, a profile replaces their rankings. */
const MOST_RANKINGS = 6;

/** The text printed at the end: a ranking per environment or a profile of many, what the data say about the claim, and where the report is. */
export function resultText(
  analysis: Pick<Analysis, "frozen" | "runs" | "results" | "rankings" | "profiles" | "claim" | "open" | "fewSeeds">,
  directory: string,
): string {
  const { frozen, rankings, profiles, claim, open, fewSeeds } = analysis;
  const many = rankings.filter(({ sweep }) => sweep === null).length > MOST_RANKINGS ? profiles : null;
  const groups = new Map<string, Ranking[]>();
  for (const ranking of rankings) {
    if (many !== null && ranking.sweep === null) continue;
    const key = JSON.stringify([ranking.environment, ranking.sweep?.path]);
    groups.set(key, [...(groups.get(key) ?? []), ranking]);
  }
  const tables = [...groups.values()].map((group) => (group.length === 1 ? rankingText(group[0]!) : sweepText(group)));
  const rest = open > 0 ? `${counted(open, "run")} of the experiment ${open === 1 ? "is" : "are"} still to play.\n` : "";
  const profile = many === null ? "" : `${profileText(many, frozen, directory)}\n`;
  const shown = [...groups.values()];
  const legend = shown.some(({ length }) => length === 1) ? LEGEND : SWEEP_LEGEND;
  const negative = shown.flat().some(({ entries }) => entries.some(({ final }) => final !== null && final.mean < 0)) ? NEGATIVE : "";
  const ranked = tables.length === 0 ? "" : `${tables.join("\n")}${legend}${negative}\n`;
  const hashes = frozen.experiment.runHash ? runHashText(runHashesOf(analysis)) : "";
  return `${profile}${ranked}${hashes}${claimText(frozen.experiment.claim, claim)}${fewSeeds === null ? "" : `${fewSeeds}\n`}${rest}Report: ${shownPath(join(directory, "report.html"))}\n`;
}

/** One line per run, so that a pipe can read them. */
function runHashText(runHashes: Readonly<Record<string, string>>): string {
  const lines = Object.entries(runHashes).map(([id, hash]) => `${hash}  ${id}\n`);
  return `Run hashes: FNV-1a over the arm and the loss of every round\n${lines.join("")}\n`;
}

/** The claim with its verdict, and the evidence that does not hold. */
function claimText(claim: string | null, { verdict, evidence, stuck }: ClaimVerdict): string {
  if (claim === null || verdict === null) return "";
  const doubts = evidence.filter((item) => item.verdict !== "holds").map((item) => `  ${item.verdict}: ${item.statement} (${item.measured})\n`);
  return `Claim, ${verdict}: ${claim}\n${doubts.join("")}${stuck === null ? "" : `${stuck}\n`}`;
}

/** The bound, what was skipped, the median, the interval. */
const LEAST_FIRST = [6, 5, 3, 2];

function rankingText({ environment, sweep, horizon, entries }: Ranking): string {
  const at = sweep === null ? "" : `, ${sweep.path} = ${sweep.value}`;
  const head = ["policy", "mean", "95 % interval", "median", "stuck", "skipped", "bound", "behind\nleader"];
  return `${environment}${at}: pseudo-regret after ${horizon.toLocaleString("en")} rounds\n${formatTable(head, entries.map(rankingRow), { dropped: LEAST_FIRST })}`;
}

function rankingRow(entry: RankingEntry, i: number): string[] {
  const { policy, seeds, failed, final, stuck, behindFirst, bound } = entry;
  const name = failed > 0 ? `${policy} (${failed} failed)` : policy;
  if (final === null) return [name, ...Array.from({ length: 7 }, () => "-")];
  const cells = [
    name,
    formatNumber(final.mean),
    // One seed has no interval.
    seeds > 1 ? `${formatNumber(final.low)} to ${formatNumber(final.high)}` : "-",
    formatNumber(final.median),
    stuck === null ? "-" : formatPercent(stuck),
    formatPercent(final.skipRate),
    bound === null ? "-" : formatNumber(bound),
    behindFirst === null ? (i === 0 ? "first" : "-") : behindText(behindFirst),
  ];
  return i === 0 ? cells.map(emphasised) : cells;
}

function behindText({ comparison: { meanDifference }, clear }: NonNullable<RankingEntry["behindFirst"]>): string {
  return `${meanDifference.estimate > 0 ? "+" : ""}${formatNumber(meanDifference.estimate)} ${clear ? "clear" : "open"}`;
}

/** One column per value of the sweep; the policies are in the order of the last column. The smallest mean of each column is emphasised. */
function sweepText(rankings: readonly Ranking[]): string {
  const { environment, sweep } = rankings[0]!;
  const names = new Set([...rankings].reverse().flatMap(({ entries }) => entries.map(({ policy }) => policy)));
  const rows = [...names].map((name) => [name, ...rankings.map(({ entries }) => meanOf(entries, name))]);
  // The ends of a sweep say more than what is between them.
  const dropped = rankings.map((_, i) => i + 1).slice(1, -1);
  const head = ["policy", ...rankings.map((each) => String(each.sweep!.value))];
  return `${environment}: mean pseudo-regret by ${sweep!.path}\n${formatTable(head, rows, { dropped })}`;
}

function meanOf(entries: readonly RankingEntry[], name: string): string {
  const i = entries.findIndex(({ policy }) => policy === name);
  const final = entries[i]?.final ?? null;
  if (final === null) return "-";
  return i === 0 && entries.length > 1 ? emphasised(formatNumber(final.mean)) : formatNumber(final.mean);
}

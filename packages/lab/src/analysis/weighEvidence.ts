import { type Estimate, formatNumber, formatPercent, mean } from "tsallis/statistics";
import type { Evidence } from "../document/experiment.js";
import { testOf } from "../statistics/meanTest.js";
import { holm, matchedSeeds } from "../statistics/pairedComparison.js";
import { resampledMeansOfAll } from "../statistics/resampledMean.js";
import { type Resampler, TEST_RESAMPLES } from "../statistics/resamples.js";
import { sweepSlope } from "../statistics/sweepSlope.js";
import { type Cell, finalsOf } from "./cells.js";
import type { Member } from "./member.js";

/** @inline */
export type Verdict = "holds" | "fails" | "open";

/** A statement of the document, judged by the data. */
export interface WeighedEvidence {
  readonly statement: string;
  readonly verdict: Verdict;
  /** The measurement, in words. */
  readonly measured: string;
}

/** What the data say about the claim. */
export interface ClaimVerdict {
  /** Null if the document names no evidence: the reader then has to judge the claim. */
  readonly verdict: "supported" | "contradicted" | "open" | null;
  readonly evidence: readonly WeighedEvidence[];
  /** A warning if a policy has less regret than another, as the claim says, but some of its runs are stuck; null if there is none. */
  readonly stuck: string | null;
}

/** If the compared means are equal, the probability that any comparison of an experiment finds a difference is at most this. */
const LEVEL = 0.05;

/**
 * Weighs the evidence for the claim. "beats" is a test of the mean difference at the same seeds, over all values of a sweep, with Holm's correction
 * over all comparisons. An exponent holds if its whole 95 % interval lies in the range, fails if the whole interval lies outside, and is open
 * otherwise.
 */
export function weighEvidence(items: readonly Evidence[], members: readonly Member[], resampler: Resampler): ClaimVerdict {
  const found = items.map((item) => ("beats" in item ? comparisons(item, members) : growths(item, members, resampler)));
  const tests = found.flat().flatMap((finding) => ("differences" in finding ? [finding] : []));
  const resampled = resampledMeansOfAll(
    tests.map(({ differences }) => differences),
    resampler,
    TEST_RESAMPLES,
  );
  const adjusted = new Map(holm(resampled.map(testOf)).map((p, i) => [tests[i]!, p]));
  const evidence = items.map((item, i): WeighedEvidence => {
    const verdicts = found[i]!.map(
      (finding): Verdict =>
        "differences" in finding ? (adjusted.get(finding)! < LEVEL ? (finding.difference < 0 ? "holds" : "fails") : "open") : finding.verdict,
    );
    return {
      statement: wordsOf(item),
      verdict: together(verdicts),
      measured: found[i]!.map((finding) => finding.measured + tooFew(finding, tests.length)).join("; ") || "no run completed",
    };
  });
  if (evidence.length === 0) return { verdict: null, evidence, stuck: null };
  const all = together(evidence.map(({ verdict }) => verdict));
  const winning = items.filter((item, i) => "beats" in item && evidence[i]!.verdict === "holds");
  return { verdict: all === "holds" ? "supported" : all === "fails" ? "contradicted" : "open", evidence, stuck: stuckWarning(winning, members) };
}

/** A warning with more policies than this names only the worst. */
const MOST_NAMES = 4;

/** Less regret than another policy is a statement about means, which do not show that some runs learn nothing. */
function stuckWarning(winning: readonly Evidence[], members: readonly Member[]): string | null {
  const worst = new Map<string, { share: number; where: string }>();
  for (const { environment, policy } of winning) {
    for (const { row } of members) {
      if (row.environment !== environment || row.policy !== policy) continue;
      if ((row.stuck ?? 0) > (worst.get(policy)?.share ?? 0)) worst.set(policy, { share: row.stuck!, where: environment });
    }
  }
  if (worst.size === 0) return null;
  const sorted = [...worst].sort(([, a], [, b]) => b.share - a.share);
  const named = sorted.slice(0, MOST_NAMES).map(([policy, { share, where }]) => `${policy} in ${formatPercent(share)} (${where})`);
  const more = sorted.length > MOST_NAMES ? `, and ${sorted.length - MOST_NAMES} more` : "";
  return `Less regret is a statement about means. Of the runs of these policies some are stuck: ${named.join(", ")}${more}.`;
}

function wordsOf(item: Evidence): string {
  if ("beats" in item) return `${item.environment}: ${item.policy} has less regret than ${item.beats}`;
  return `${item.environment}: the regret of ${item.policy} grows with ${item.along} to a power in [${item.exponent.join(", ")}]`;
}

/** One failure makes the whole fail; an empty list is open. */
function together(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("fails")) return "fails";
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === "holds") ? "holds" : "open";
}

/** With n seeds the p value is never below 2^(1-n), so a few seeds cannot decide anything. */
function tooFew(finding: Tested | Judged, tests: number): string {
  if (!("differences" in finding)) return "";
  const seeds = finding.differences.length;
  if (2 ** (1 - seeds) * tests < LEVEL) return "";
  return `, but ${seeds === 1 ? "one seed is" : `${seeds} seeds are`} too few to decide (use at least ${Math.floor(Math.log2(tests / LEVEL)) + 2})`;
}

interface Tested {
  /** At each seed that both policies have. */
  readonly differences: readonly number[];
  readonly difference: number;
  readonly measured: string;
}

function comparisons({ environment, policy, beats }: Evidence & { beats: string }, members: readonly Member[]): Tested[] {
  const cells = members.flatMap(({ cell }) => (cell.environment === environment ? [cell] : []));
  return cells.flatMap((cell) => {
    const other = cells.find((each) => each.policy === beats && sameValue(each, cell));
    if (cell.policy !== policy || other === undefined) return [];
    const [a, b] = [finalsOf(cell), finalsOf(other)];
    const seeds = matchedSeeds([a, b]);
    if (seeds.length === 0) return [];
    const [mine, its] = [a, b].map((finals) => mean(seeds.map((one) => finals.get(one)!))) as [number, number];
    const where = cell.sweep === null ? "" : `at ${cell.sweep.value}: `;
    return [
      {
        differences: seeds.map((one) => a.get(one)! - b.get(one)!),
        difference: mine - its,
        measured: `${where}${formatNumber(mine)} against ${formatNumber(its)}`,
      },
    ];
  });
}

interface Judged {
  readonly verdict: Verdict;
  readonly measured: string;
}

/** Along the rounds only the longest runs count: one finding, or one for each value of a sweep that does not change the horizon. */
function growths(
  { environment, policy, exponent, along }: Evidence & { exponent: readonly [number, number]; along: string },
  members: readonly Member[],
  resampler: Resampler,
): Judged[] {
  const own = members.filter(({ cell }) => cell.environment === environment && cell.policy === policy);
  if (along !== "rounds") {
    const swept = own.filter(({ cell }) => cell.sweep?.path === along);
    const samples = swept.map(({ cell, row }) => ({ value: cell.sweep!.value, finals: finalsOf(cell), bound: row.bound }));
    return [judge(sweepSlope(samples, resampler), exponent)];
  }
  const most = Math.max(...own.map(({ row }) => row.horizon));
  const longest = own.filter(({ row }) => row.horizon === most);
  return longest.map(({ row }) => judge(row.exponent, exponent, longest.length === 1 ? "" : `at ${row.sweep!.value}: `));
}

function judge(estimate: Estimate | null, [low, high]: readonly [number, number], where = ""): Judged {
  if (estimate === null) return { verdict: "open", measured: `${where}no exponent can be fitted` };
  const measured = `${where}${estimate.estimate.toFixed(2)} [${estimate.low.toFixed(2)}, ${estimate.high.toFixed(2)}]`;
  return { verdict: within(estimate, low, high), measured };
}

function within(estimate: Estimate, low: number, high: number): Verdict {
  if (estimate.low >= low && estimate.high <= high) return "holds";
  return estimate.low > high || estimate.high < low ? "fails" : "open";
}

function sameValue(a: Pick<Cell, "sweep">, b: Pick<Cell, "sweep">): boolean {
  return a.sweep?.path === b.sweep?.path && a.sweep?.value === b.sweep?.value;
}

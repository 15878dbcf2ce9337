import type { Estimate } from "tsallis/statistics";
import type { Analysis } from "../analysis/analysis.js";
import type { Group } from "../analysis/group.js";
import type { Lead } from "../analysis/lead.js";
import type { SummaryRow } from "../analysis/summary.js";
import type { ClaimVerdict } from "../analysis/weighEvidence.js";
import type { SweepPoint } from "../document/run.js";

/** The contents of `summary.json`. */
export interface Summary {
  /** The version of this format. */
  readonly version: 1;
  readonly rows: readonly SummaryRow[];
  readonly verdicts: {
    readonly claim: ClaimVerdict;
    /** One per environment, and per value in a sweep, in the order of the document. */
    readonly groups: readonly GroupVerdict[];
  };
  /** By run id; present only if the document asks for them. */
  readonly runHashes?: Readonly<Record<string, string>>;
}

/** The policy with the least regret, and whether that is beyond noise. */
export interface GroupVerdict {
  readonly environment: string;
  readonly sweep?: SweepPoint;
  /** Null if no run completed; the verdict is then null too. */
  readonly first: string | null;
  readonly verdict: Lead["verdict"] | null;
  /** By ascending mean. */
  readonly rivals: readonly RivalVerdict[];
  /** Policies that share no completed seed with the first. */
  readonly uncompared: readonly string[];
}

/** A rival compared with the first policy, at the same seeds. */
export interface RivalVerdict {
  readonly policy: string;
  /** The difference of the mean pseudo-regrets at the horizon: rival minus leader. */
  readonly difference: Estimate;
  /** Corrected for having picked the first among all policies on the same seeds. */
  readonly p: number;
  readonly clear: boolean;
  /** The share of seeds at which the first has less regret; a tie counts half. */
  readonly firstBeatsIt: number;
}

/** The numbers of an analysis as JSON: what summary.json holds. */
export function summaryJson(analysis: Analysis): Summary {
  const { rows, claim, groups, frozen } = analysis;
  const verdicts = { claim, groups: groups.map(verdictOf) };
  return { version: 1, rows, verdicts, ...(frozen.experiment.runHash && { runHashes: runHashesOf(analysis) }) };
}

/** `summary.json`, in pieces: with many cells it is longer than a string can be. */
export function* summaryText({ version, rows, ...rest }: Summary): Generator<string, void> {
  yield `{"version":${version},"rows":[`;
  for (const [i, row] of rows.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(row)}`;
  yield `],${JSON.stringify(rest).slice(1)}\n`;
}

/** The hash of all arms and losses of each completed run, by its id. */
export function runHashesOf({ runs, results }: Pick<Analysis, "runs" | "results">): Record<string, string> {
  return Object.fromEntries(
    runs.flatMap(({ id }) => {
      const result = results.get(id)!;
      return result.status === "completed" && result.trace.runHash !== undefined ? [[id, result.trace.runHash]] : [];
    }),
  );
}

function verdictOf({ environment, sweep, lead }: Group): GroupVerdict {
  return {
    environment,
    ...(sweep !== null && { sweep }),
    first: lead?.first.label ?? null,
    verdict: lead?.verdict ?? null,
    rivals: (lead?.rivals ?? []).map(({ member, comparison: { meanDifference, probability }, p, clear }) => ({
      policy: member.label,
      difference: meanDifference,
      p,
      clear,
      firstBeatsIt: 1 - probability.estimate,
    })),
    uncompared: (lead?.uncompared ?? []).map(({ label }) => label),
  };
}

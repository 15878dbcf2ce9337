import type { Analysis } from "../analysis/analysis.js";
import type { Group } from "../analysis/group.js";
import type { Standing } from "../analysis/standing.js";
import type { SummaryRow } from "../analysis/summary.js";
import type { ClaimVerdict } from "../analysis/weighEvidence.js";
import type { SweepPoint } from "../document/run.js";
import type { Estimate } from "../statistics/interval.js";

/** The contents of `summary.json`. */
export interface Summary {
  /** The version of this format. Before version 2 the file was the array `rows` alone. */
  readonly version: 2;
  readonly rows: readonly SummaryRow[];
  readonly verdicts: {
    readonly claim: ClaimVerdict;
    /** One per environment, and per value in a sweep, in the order of the document. */
    readonly groups: readonly GroupVerdict[];
  };
  /** By run id; present only if the document asks for them. */
  readonly fingerprints?: Readonly<Record<string, string>>;
}

/** The policy with the least regret, and whether that is beyond noise. */
export interface GroupVerdict {
  readonly environment: string;
  readonly sweep?: SweepPoint;
  /** Null if no run completed; the verdict is then null too. */
  readonly first: string | null;
  readonly verdict: Standing["verdict"] | null;
  /** By ascending mean. */
  readonly rivals: readonly RivalVerdict[];
  /** Policies that share no completed seed with the first. */
  readonly uncompared: readonly string[];
}

/** A rival compared with the first policy, at the same seeds. */
export interface RivalVerdict {
  readonly policy: string;
  /** The difference of the mean pseudo-regrets at the horizon: rival minus first. */
  readonly difference: Estimate;
  /** Corrected for the number of rivals by Holm's method. */
  readonly p: number;
  readonly clear: boolean;
  /** The share of seeds at which the first has less regret; a tie counts half. */
  readonly firstBeatsIt: number;
}

/** The numbers of an analysis as JSON: what summary.json holds. */
export function summaryJson(analysis: Analysis): Summary {
  const { rows, claim, groups, frozen } = analysis;
  const verdicts = { claim, groups: groups.map(verdictOf) };
  return { version: 2, rows, verdicts, ...(frozen.experiment.fingerprint && { fingerprints: fingerprintsOf(analysis) }) };
}

/** `summary.json`, in pieces: with many cells it is longer than a string can be. */
export function* summaryText({ version, rows, ...rest }: Summary): Generator<string, void> {
  yield `{"version":${version},"rows":[`;
  for (const [i, row] of rows.entries()) yield `${i === 0 ? "" : ","}${JSON.stringify(row)}`;
  yield `],${JSON.stringify(rest).slice(1)}\n`;
}

/** The hash of all arms and losses of each completed run, by its id. */
export function fingerprintsOf({ runs, results }: Pick<Analysis, "runs" | "results">): Record<string, string> {
  return Object.fromEntries(
    runs.flatMap(({ id }) => {
      const result = results.get(id)!;
      return result.status === "completed" && result.trace.fingerprint !== undefined ? [[id, result.trace.fingerprint]] : [];
    }),
  );
}

function verdictOf({ environment, sweep, standing }: Group): GroupVerdict {
  return {
    environment,
    ...(sweep !== null && { sweep }),
    first: standing?.first.label ?? null,
    verdict: standing?.verdict ?? null,
    rivals: (standing?.rivals ?? []).map(({ member, comparison: { meanDifference, probability }, p, clear }) => ({
      policy: member.label,
      difference: meanDifference,
      p,
      clear,
      firstBeatsIt: 1 - probability.estimate,
    })),
    uncompared: (standing?.uncompared ?? []).map(({ label }) => label),
  };
}

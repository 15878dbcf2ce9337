import { holm } from "../statistics/holm.js";
import { type PairedComparison, pairedComparison } from "../statistics/pairedComparison.js";
import type { Resampler } from "../statistics/resamples.js";
import { finalsOf } from "./cells.js";
import { finalOf } from "./finalOf.js";
import type { Member } from "./member.js";
import type { SummaryPoint } from "./summary.js";

/** A policy that did not come first, against the one that did. */
export interface Rival {
  readonly member: Member;
  /** Rival minus first. */
  readonly comparison: PairedComparison;
  /** The p value of the test that both means are equal, corrected for the number of rivals by Holm's method. */
  readonly p: number;
  /** Whether its larger mean is beyond noise. */
  readonly clear: boolean;
}

/** The policy that came first in a group, and how certain that is. */
export interface Standing {
  readonly first: Member;
  readonly final: SummaryPoint;
  /** By ascending mean. */
  readonly rivals: readonly Rival[];
  /** "clear" if every rival is clear, "open" if at least one rival cannot be distinguished from the first, "alone" if there is no rival. */
  readonly verdict: "clear" | "open" | "alone";
}

/** The probability that any mark "clear" of one group is wrong is at most this. */
const LEVEL = 0.05;

/** Null if no run completed. */
export function standingOf([first, ...others]: readonly Member[], resampler: Resampler): Standing | null {
  if (first === undefined) return null;
  const base = finalsOf(first.cell);
  const compared = others.flatMap((member) => {
    const comparison = pairedComparison(finalsOf(member.cell), base, resampler);
    return comparison === null ? [] : [{ member, comparison }];
  });
  const corrected = holm(compared.map(({ comparison }) => comparison.p));
  const rivals = compared.map(({ member, comparison }, i) => ({
    member,
    comparison,
    p: corrected[i]!,
    clear: corrected[i]! < LEVEL && comparison.meanDifference.estimate > 0,
  }));
  const verdict = rivals.length === 0 ? "alone" : rivals.every(({ clear }) => clear) ? "clear" : "open";
  return { first, final: finalOf(first.row)!, rivals, verdict };
}

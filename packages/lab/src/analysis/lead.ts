import { holm, type PairedComparison, pairedComparison } from "../statistics/pairedComparison.js";
import type { Resampler } from "../statistics/resamples.js";
import { finalsOf } from "./cells.js";
import { finalOf } from "./finalOf.js";
import type { Member } from "./member.js";
import type { SummaryPoint } from "./summary.js";

/** A policy that did not come first, against the one that did. */
export interface Rival {
  /** @internal */
  readonly member: Member;
  /** Rival minus first. */
  readonly comparison: PairedComparison;
  /** The p value of the test that both means are equal, corrected for the number of rivals by Holm's method. */
  readonly p: number;
  /** Whether its larger mean is beyond noise. */
  readonly clear: boolean;
}

/** The policy that came first in a group, and how certain that is. */
export interface Lead {
  readonly first: Member;
  readonly final: SummaryPoint;
  /** By ascending mean. */
  readonly rivals: readonly Rival[];
  /** Policies that share no completed seed with the first, so that nothing can be said about them. */
  readonly uncompared: readonly Member[];
  /** "clear" if every other policy is a clear rival, "open" if at least one is not, "alone" if there is no other policy. */
  readonly verdict: "clear" | "open" | "alone";
}

/** The probability that any mark "clear" of one group is wrong is at most this. */
const LEVEL = 0.05;

/** Null if no run completed. */
export function leadOf([first, ...others]: readonly Member[], resampler: Resampler): Lead | null {
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
  const uncompared = others.filter((member) => !compared.some((each) => each.member === member));
  const allClear = uncompared.length === 0 && rivals.every(({ clear }) => clear);
  const verdict = others.length === 0 ? "alone" : allClear ? "clear" : "open";
  return { first, final: finalOf(first.row)!, rivals, uncompared, verdict };
}

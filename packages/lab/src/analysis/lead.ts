import { type AgainstFirst, againstFirst } from "../statistics/againstFirst.js";
import type { Resampler } from "../statistics/resamples.js";
import { finalsOf } from "./cells.js";
import { finalOf } from "./finalOf.js";
import type { Member } from "./member.js";
import type { SummaryPoint } from "./summary.js";

/** A policy that did not come first, against the one that did. */
export interface Rival extends AgainstFirst {
  /** @internal */
  readonly member: Member;
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

/** Null if no run completed. */
export function leadOf([first, ...others]: readonly Member[], resampler: Resampler): Lead | null {
  if (first === undefined) return null;
  const found = againstFirst(
    finalsOf(first.cell),
    others.map(({ cell }) => finalsOf(cell)),
    resampler,
  );
  const rivals = others.flatMap((member, i) => (found[i] === null ? [] : [{ member, ...found[i]! }]));
  const uncompared = others.filter((_, i) => found[i] === null);
  const allClear = uncompared.length === 0 && rivals.every(({ clear }) => clear);
  const verdict = others.length === 0 ? "alone" : allClear ? "clear" : "open";
  return { first, final: finalOf(first.row)!, rivals, uncompared, verdict };
}

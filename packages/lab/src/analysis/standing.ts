import { stream } from "tsallis";
import { holm } from "../statistics/holm.js";
import { matchedSeeds } from "../statistics/matchedSeeds.js";
import { type PairedComparison, pairedComparison } from "../statistics/pairedComparison.js";
import { signFlipTest } from "../statistics/permutationTest.js";
import type { Resampler } from "../statistics/resamples.js";
import { finalsOf } from "./cells.js";
import type { Group, Member } from "./group.js";
import type { SummaryPoint } from "./summary.js";

/** A policy that did not come first, against the one that did. */
export interface Rival {
  readonly member: Member;
  /** Rival minus first. */
  readonly comparison: PairedComparison;
  /** Whether its larger mean is beyond noise. */
  readonly clear: boolean;
}

/** Who came first in a group, and how sure that is. */
export interface Standing {
  readonly first: Member;
  readonly final: SummaryPoint;
  /** From the smallest mean to the largest. */
  readonly rivals: readonly Rival[];
}

/** All marks "clear" of one group together are wrong with at most this probability. */
const LEVEL = 0.05;

/** Null where no run completed. Marks follow from sign-flip tests with Holm's correction, which hold for few seeds too, unlike a bootstrap interval. */
export function standingOf(group: Group, resampler: Resampler, seed: number): Standing | null {
  const [first, ...others] = group.ranked;
  if (first === undefined) return null;
  const base = finalsOf(first.cell);
  const compared = others.flatMap((member) => {
    const finals = finalsOf(member.cell);
    const comparison = pairedComparison(finals, base, resampler);
    if (comparison === null) return [];
    const differences = matchedSeeds([finals, base]).map((one) => finals.get(one)! - base.get(one)!);
    return [{ member, comparison, p: signFlipTest(differences, stream(seed, "report", member.cell.id)) }];
  });
  const adjusted = holm(compared.map(({ p }) => p));
  return {
    first,
    final: first.row.checkpoints.at(-1)!,
    rivals: compared.map(({ member, comparison }, index) => ({
      member,
      comparison,
      clear: adjusted[index]! < LEVEL && comparison.meanDifference.estimate > 0,
    })),
  };
}

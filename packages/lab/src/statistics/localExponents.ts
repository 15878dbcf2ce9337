import { elementary } from "tsallis";
import type { Estimate } from "./interval.js";
import { type MeanCurve, partOf } from "./meanCurve.js";
import { logLogSlope, powerSlope } from "./powerSlope.js";

/** The exponent within one decade of rounds. */
export interface LocalExponent {
  /** The first and the last checkpoint of the decade. */
  readonly from: number;
  readonly to: number;
  /** Null if it cannot be fitted. */
  readonly exponent: Estimate | null;
  /**
   * The exponent of ln t itself on the same checkpoints, about 1 / ln t: the exponent of logarithmic regret falls with it, while that of a power law
   * stays constant.
   */
  readonly ofLogarithm: number;
}

/** A decade needs at least this many checkpoints. */
const FEWEST = 3;

/** The exponents decade by decade, counted back from the last checkpoint, in ascending order. Rounds 1 and 2, where ln t is below 1, are left out. */
export function localExponents(rounds: readonly number[], curve: MeanCurve): readonly LocalExponent[] {
  const found: LocalExponent[] = [];
  for (let top = rounds[rounds.length - 1] ?? 0; top > 1; top /= 10) {
    const inside = rounds.filter((round) => round <= top && round >= Math.max(3, top / 10));
    if (inside.length < FEWEST) break;
    const from = rounds.indexOf(inside[0]!);
    found.unshift({
      from: inside[0]!,
      to: inside[inside.length - 1]!,
      exponent: powerSlope(inside, partOf(curve, from, from + inside.length)),
      ofLogarithm: logLogSlope(
        inside,
        inside.map((round) => elementary.log(round)),
      )!,
    });
  }
  return found;
}

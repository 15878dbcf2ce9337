import { elementary } from "tsallis";
import type { Estimate } from "./interval.js";
import { type MeanCurve, partOf } from "./meanCurve.js";
import { logLogSlope, powerSlope } from "./powerSlope.js";

/** The exponent within one decade of rounds. */
export interface LocalExponent {
  /** The first and the last checkpoint of the decade. */
  readonly from: number;
  readonly to: number;
  /** Null where it cannot be fitted. */
  readonly exponent: Estimate | null;
  /** What ln t itself has on the same checkpoints, about 1 / ln t: regret that grows like a logarithm falls with it, a power law stays. */
  readonly ofLogarithm: number;
}

/** Fewer checkpoints than this make no decade. */
const FEWEST = 3;

/** Decade by decade, counted back from the last checkpoint; in ascending order. Rounds 1 and 2 are left out, where ln t is below 1. */
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

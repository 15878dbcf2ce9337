import { chiSquareTail } from "tsallis/statistics";
import type { Ended } from "./cohort.js";

/** The distribution of the statistic is near enough to chi-square if every expected count is at least this large (Cochran, Biometrics 10, 1954, asks for 5). */
const FEWEST_EXPECTED = 10;

interface Part {
  /** Which arm; -1 for the rest together. */
  readonly place: number;
  readonly ended: number;
  readonly share: number;
}

export interface Unevenness {
  readonly p: number;
  readonly chiSquare: number;
  readonly degrees: number;
  /** Where most and where least is missing. */
  readonly worst: Part;
  readonly best: Part;
  /** How many arms were too rare to be compared alone. */
  readonly rest: number;
}

/**
 * Pearson's chi-squared test whether the same share of each arm's feedback is missing. Arms with too few expected counts are taken together. Null if
 * there is nothing to compare. Ten expected counts instead of the usual five, since p < 1e-4 is far out in the tail: of 500,000 even worlds with ten
 * counts in the rarest cell, 0.8e-4 to 1.3e-4 have such a p.
 */
export function unevenness(arms: readonly Ended[]): Unevenness | null {
  const total = sumOf(arms);
  const share = total.expired / total.ended;
  const rarer = Math.min(share, 1 - share);
  if (!(rarer > 0)) return null;
  const isRare = ({ ended }: Ended): boolean => !(ended * rarer >= FEWEST_EXPECTED);
  const rare = arms.filter(isRare);
  const parts = arms.map((arm, place) => ({ ...arm, place })).filter((arm) => !isRare(arm));
  const rest = sumOf(rare);
  if (!isRare(rest)) parts.push({ ...rest, place: -1 });
  if (parts.length < 2) return null;
  const compared = sumOf(parts);
  const expected = compared.expired / compared.ended;
  let chiSquare = 0;
  for (const { ended, expired } of parts) chiSquare += (expired - ended * expected) ** 2 / (ended * expected * (1 - expected));
  const shares = parts.map(({ place, ended, expired }) => ({ place, ended, share: expired / ended })).sort((a, b) => a.share - b.share);
  const degrees = parts.length - 1;
  return { p: chiSquareTail(chiSquare, degrees), chiSquare, degrees, worst: shares.at(-1)!, best: shares[0]!, rest: rare.length };
}

function sumOf(arms: readonly Ended[]): Ended {
  const sum = { ended: 0, expired: 0 };
  for (const { ended, expired } of arms) {
    sum.ended += ended;
    sum.expired += expired;
  }
  return sum;
}

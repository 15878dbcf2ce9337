/** Means that differ by less than this share of the larger one count as equal: they are taken to be the same number, computed in two ways. */
const TIE = 1e-12;

/** Each mean's distance to the smallest one; 0 for all that tie with it. */
export function gapsOf(means: readonly number[]): number[] {
  const least = means.reduce((low, mean) => Math.min(low, mean), Number.POSITIVE_INFINITY);
  return means.map((mean) => (mean - least <= TIE * Math.max(Math.abs(mean), Math.abs(least)) ? 0 : mean - least));
}

/** Enough for a line on a logarithmic axis. */
const MOST_POINTS = 60;

/**
 * The survival function of |loss|: [size, share of the losses that are larger], by ascending size, at ranks that are evenly spaced on a logarithmic
 * axis. Points where either is 0 are left out, since logarithmic axes have no place for them: the largest loss, and losses of 0.
 */
export function survival(losses: Float64Array): [number, number][] {
  if (losses.length < 2) return [];
  const sizes = losses.map(Math.abs).sort();
  const { length } = sizes;
  const points: [number, number][] = [];
  let last = Infinity;
  for (let i = 0; i < MOST_POINTS; i++) {
    const rank = Math.round((length - 1) ** (i / (MOST_POINTS - 1)));
    const size = sizes[length - 1 - rank]!;
    if (size === 0 || size >= last) continue;
    last = size;
    const larger = length - firstAbove(sizes, size);
    if (larger > 0) points.push([size, larger / length]);
  }
  return points.reverse();
}

/** The place of the first of ascending numbers that is larger. */
function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

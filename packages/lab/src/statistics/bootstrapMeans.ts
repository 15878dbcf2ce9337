import type { Resamples } from "./resamples.js";

/** For each column of values, its mean in each resample. */
export function bootstrapMeans(columns: readonly ArrayLike<number>[], { size, count, indices }: Resamples): Float64Array[] {
  const found = columns.map(() => new Float64Array(count));
  let first = 0;
  for (const piece of indices()) {
    const rows = piece.length / size;
    for (const [c, values] of columns.entries()) {
      const means = found[c]!;
      let next = 0;
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let i = 0; i < size; i++) sum += values[piece[next++]!]!;
        means[first + row] = sum / size;
      }
    }
    first += rows;
  }
  return found;
}

import type { Resamples } from "./resamples.js";

/** The mean of each resample. */
export function bootstrapMeans(values: ArrayLike<number>, { size, count, indices }: Resamples): Float64Array {
  const means = new Float64Array(count);
  let next = 0;
  for (let resample = 0; resample < count; resample++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += values[indices[next++]!]!;
    means[resample] = sum / size;
  }
  return means;
}

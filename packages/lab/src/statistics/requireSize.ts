import type { Resamples } from "./resamples.js";

/** Refuses resamples of another number of observations: the result would be plausible, and wrong. */
export function requireSize(values: ArrayLike<number>, { size }: Resamples): void {
  if (values.length !== size) throw new RangeError(`the resamples must be of ${values.length} observations, got resamples of ${size}`);
}

/** Values that differ only in the last digits of their sums count as ties. */
const TIE = 1e-12;

/** Twice the share of resamples beyond the observed value, on the side with fewer. */
export function bootstrapP(observed: number, studentised: Float64Array): number {
  const tie = TIE * Math.abs(observed);
  let above = 0;
  let below = 0;
  for (const each of studentised) {
    if (each >= observed - tie) above++;
    if (each <= observed + tie) below++;
  }
  return Math.min(1, (2 * (Math.min(above, below) + 1)) / (studentised.length + 1));
}

/** What ties but for the last digits of its sums counts as a tie. */
const TIE = 1e-12;

/** Twice the share of resamples beyond the observed one, on the side that has fewer. */
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

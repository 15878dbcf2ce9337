/** The mean of the middle half: a quarter of the values, rounded down, is left out on either side. */
export function interquartileMean(values: Float64Array): number {
  const sorted = Float64Array.from(values).sort();
  const cut = Math.floor(sorted.length / 4);
  let sum = 0;
  for (let i = cut; i < sorted.length - cut; i++) sum += sorted[i]!;
  return sum / (sorted.length - 2 * cut);
}

/**
 * Holm's step-down correction (Scandinavian Journal of Statistics 6, 1979): corrected p values in the given order, all of which may be compared with
 * 0.05.
 */
export function holm(p: readonly number[]): number[] {
  const order = p.map((_, i) => i).sort((i, j) => p[i]! - p[j]!);
  const adjusted = new Array<number>(p.length);
  let largest = 0;
  for (const [rank, i] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (p.length - rank) * p[i]!));
    adjusted[i] = largest;
  }
  return adjusted;
}

/**
 * The mean with one value left out, for each value in turn. It adds the sums from both sides, because subtracting a very large value from the total
 * would lose all others.
 */
export function meansWithout(values: ArrayLike<number>): Float64Array {
  const n = values.length;
  const found = new Float64Array(n);
  let before = 0;
  for (let i = 0; i < n; i++) {
    found[i] = before;
    before += values[i]!;
  }
  let after = 0;
  for (let i = n - 1; i >= 0; i--) {
    found[i] = (found[i]! + after) / (n - 1);
    after += values[i]!;
  }
  return found;
}

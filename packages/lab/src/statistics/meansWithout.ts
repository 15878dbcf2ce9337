/** The mean without each one of the values in turn. Sums from either side rather than the sum less the value, which of a very large one leaves nothing. */
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

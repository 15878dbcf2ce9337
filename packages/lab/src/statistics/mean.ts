// Neumaier's compensated sum (ZAMM 54, 1974): what each addition rounds away is kept and added at the end.

/** The arithmetic mean, as exact as one rounding of the sum; NaN of nothing. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // An infinite sum has lost NaN.
  return (Math.abs(sum) < Infinity ? sum + lost : sum) / values.length;
}

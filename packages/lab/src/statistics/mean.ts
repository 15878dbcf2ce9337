// Neumaier's compensated sum (ZAMM 54, 1974): the rounding errors of the additions are collected and added at the end.

/** The arithmetic mean, as exact as one rounding of the sum; NaN for no values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  // If the sum is infinite, the collected error is NaN.
  return (Math.abs(sum) < Infinity ? sum + lost : sum) / values.length;
}

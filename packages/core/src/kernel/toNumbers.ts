/** A plain array of the numbers, for snapshots. `Array.from` does the same four times as slowly, which counts with thousands of arms. */
export function toNumbers(values: ArrayLike<number>): number[] {
  const { length } = values;
  const numbers = new Array<number>(length);
  for (let i = 0; i < length; i++) numbers[i] = values[i]!;
  return numbers;
}

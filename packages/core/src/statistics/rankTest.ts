import { normalProbability } from "../special/normalProbability.js";

/** Whether the numbers of one sample are larger than those of another. */
export interface RankTest {
  /** The probability that a number of the second sample is larger than one of the first; ties count half. 1/2 if both have the same distribution. */
  readonly larger: number;
  /** Two-sided. */
  readonly p: number;
}

/**
 * The test of Mann and Whitney ("On a test of whether one of two random variables is stochastically larger than the other", Annals of Mathematical
 * Statistics 18, 1947): only ranks count, so that it needs no moments. Normal distribution with the correction for ties.
 */
export function rankTest(first: Float64Array, second: Float64Array): RankTest {
  const [m, n] = [first.length, second.length];
  const a = first.slice().sort();
  const b = second.slice().sort();
  let wins = 0;
  let ties = 0;
  let [i, j] = [0, 0];
  while (i < m || j < n) {
    const value = i < m && (j === n || a[i]! <= b[j]!) ? a[i]! : b[j]!;
    const [i0, j0] = [i, j];
    while (i < m && a[i] === value) i++;
    while (j < n && b[j] === value) j++;
    wins += (j - j0) * (i0 + (i - i0) / 2);
    const equal = i - i0 + j - j0;
    ties += equal * equal * equal - equal;
  }
  const all = m + n;
  const variance = ((m * n) / 12) * (all + 1 - ties / (all * (all - 1)));
  const distance = Math.max(0, Math.abs(wins - (m * n) / 2) - 0.5);
  return { larger: wins / (m * n), p: variance > 0 ? 2 * normalProbability(distance / Math.sqrt(variance), Infinity) : 1 };
}

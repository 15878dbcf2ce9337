import { type BySeed, matchedSeeds } from "./pairedComparison.js";
import { type Resamples, requireSize } from "./resamples.js";

/** Sums that differ only in their last digits count as ties. */
const TIE = 1 - 1e-12;

/** A pair of columns: 0 is the first policy, k is the k-th rival. */
interface Pair {
  readonly i: number;
  readonly j: number;
  /** 1 over the root of the sum of the squared differences; 0 if nothing differs. */
  readonly weight: number;
  /** The differences by seed, 0 where one of the two is missing; null if no seed is missing, and the columns' sums suffice. */
  readonly differences: Float64Array | null;
}

/**
 * p values of "this rival is not worse than the first" that account for how the first came to be the first: it was picked among all policies on the
 * same seeds. Each is the share of random arrangements in which some pair of policies, among those still in question, is as far from 0 as the rival is
 * from the first. An arrangement flips the signs of all differences of a seed together, so it keeps how the policies depend on each other; a pair's
 * distance is the sum of its differences over the root of the sum of their squares, which flips leave as it is and of which Student's t is an
 * increasing function. Among equal policies the furthest pair contains the first, so the maximum over pairs is what the first has to exceed.
 *
 * Rivals are judged from the furthest to the nearest, and those judged before are no longer in question (a step-down test: Romano and Wolf, JASA 100, 2005).
 * So the nearest rival is compared with the first alone: whether the policy that came first is the best needs no correction for the others
 * (Gutmann and Maymin, Annals of Statistics 15, 1987; Hung and Fithian, Annals of Statistics 47, 2019).
 *
 * With two policies it is the sign-flip test of `meanTest`, on the same subsets. If the differences are symmetric, all p values below 0.05 together are
 * wrong with a probability of about 5 % at most (`bench statistics`).
 */
export function selectionTest(first: BySeed, rivals: readonly BySeed[], resamples: Resamples): number[] {
  const seeds = [...first.keys()].sort((a, b) => a - b);
  // Differences to the first, so that a part that all policies share does not drown them.
  const columns = [first, ...rivals].map((values) => Float64Array.from(seeds, (seed) => (values.get(seed) ?? first.get(seed)!) - first.get(seed)!));
  const whole = [first, ...rivals].map((values) => seeds.every((seed) => values.has(seed)));
  const pairOf = (i: number, j: number): Pair => {
    const [a, b] = [columns[i]!, columns[j]!];
    const shared = whole[i]! && whole[j]! ? null : new Set(matchedSeeds([first, rivals[j - 1]!, i === 0 ? first : rivals[i - 1]!]));
    const differences = Float64Array.from(seeds, (seed, s) => (shared === null || shared.has(seed) ? b[s]! - a[s]! : 0));
    return { i, j, weight: weightOf(differences), differences: shared === null ? null : differences };
  };
  const observed = columns.map((_, j) => (j === 0 ? 0 : distance(pairOf(0, j), columns)));
  const order = rivals.map((_, j) => j + 1).sort((a, b) => observed[b]! - observed[a]!);
  // From the nearest rival outwards, each with its pairs to the first and to all nearer ones.
  const nearestFirst = [...order].reverse();
  const steps = nearestFirst.map((j, at) => [0, ...nearestFirst.slice(0, at)].map((i) => pairOf(Math.min(i, j), Math.max(i, j))));
  requireSize(seeds, resamples);
  const asFar = nearestFirst.map(() => 1);
  const sums = new Float64Array(columns.length);
  const signs = new Float64Array(seeds.length);
  for (const { positions, bounds } of resamples.subsets()) {
    for (let subset = 0; subset + 1 < bounds.length; subset++) {
      signs.fill(-1);
      for (let i = bounds[subset]!; i < bounds[subset + 1]!; i++) signs[positions[i]!] = 1;
      for (const [c, column] of columns.entries()) sums[c] = flipped(column, signs);
      let furthest = 0;
      for (const [at, pairs] of steps.entries()) {
        for (const { i, j, weight, differences } of pairs) {
          const sum = differences === null ? sums[j]! - sums[i]! : flipped(differences, signs);
          furthest = Math.max(furthest, Math.abs(sum) * weight);
        }
        if (furthest >= observed[nearestFirst[at]!]! * TIE) asFar[at]!++;
      }
    }
  }
  const p = new Array<number>(rivals.length);
  let largest = Math.min(1, 2 ** (1 - seeds.length));
  for (const j of order) {
    largest = Math.max(largest, asFar[nearestFirst.indexOf(j)]! / (resamples.pairs + 1));
    p[j - 1] = largest;
  }
  return p;
}

function flipped(values: Float64Array, signs: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += signs[i]! * values[i]!;
  return sum;
}

function distance({ j, weight, differences }: Pair, columns: readonly Float64Array[]): number {
  return Math.abs((differences ?? columns[j]!).reduce((sum, value) => sum + value, 0)) * weight;
}

/** Computed in units of the largest difference: its square may be beyond the doubles. */
function weightOf(differences: Float64Array): number {
  const largest = differences.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (!(largest > 0 && largest < Infinity)) return 0;
  return 1 / largest / Math.sqrt(differences.reduce((sum, value) => sum + (value / largest) * (value / largest), 0));
}

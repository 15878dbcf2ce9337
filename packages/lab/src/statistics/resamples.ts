import { stream } from "tsallis";
import { gather, type PositionLists } from "./gather.js";

/** The number of bootstrap resamples: the ends of a 95 % interval are then at the 50th of 2,000 values from either side. */
export const RESAMPLES = 2000;

/** The number of resamples for a p value, which Holm's correction multiplies by the number of comparisons: p reaches down to 2 / 10,000. */
export const TEST_RESAMPLES = 9999;

/** Larger resamples are drawn in pieces of about this many observations. */
const PIECE = 1 << 18;

/** With more observations than this in all, resamples are drawn again wherever they are needed. */
const KEPT = 1 << 25;

/**
 * The more observations, the less their resampling matters: above this many in all, fewer resamples are drawn, down to a fifth. So intervals take 2,000
 * resamples up to 2,097 seeds and 400 from 10,485 on, where the ends of an interval then vary by about 6 % of its length from one hash to another.
 */
const MOST = 1 << 22;
const LEAST_PART = 5;

/** The random arrangements of a sample of `size` observations. */
export interface Resamples {
  readonly size: number;
  readonly count: number;
  /** The observations in each of `count` resamples, drawn with replacement: `size` indices for each, one resample after the other, in pieces of whole resamples. */
  indices(): Iterable<Uint32Array>;
  /** The number of random subsets: half of `count`, because the complement of each is a subset as well. */
  readonly pairs: number;
  /** The observations in each subset, in ascending order, in pieces of whole subsets. */
  subsets(): Iterable<PositionLists>;
}

/** Returns the resamples of `size` observations. */
export type Resampler = (size: number, count?: number) => Resamples;

/**
 * Resamples of one size are always the same, and drawn once if they are small. All curves of one size are therefore resampled alike: a band is smooth
 * along its checkpoints, and observations matched by seed stay matched.
 */
export function createResampler(seed: number, ...labels: readonly string[]): Resampler {
  const drawn = new Map<string, Resamples>();
  let kept = 0;
  return (size, wanted = RESAMPLES) => {
    const count = Math.min(wanted, Math.max(Math.ceil(wanted / LEAST_PART), Math.floor(MOST / Math.max(1, size))));
    const key = `${size} ${count}`;
    const known = drawn.get(key);
    if (known !== undefined) return known;
    const pairs = Math.floor(count / 2);
    const resamples: Resamples = {
      size,
      count,
      indices: () => drawIndices(size, count, seed, labels),
      pairs,
      subsets: () => drawSubsets(size, pairs, seed, labels),
    };
    if (size * count > KEPT) return resamples;
    const [indices, subsets] = [[...resamples.indices()], [...resamples.subsets()]];
    kept += size * count;
    if (kept > KEPT) {
      drawn.clear();
      kept = size * count;
    }
    const small = { ...resamples, indices: () => indices, subsets: () => subsets };
    drawn.set(key, small);
    return small;
  };
}

function* drawIndices(size: number, count: number, seed: number, labels: readonly string[]): Generator<Uint32Array, void> {
  const rng = stream(seed, "bootstrap", ...labels, size);
  for (const rows of pieces(size, count)) {
    const piece = new Uint32Array(rows * size);
    for (let i = 0; i < piece.length; i++) piece[i] = Math.floor(rng.uniform() * size);
    yield piece;
  }
}

function* drawSubsets(size: number, pairs: number, seed: number, labels: readonly string[]): Generator<PositionLists, void> {
  const coin = stream(seed, "subsets", ...labels, size);
  for (const rows of pieces(size, pairs)) {
    const positions = new Uint32Array(rows * size);
    const bounds = new Uint32Array(rows + 1);
    let held = 0;
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < size; i++) if (coin.uniform() < 0.5) positions[held++] = i;
      bounds[row + 1] = held;
    }
    // A copy, because half of the room is empty.
    yield { positions: positions.slice(0, held), bounds };
  }
}

/** The number of arrangements in each piece. */
function* pieces(size: number, count: number): Generator<number, void> {
  const most = Math.max(1, Math.floor(PIECE / Math.max(1, size)));
  for (let left = count; left > 0; left -= most) yield Math.min(most, left);
}

/** For each column of values, its mean in each resample. */
export function bootstrapMeans(columns: readonly ArrayLike<number>[], resamples: Resamples): Float64Array[] {
  const { sums } = gather(columns, resampleLists(resamples), resamples.count);
  return sums.map((ofColumn) => ofColumn.map((sum) => sum / resamples.size));
}

/** The resamples as lists of positions. */
export function* resampleLists({ size, indices }: Resamples): Generator<PositionLists, void> {
  for (const positions of indices()) {
    const bounds = new Uint32Array(positions.length / Math.max(1, size) + 1);
    for (let list = 1; list < bounds.length; list++) bounds[list] = list * size;
    yield { positions, bounds };
  }
}

/** Refuses resamples of another number of observations: the result would be plausible, and wrong. */
export function requireSize(values: ArrayLike<number>, { size }: Resamples): void {
  if (values.length !== size) throw new RangeError(`the resamples must be of ${values.length} observations, got resamples of ${size}`);
}

// The ends of intervals are at the rank at which the p value crosses 0.05, so that interval and test agree.

const LEVEL = 0.05;

/** The largest k with k / (count + 1) < 0.05, for values that cover both directions. */
export function twoSidedRank(count: number): number {
  return Math.ceil(LEVEL * (count + 1)) - 1;
}

/** The largest k with 2 k / (count + 1) < 0.05, for values that cover one direction. */
export function oneSidedRank(count: number): number {
  return Math.ceil((LEVEL / 2) * (count + 1)) - 1;
}

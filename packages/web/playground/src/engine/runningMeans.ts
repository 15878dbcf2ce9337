import { pareto, stream } from "tsallis";

/** What the estimates say after each checkpoint. */
export interface Means {
  readonly draws: number[];
  readonly mean: number[];
  /** Draws above a limit that grows slowly count as 0. */
  readonly truncated: number[];
  readonly median: number[];
  /** The share that the largest draw so far has in the sum. */
  readonly largest: number[];
  /** The means of other samples. */
  readonly others: readonly number[][];
}

export const OTHER_SAMPLES = 9;

/** The chance of error that the truncated mean is made for. */
const DELTA = 0.01;

/** The mean of a Pareto distribution with scale 1. */
export function trueMean(shape: number): number {
  return shape / (shape - 1);
}

/**
 * Draws from a Pareto distribution, and looks at the draws at each checkpoint. The truncated mean is that of Bubeck, Cesa-Bianchi and Lugosi (2013): draw i counts if
 * it is at most (u i / log(1 / delta))^(1 / a), where u = E X^a bounds a moment that exists. The other samples are those of the next seeds. Yields after each checkpoint.
 */
export function* runningMeans(shape: number, seed: number, checkpoints: readonly number[]): Generator<Means> {
  const distribution = pareto({ shape, scale: 1 });
  const rng = stream(seed, "draws");
  const order = (1 + Math.min(2, shape)) / 2;
  const moment = shape / (shape - order);
  const drawn = new Float64Array(checkpoints.at(-1)!);
  const others = Array.from({ length: OTHER_SAMPLES }, (_, i) => ({ rng: stream(seed + 1 + i, "draws"), sum: 0, means: [] as number[] }));
  const means: Means = { draws: [], mean: [], truncated: [], median: [], largest: [], others: others.map((other) => other.means) };
  let [count, sum, kept, largest] = [0, 0, 0, 0];
  for (const checkpoint of checkpoints) {
    for (const other of others) {
      for (let i = count; i < checkpoint; i++) other.sum += distribution.sample(other.rng);
      other.means.push(other.sum / checkpoint);
    }
    while (count < checkpoint) {
      const draw = distribution.sample(rng);
      drawn[count++] = draw;
      sum += draw;
      if (draw > largest) largest = draw;
      if (draw <= ((moment * count) / Math.log(1 / DELTA)) ** (1 / order)) kept += draw;
    }
    means.draws.push(count);
    means.mean.push(sum / count);
    means.truncated.push(kept / count);
    const sorted = drawn.slice(0, count).sort();
    means.median.push((sorted[Math.floor((count - 1) / 2)]! + sorted[Math.ceil((count - 1) / 2)]!) / 2);
    means.largest.push(largest / sum);
    yield means;
  }
}

/** A quantile from a sketch differs from the loss of that rank by at most this share of its size. */
export const SKETCH_ERROR = 0.02;

/** Bins are this much wider than the one before (Masson, Rim and Lee, DDSketch, 2019): the value in the middle of a bin is at most SKETCH_ERROR from any in it. */
const GROWTH = (1 + SKETCH_ERROR) / (1 - SKETCH_ERROR);
const LOG_GROWTH = Math.log(GROWTH);
/** Below this a loss counts as 0, and above its inverse there are none. */
const SMALLEST = 1e-300;
/** More than any bin is away from the one of size 1, so that bins have the order of their losses: negative ones below 0. */
const OFFSET = 20_000;

/** The bin of a loss. Of two losses, the larger one never has the smaller bin. */
export function binOf(loss: number): number {
  const size = Math.abs(loss);
  return size < SMALLEST ? 0 : Math.sign(loss) * (OFFSET + Math.ceil(Math.log(size) / LOG_GROWTH));
}

function lossOf(bin: number): number {
  return bin === 0 ? 0 : (Math.sign(bin) * 2 * GROWTH ** (Math.abs(bin) - OFFSET)) / (GROWTH + 1);
}

/** How many losses fell into each of many bins of equal relative width: sketches can be added, and give quantiles within SKETCH_ERROR. */
export class LossSketch {
  readonly #counts = new Map<number, number>();
  count = 0;

  /** Counts a bin, or with a negative number takes it back. */
  add(bin: number, times = 1): void {
    const count = (this.#counts.get(bin) ?? 0) + times;
    if (count === 0) this.#counts.delete(bin);
    else this.#counts.set(bin, count);
    this.count += times;
  }

  merge(other: LossSketch): void {
    for (const [bin, count] of other.#counts) this.add(bin, count);
  }

  /** How many losses have a larger bin, and how many have the same. */
  compare(bin: number): { readonly larger: number; readonly same: number } {
    let larger = 0;
    for (const [its, count] of this.#counts) if (its > bin) larger += count;
    return { larger, same: this.#counts.get(bin) ?? 0 };
  }

  /** About the loss of rank floor(share (count - 1)), counted from 0; null if there are none. */
  quantile(share: number): number | null {
    if (this.count === 0) return null;
    let left = Math.floor(share * (this.count - 1));
    for (const [bin, count] of this.#sorted()) {
      if (left < count) return lossOf(bin);
      left -= count;
    }
    return null;
  }

  /** Bins and counts in turn, each bin as the distance from the one before. */
  toList(): number[] {
    const list: number[] = [];
    let last = 0;
    for (const [bin, count] of this.#sorted()) {
      list.push(bin - last, count);
      last = bin;
    }
    return list;
  }

  static fromList(list: readonly number[]): LossSketch {
    const sketch = new LossSketch();
    let bin = 0;
    for (let i = 0; i < list.length; i += 2) {
      bin += list[i]!;
      sketch.add(bin, list[i + 1]!);
    }
    return sketch;
  }

  #sorted(): [number, number][] {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }
}

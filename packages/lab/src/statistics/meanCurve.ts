import { mean } from "tsallis/statistics";
import { bootstrapMeans, type Resamples } from "./resamples.js";

/** A mean over seeds at each of several places (checkpoints, values of a sweep), with the same mean in every resample of the seeds. */
export interface MeanCurve {
  readonly seeds: number;
  /** One per place. */
  readonly means: readonly number[];
  /** One per place, from the same resamples of whole seeds; computed when it is first read. */
  readonly resampled: readonly Float64Array[];
  /** One per place: the values by seed behind the mean. */
  readonly columns: readonly Float64Array[];
  readonly resamples: Resamples;
}

interface Drawn {
  readonly drawn: Map<Float64Array, Float64Array>;
}

/** `curves`: one per seed, all of the same length. */
export function meanCurve(curves: readonly ArrayLike<number>[], resamples: Resamples): MeanCurve {
  const places = curves[0]?.length ?? 0;
  return meanOfColumns(
    Array.from({ length: places }, (_, place) => Float64Array.from(curves, (curve) => curve[place]!)),
    resamples,
  );
}

/** `columns`: one per place, each with a value for every seed. */
export function meanOfColumns(columns: readonly Float64Array[], resamples: Resamples): MeanCurve {
  return curveOf(columns.map(mean), columns, resamples, new Map());
}

/** `drawn`: the means of the columns that were resampled already, for this curve or for another part of the same one. */
function curveOf(
  means: readonly number[],
  columns: readonly Float64Array[],
  resamples: Resamples,
  drawn: Map<Float64Array, Float64Array>,
): MeanCurve & Drawn {
  return {
    drawn,
    seeds: resamples.size,
    means,
    get resampled() {
      const missing = columns.filter((column) => !drawn.has(column));
      for (const [i, found] of bootstrapMeans(missing, resamples).entries()) drawn.set(missing[i]!, found);
      return columns.map((column) => drawn.get(column)!);
    },
    columns,
    resamples,
  };
}

/** The curve at some of its places. */
export function partOf(curve: MeanCurve, from: number, to: number): MeanCurve {
  const { drawn } = curve as MeanCurve & Partial<Drawn>;
  return curveOf(curve.means.slice(from, to), curve.columns.slice(from, to), curve.resamples, drawn ?? new Map());
}

/** The means at several places of curves that come one after the other, without keeping them: to the last bit those of `mean` over all values of a place. */
export class RunningMeans {
  readonly #sums: Float64Array;
  readonly #lost: Float64Array;
  #count = 0;

  constructor(places: number) {
    this.#sums = new Float64Array(places);
    this.#lost = new Float64Array(places);
  }

  /** The number of curves so far. */
  get count(): number {
    return this.#count;
  }

  /** Adds a curve, each value divided by the unit at its place. */
  add(values: readonly number[], units?: readonly number[]): void {
    const sums = this.#sums;
    const lost = this.#lost;
    for (let place = 0; place < sums.length; place++) {
      const sum = sums[place]!;
      const value = units === undefined ? values[place]! : values[place]! / units[place]!;
      const next = sum + value;
      lost[place]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sums[place] = next;
    }
    this.#count++;
  }

  means(): number[] {
    return Array.from(this.#sums, (sum, place) => (Math.abs(sum) < Infinity ? sum + this.#lost[place]! : sum) / this.#count);
  }
}

import { type Standardised, standardised } from "tsallis/statistics";
import { type Resampler, type Resamples, requireSize } from "./resamples.js";
import { studentisedMeans } from "./studentisedMeans.js";
import { type SubsetMeans, subsetMeans } from "./subsetMeans.js";

/** A sample whose mean is wanted, with all that its interval and its test take from the resamples. Drawing these takes nearly all of the time, so both share them. */
export interface ResampledMean {
  readonly values: ArrayLike<number>;
  readonly resamples: Resamples;
  /** Null if the values have no deviation. */
  readonly resampled: Resampled | null;
}

/** The sample in units of its deviation, and what resamples of it come to, in any order. */
export interface Resampled {
  readonly sample: Standardised;
  readonly studentised: Float64Array;
  readonly subsets: SubsetMeans;
}

/** One for each column of values. */
export function resampledMeans(columns: readonly ArrayLike<number>[], resamples: Resamples): ResampledMean[] {
  for (const values of columns) requireSize(values, resamples);
  const samples = columns.map(standardised);
  const spread = samples.filter((sample) => sample !== null);
  const scores = spread.map((sample) => sample.scores);
  const [studentised, subsets] = [studentisedMeans(scores, resamples), subsetMeans(scores, resamples)];
  return columns.map((values, i) => {
    const sample = samples[i]!;
    const at = spread.indexOf(sample);
    return { values, resamples, resampled: sample === null ? null : { sample, studentised: studentised[at]!, subsets: subsets[at]! } };
  });
}

/** One for each sample of any size: those of one size are resampled together, which takes less time. */
export function resampledMeansOfAll(samples: readonly ArrayLike<number>[], resampler: Resampler, count: number): ResampledMean[] {
  const found = new Map<ArrayLike<number>, ResampledMean>();
  for (const size of new Set(samples.map(({ length }) => length))) {
    const ofSize = samples.filter(({ length }) => length === size);
    for (const each of resampledMeans(ofSize, resampler(size, count))) found.set(each.values, each);
  }
  return samples.map((values) => found.get(values)!);
}

import { createResampler, type Resampler } from "@tsallis/lab";
import { type Rng, stream } from "tsallis";

/** How many trials share their resamples. An experiment has one set of resamples, so the result is a mean over many experiments. */
const SHARING = 50;

/** Plays one trial; returns whether it hit. */
export type Trial = (rng: Rng, resampler: Resampler, another: Resampler) => boolean;

/** How many of the trials hit; the same for the same labels. */
export function hitsOf(trials: number, trial: Trial, ...labels: readonly (string | number)[]): number {
  const rng = stream(1, "statistics", ...labels);
  let hits = 0;
  for (let first = 0; first < trials; first += SHARING) {
    const [resampler, another] = [createResampler(first, "bench"), createResampler(first, "another")];
    for (let i = first; i < Math.min(trials, first + SHARING); i++) if (trial(rng, resampler, another)) hits++;
  }
  return hits;
}

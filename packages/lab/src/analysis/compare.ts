import { isDeepStrictEqual } from "node:util";
import { stream } from "tsallis";
import { type Estimate, mean } from "tsallis/statistics";
import type { FrozenExperiment } from "../document/experiment.js";
import type { Run, SweepPoint } from "../document/run.js";
import type { Results } from "../run/results.js";
import { type OnStage, watched } from "../run/stages.js";
import { intervalOf } from "../statistics/meanInterval.js";
import { testOf } from "../statistics/meanTest.js";
import { type BySeed, fewSeeds, holm } from "../statistics/pairedComparison.js";
import { resampledMeans } from "../statistics/resampledMean.js";
import { createResampler, TEST_RESAMPLES } from "../statistics/resamples.js";
import { differenceInterval, twoSampleMeanTest } from "../statistics/twoSampleMeanTest.js";
import { ENOUGH_FOR_UNEQUAL, unequalSpreads } from "../statistics/unequalSpreads.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { type Cell, cellsOf, finalsOf } from "./cells.js";
import { tooFewSeedsWarning } from "./tooFewSeedsWarning.js";
import { yardstickOf } from "./yardstick.js";

/** An experiment with its results. */
export interface Outcome {
  readonly frozen: FrozenExperiment;
  readonly runs: readonly Run[];
  readonly results: Results;
}

/** One cell that both experiments have, at the horizon. Differences are second - first, so a positive one means more regret than before. */
export interface ComparedCell {
  readonly id: string;
  readonly environment: string;
  readonly policy: string;
  readonly sweep: SweepPoint | null;
  /** The numbers of completed runs. */
  readonly seeds: readonly [first: number, second: number];
  readonly means: readonly [first: number, second: number];
  /** The share of the completed runs that are stuck; null if unknown. */
  readonly stuck: readonly [first: number | null, second: number | null];
  /** Whether the runs are matched by seed: both have the same seeds and the same losses. */
  readonly paired: boolean;
  /** The difference of the means, with a 95 % interval of its own, not corrected for the number of cells. */
  readonly difference: Estimate;
  /** The p value of a test that the means are equal, corrected by Holm's method for the number of cells that are tested; 1 if nothing differs, which is no test. */
  readonly p: number;
  /** Whether the difference is beyond noise: p below 0.05. With a probability of at least 95 %, no mark is wrong; see `unequalSpreads` for an exception. */
  readonly changed: boolean;
  /** "better" if the cell changed and its regret is less than before, "worse" if it is more, "within noise" if it did not change. */
  readonly verdict: "better" | "worse" | "within noise";
  /** Whether a change may be a false alarm: the runs are not matched, one deviation is more than twice the other, and there are fewer than 40 seeds. */
  readonly unequalSpreads: boolean;
}

/** Two results, cell by cell. */
export interface Comparison {
  readonly cells: readonly ComparedCell[];
  /** The ids of cells that only one experiment has. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  /** Cells of both experiments that cannot be compared, with the reason. */
  readonly incomparable: readonly { readonly id: string; readonly reason: string }[];
  /** A warning if some compared cell has few seeds, if all have too few for any change to be found, or if a change may be a false alarm; null if all have enough. */
  readonly fewSeeds: string | null;
}

/** The changes between two results that are beyond noise. */
export function compareOutcomes(first: Outcome, second: Outcome, onStage?: OnStage): Comparison {
  const [before, after] = [first, second].map(
    ({ runs, results }) => new Map(cellsOf(runs, watched(results, "analysing the runs", onStage)).map((cell) => [keyOf(cell), cell])),
  );
  const incomparable: { id: string; reason: string }[] = [];
  const rows: (Omit<ComparedCell, "p" | "changed" | "verdict"> & { readonly p: number | null })[] = [];
  const seed = bootstrapSeed(first.frozen.hash);
  // The two samples need independent resamples.
  const [resampler, another] = [createResampler(seed), createResampler(seed, "second")];
  const [yardstickBefore, yardstickAfter] = [yardstickOf(first.frozen.experiment), yardstickOf(second.frozen.experiment)];
  for (const [key, a] of before!) {
    const b = after!.get(key);
    if (b === undefined) continue;
    const reason = obstacle(a, b);
    if (reason !== null) {
      incomparable.push({ id: a.id, reason });
      continue;
    }
    const [x, y] = [finalsOf(a), finalsOf(b)];
    const paired = haveSameSeeds(x, y) && haveSameLosses(first.frozen, second.frozen, a);
    const [old, now] = [[...x.values()], [...y.values()]];
    let difference: Estimate;
    let p: number | null;
    const ofNow = resampler(now.length, TEST_RESAMPLES);
    if (paired) {
      const differences = now.map((value, i) => value - old[i]!);
      const resampled = resampledMeans([differences], ofNow)[0]!;
      difference = { estimate: mean(differences), ...intervalOf(resampled) };
      p = differences.every((each) => each === 0) ? null : testOf(resampled);
    } else {
      const ofOld = another(old.length, TEST_RESAMPLES);
      difference = differenceInterval(now, old, ofNow, ofOld);
      p = twoSampleMeanTest(now, old, ofNow, ofOld, stream(seed, "compare", key));
    }
    const { id, environment, policy, sweep } = a;
    rows.push({
      id,
      environment,
      policy,
      sweep,
      seeds: [old.length, now.length],
      means: [mean(old), mean(now)],
      stuck: [yardstickBefore(a).stuck, yardstickAfter(b).stuck],
      paired,
      difference,
      p,
      unequalSpreads: !paired && unequalSpreads(old, now),
    });
  }
  // Nothing can be found in a cell that is the same seed by seed, so it is no test and is not corrected for. The others keep their level: whether all
  // differences are 0 depends on their sizes alone, and given the sizes the signs are still a fair coin's if nothing changed.
  const tested = rows.filter(({ p }) => p !== null);
  const corrected = new Map(holm(tested.map(({ p }) => p!)).map((p, i) => [tested[i]!, p]));
  const cells = rows.map((row): ComparedCell => {
    const p = corrected.get(row) ?? 1;
    const changed = p < 0.05;
    return { ...row, p, changed, verdict: !changed ? "within noise" : row.difference.estimate < 0 ? "better" : "worse" };
  });
  const fewest = Math.min(...rows.flatMap(({ seeds }) => seeds));
  const warnings = [fewSeeds(fewest), tooFewSeedsWarning(tested), unequalSpreadsWarning(cells)].filter((each) => each !== null);
  return {
    cells,
    onlyFirst: idsWithout(before!, after!),
    onlySecond: idsWithout(after!, before!),
    incomparable,
    fewSeeds: warnings.length === 0 ? null : warnings.join(" "),
  };
}

/** The figures come from `bench statistics`: two samples of rare disasters, one with three times the spread of the other. */
function unequalSpreadsWarning(cells: readonly ComparedCell[]): string | null {
  const doubtful = cells.filter((cell) => cell.changed && cell.unequalSpreads).length;
  if (doubtful === 0) return null;
  const which = doubtful === 1 ? "One change is between" : `${doubtful} changes are between`;
  return `${which} results of different losses, one of which spreads more than twice as far: where one run in eleven is a disaster, 39 % of such comparisons with 10 seeds find a change that is none, and 9 % with 40. Use at least ${ENOUGH_FOR_UNEQUAL} seeds, or the same seeds and environments.`;
}

/** The id does not serve as the key, because a second axis changes the ids of the same cells. */
function keyOf({ environment, policy, sweep }: Cell): string {
  return JSON.stringify([environment, policy, sweep?.path, sweep?.value]);
}

function idsWithout(cells: ReadonlyMap<string, Cell>, others: ReadonlyMap<string, Cell>): string[] {
  return [...cells].flatMap(([key, { id }]) => (others.has(key) ? [] : [id]));
}

function obstacle(a: Cell, b: Cell): string | null {
  if (a.runs.length === 0) return "no run of the first experiment completed";
  if (b.runs.length === 0) return "no run of the second experiment completed";
  if (Math.min(a.runs.length, b.runs.length) < 2) return "one seed is too few";
  const [from, to] = [a, b].map(({ rounds }) => rounds.at(-1)!);
  return from === to ? null : `the horizons differ: ${from} and ${to}`;
}

function haveSameSeeds(a: BySeed, b: BySeed): boolean {
  return a.size === b.size && [...a.keys()].every((seed) => b.has(seed));
}

/** The environment's spec and the seed determine the losses; cells of a sweep already agree in axis and value. */
function haveSameLosses(a: FrozenExperiment, b: FrozenExperiment, { environment }: Cell): boolean {
  return isDeepStrictEqual(a.experiment.environments[environment], b.experiment.environments[environment]);
}

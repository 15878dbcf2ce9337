import { isDeepStrictEqual } from "node:util";
import { stream } from "tsallis";
import type { FrozenExperiment } from "../document/experiment.js";
import type { Run, SweepPoint } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import { differenceInterval } from "../statistics/differenceInterval.js";
import { holm } from "../statistics/holm.js";
import type { Estimate } from "../statistics/interval.js";
import type { BySeed } from "../statistics/matchedSeeds.js";
import { mean } from "../statistics/mean.js";
import { meanInterval } from "../statistics/meanInterval.js";
import { meanTest } from "../statistics/meanTest.js";
import { createResampler, TEST_RESAMPLES } from "../statistics/resamples.js";
import { twoSampleMeanTest } from "../statistics/twoSampleMeanTest.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { type Cell, cellsOf, finalsOf } from "./cells.js";
import { neverLearnedOf } from "./neverLearnedOf.js";

/** An experiment with what came of it. */
export interface Outcome {
  readonly frozen: FrozenExperiment;
  readonly runs: readonly Run[];
  readonly results: ReadonlyMap<string, RunResult>;
}

/** One cell that both have, at the horizon. Differences are second - first: positive is more regret than before. */
export interface ComparedCell {
  readonly id: string;
  readonly environment: string;
  readonly policy: string;
  readonly sweep: SweepPoint | null;
  /** Completed runs. */
  readonly seeds: readonly [first: number, second: number];
  readonly means: readonly [first: number, second: number];
  /** The share of the completed runs that end without having learnt; null where that can not be said. */
  readonly neverLearned: readonly [first: number | null, second: number | null];
  /** Matched by seed, where both have the same seeds and met the same losses. */
  readonly paired: boolean;
  /** Of the means, with a 95 % interval that stands for itself, not corrected for the number of cells. */
  readonly difference: Estimate;
  /** The p value of a test that the means are equal, corrected for the number of cells by Holm's method. */
  readonly p: number;
  /** Beyond noise: p below 0.05. All marks together are wrong with a probability of at most 5 %. */
  readonly changed: boolean;
}

export interface Comparison {
  readonly cells: readonly ComparedCell[];
  /** Cell ids that only one of them has. */
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  /** Cells of both that can not be compared, and why. */
  readonly incomparable: readonly { readonly id: string; readonly reason: string }[];
}

/** What changed between two results, beyond noise. */
export function compareOutcomes(first: Outcome, second: Outcome): Comparison {
  const [before, after] = [first, second].map(({ runs, results }) => new Map(cellsOf(runs, results).map((cell) => [keyOf(cell), cell])));
  const incomparable: { id: string; reason: string }[] = [];
  const rows: Omit<ComparedCell, "changed">[] = [];
  const seed = bootstrapSeed(first.frozen.hash);
  // Two samples are resampled apart from each other.
  const [resampler, another] = [createResampler(seed), createResampler(seed, "second")];
  const [shareBefore, shareAfter] = [neverLearnedOf(first.frozen.experiment), neverLearnedOf(second.frozen.experiment)];
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
    let p: number;
    const ofNow = resampler(now.length, TEST_RESAMPLES);
    if (paired) {
      const differences = now.map((value, i) => value - old[i]!);
      difference = { estimate: mean(differences), ...meanInterval(differences, ofNow) };
      p = meanTest(differences, ofNow);
    } else {
      const ofOld = another(old.length, TEST_RESAMPLES);
      difference = differenceInterval(now, old, ofNow, ofOld);
      p = twoSampleMeanTest(now, old, ofNow, ofOld, stream(seed, "compare", key));
    }
    const { id, environment, policy, sweep } = a;
    const neverLearned = [shareBefore(a), shareAfter(b)] as const;
    rows.push({
      id,
      environment,
      policy,
      sweep,
      seeds: [old.length, now.length],
      means: [mean(old), mean(now)],
      neverLearned,
      paired,
      difference,
      p,
    });
  }
  const corrected = holm(rows.map(({ p }) => p));
  return {
    cells: rows.map((row, i) => ({ ...row, p: corrected[i]!, changed: corrected[i]! < 0.05 })),
    onlyFirst: idsWithout(before!, after!),
    onlySecond: idsWithout(after!, before!),
    incomparable,
  };
}

/** Not the id: with a second axis the same cell is called otherwise. */
function keyOf({ environment, policy, sweep }: Cell): string {
  return JSON.stringify([environment, policy, sweep?.path, sweep?.value]);
}

function idsWithout(cells: ReadonlyMap<string, Cell>, others: ReadonlyMap<string, Cell>): string[] {
  return [...cells].flatMap(([key, { id }]) => (others.has(key) ? [] : [id]));
}

function obstacle(a: Cell, b: Cell): string | null {
  if (a.traces.size === 0) return "no run of the first completed";
  if (b.traces.size === 0) return "no run of the second completed";
  const [from, to] = [a, b].map(({ traces }) => [...traces.values()][0]!.round.at(-1)!);
  return from === to ? null : `the horizons differ: ${from} and ${to}`;
}

function haveSameSeeds(a: BySeed, b: BySeed): boolean {
  return a.size === b.size && [...a.keys()].every((seed) => b.has(seed));
}

/** The losses follow from the environment's spec and the seed; of a sweep the cells have the same axis and value already. */
function haveSameLosses(a: FrozenExperiment, b: FrozenExperiment, { environment }: Cell): boolean {
  return isDeepStrictEqual(a.experiment.environments[environment], b.experiment.environments[environment]);
}

import { type Estimate, mean, quantile } from "tsallis/statistics";
import { interquartileMean } from "../statistics/interquartileMean.js";
import { matchedSeeds } from "../statistics/pairedComparison.js";
import type { Resampler } from "../statistics/resamples.js";
import type { Group } from "./group.js";
import type { Member } from "./member.js";
import { NEGLIGIBLE } from "./profile.js";
import { referenceOf } from "./reference.js";

/**
 * A policy over all environments, each number with its 95 % interval over the seeds, after Agarwal et al., "Deep Reinforcement Learning at the Edge of
 * the Statistical Precipice" (NeurIPS 2021). The score of a run is its regret against the best arm of each round, as a share of uniform play's: lower is
 * better.
 */
export interface AcrossEntry {
  readonly policy: string;
  /** The mean over environments of the mean score. */
  readonly share: Estimate;
  /** The mean of the middle half of all scores, over runs and environments together: one stuck run in a hundred does not move it. */
  readonly interquartileMean: Estimate;
  /** The share of stuck runs, mean over environments; null if unknown. */
  readonly stuck: Estimate | null;
  /** The probability that the policy has a smaller score than the first one at the same seed, mean over environments; a tie counts half. Null for the first. */
  readonly improvement: Estimate | null;
  /** The median over environments of its ratio to the best policy, where its share is above NEGLIGIBLE; null if there is none. */
  readonly medianRatio: Estimate | null;
  /** The share of environments in which its ratio is at most this, or its share is not above NEGLIGIBLE. */
  readonly within: { readonly factor: number; readonly share: Estimate }[];
}

/** Policies over environments that all of them played with the same seeds. */
export interface Across {
  /** By ascending mean share. */
  readonly entries: readonly AcrossEntry[];
  readonly environments: number;
  readonly seeds: number;
}

export const FACTORS = [1.25, 2, 5];
const RESAMPLES = 999;
const ENDS = [0.025, 0.975] as const;

/** One environment: by policy, a column of values, one per seed. */
interface World {
  readonly scores: readonly Float64Array[];
  readonly stuck: readonly (Float64Array | null)[];
  /** The score of the reference at each seed: the best policy, picked on the other half of the seeds. */
  readonly reference: Float64Array | null;
}

/**
 * Whole seeds are resampled, the same in all environments: environments of one kind share their random numbers under one seed, so their results are not
 * independent, and intervals that resample each environment by itself (as stratified intervals do where nothing is shared) would be too short. Null if fewer than two policies or seeds
 * are common to all environments.
 */
export function acrossOf(groups: readonly Group[], resampler: Resampler): Across | null {
  const plain = groups.filter(({ sweep }) => sweep === null);
  const labels = [...new Set(plain.flatMap(({ members }) => members.map(({ label }) => label)))];
  const played = plain.filter(({ members }) => members.length === labels.length && members.every(({ row }) => row.share !== null));
  const seeds = matchedSeeds(played.flatMap(({ members }) => members.map(({ cell }) => new Map(cell.runs.map(({ seed }) => [seed, 0])))));
  if (played.length < 3 || labels.length < 2 || seeds.length < 2) return null;
  const worlds = played.map((group) => worldOf(group, labels, seeds));
  const all = Uint32Array.from(seeds.keys());
  const order = labels.map((_, p) => p).sort((a, b) => shareOf(worlds, a, all) - shareOf(worlds, b, all));
  const draws = [...resamplesOf(resampler, seeds.length)];
  const entries = order.map((p): AcrossEntry => {
    const estimate = (statistic: (picked: Uint32Array) => number): Estimate => {
      const again = Float64Array.from(draws, statistic).sort();
      const point = statistic(all);
      return { estimate: point, low: Math.min(point, quantile(again, ENDS[0])), high: Math.max(point, quantile(again, ENDS[1])) };
    };
    // Which environments have a ratio is not drawn again: a median over changing sets would jump.
    const compared = worlds.filter((world) => world.reference !== null && meanAt(world.scores[p]!, all) > NEGLIGIBLE);
    return {
      policy: labels[p]!,
      share: estimate((picked) => shareOf(worlds, p, picked)),
      interquartileMean: estimate((picked) => interquartileMean(pooled(worlds, p, picked))),
      stuck: worlds.every(({ stuck }) => stuck[p] === null)
        ? null
        : estimate((picked) => mean(worlds.flatMap(({ stuck }) => (stuck[p] == null ? [] : [meanAt(stuck[p]!, picked)])))),
      improvement: p === order[0] ? null : estimate((picked) => mean(worlds.map(({ scores }) => winsAt(scores[p]!, scores[order[0]!]!, picked)))),
      medianRatio:
        compared.length === 0
          ? null
          : estimate((picked) =>
              quantile(
                compared.map((world) => ratioAt(world, p, picked)),
                0.5,
              ),
            ),
      within: FACTORS.map((factor) => ({
        factor,
        share: estimate((picked) => mean(worlds.map((world) => Number(isNear(world, p, picked, factor))))),
      })),
    };
  });
  return { entries, environments: worlds.length, seeds: seeds.length };
}

function worldOf({ members }: Group, labels: readonly string[], seeds: readonly number[]): World {
  const ordered = labels.map((label) => members.find((member) => member.label === label)!);
  const scores = ordered.map((member) => bySeed(member, seeds, scoresOf(member)));
  const found = referenceOf(new Map(ordered.map(({ label }, p) => [label, new Map(seeds.map((seed, s) => [seed, scores[p]![s]!]))])));
  const middle = Math.ceil(seeds.length / 2);
  const [first, second] = (found?.policies ?? []).map((label) => scores[labels.indexOf(label)]!);
  return {
    scores,
    stuck: ordered.map((member) => (member.row.stuck === null ? null : bySeed(member, seeds, stuckOf(member)))),
    reference: found === null ? null : Float64Array.from(seeds, (_, s) => (s < middle ? first! : second!)[s]!),
  };
}

function bySeed({ cell }: Member, seeds: readonly number[], values: Float64Array): Float64Array {
  const place = new Map(cell.runs.map(({ seed }, i) => [seed, i]));
  return Float64Array.from(seeds, (seed) => values[place.get(seed)!]!);
}

/** The row has the mean of the shares, so it has the unit. */
function scoresOf({ cell, row }: Member): Float64Array {
  const total = mean(cell.dynamicFinals);
  return cell.dynamicFinals.map((regret) => (total === 0 ? 0 : (regret / total) * row.share!));
}

/** The row has how many are stuck, and those are the worst ones of the last fifth. */
function stuckOf({ cell, row }: Member): Float64Array {
  const count = Math.round(row.stuck! * cell.runs.length);
  const worst = new Set([...cell.lastFifths.keys()].sort((a, b) => cell.lastFifths[b]! - cell.lastFifths[a]!).slice(0, count));
  return cell.lastFifths.map((_, i) => Number(worst.has(i)));
}

function* resamplesOf(resampler: Resampler, size: number): Generator<Uint32Array> {
  for (const piece of resampler(size, RESAMPLES).indices()) {
    for (let begin = 0; begin < piece.length; begin += size) yield piece.subarray(begin, begin + size);
  }
}

function meanAt(values: Float64Array, picked: Uint32Array): number {
  let sum = 0;
  for (const i of picked) sum += values[i]!;
  return sum / picked.length;
}

function shareOf(worlds: readonly World[], p: number, picked: Uint32Array): number {
  return mean(worlds.map(({ scores }) => meanAt(scores[p]!, picked)));
}

function pooled(worlds: readonly World[], p: number, picked: Uint32Array): Float64Array {
  const found = new Float64Array(worlds.length * picked.length);
  let next = 0;
  for (const { scores } of worlds) for (const i of picked) found[next++] = scores[p]![i]!;
  return found;
}

function winsAt(a: Float64Array, b: Float64Array, picked: Uint32Array): number {
  let wins = 0;
  for (const i of picked) wins += a[i]! < b[i]! ? 1 : a[i] === b[i] ? 0.5 : 0;
  return wins / picked.length;
}

/** Bounded, so that two infinite ratios have a median. */
function ratioAt({ scores, reference }: World, p: number, picked: Uint32Array): number {
  return Math.min(1e300, meanAt(scores[p]!, picked) / meanAt(reference!, picked));
}

function isNear(world: World, p: number, picked: Uint32Array, factor: number): boolean {
  if (meanAt(world.scores[p]!, picked) <= NEGLIGIBLE) return true;
  return world.reference !== null && ratioAt(world, p, picked) <= factor;
}

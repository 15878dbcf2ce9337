import { type Estimate, mean, quantile } from "tsallis/statistics";
import { interquartileMean, interquartileMeans } from "../statistics/interquartileMean.js";
import { matchedSeeds } from "../statistics/pairedComparison.js";
import { bootstrapMeans, type Resampler, type Resamples } from "../statistics/resamples.js";
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

/** A value per seed, their mean, and their mean in each resample. */
interface Column {
  readonly values: Float64Array;
  readonly mean: number;
  readonly resampled: Float64Array;
}

/** One environment: by policy, a column. */
interface World {
  readonly scores: readonly Column[];
  readonly stuck: readonly (Column | null)[];
  /** Whether the policy has a smaller score than the first one; a tie counts half. */
  readonly wins: readonly Column[];
  /** The score of the reference at each seed: the best policy, picked on the other half of the seeds. */
  readonly reference: Column | null;
}

/** The mean of a column over the seeds, or over a resample of them. */
type MeanOf = (column: Column) => number;

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
  const resamples = resampler(seeds.length, RESAMPLES);
  const scores = played.map(({ members }) => labels.map((label) => bySeed(memberOf(members, label), seeds, scoresOf)));
  const share = (p: number) => mean(scores.map((ofPolicies) => mean(ofPolicies[p]!)));
  const order = labels.map((_, p) => p).sort((a, b) => share(a) - share(b));
  const worlds = played.map(({ members }, w) => {
    const ordered = labels.map((label) => memberOf(members, label));
    return worldOf(ordered, scores[w]!, { seeds, first: order[0]!, resamples });
  });
  const entries = order.map((p): AcrossEntry => {
    const estimate = (statistic: (meanOf: MeanOf) => number): Estimate =>
      withInterval(
        statistic((column) => column.mean),
        Float64Array.from({ length: resamples.count }, (_, draw) => statistic(({ resampled }) => resampled[draw]!)),
      );
    const ofWorlds = (statistic: (world: World, meanOf: MeanOf) => number) =>
      estimate((meanOf) => mean(worlds.map((world) => statistic(world, meanOf))));
    const pooled = worlds.map(({ scores }) => scores[p]!.values);
    const known = worlds.flatMap(({ stuck }) => stuck[p] ?? []);
    // Which environments have a ratio is not drawn again: a median over changing sets would jump.
    const compared = worlds.filter(({ scores, reference }) => reference !== null && scores[p]!.mean > NEGLIGIBLE);
    const medianOf = (meanOf: MeanOf) =>
      quantile(
        compared.map((world) => ratioOf(world, p, meanOf)),
        0.5,
      );
    return {
      policy: labels[p]!,
      share: ofWorlds(({ scores }, meanOf) => meanOf(scores[p]!)),
      interquartileMean: withInterval(interquartileMean(pooled), interquartileMeans(pooled, resamples)),
      stuck: known.length === 0 ? null : estimate((meanOf) => mean(known.map(meanOf))),
      improvement: p === order[0] ? null : ofWorlds(({ wins }, meanOf) => meanOf(wins[p]!)),
      medianRatio: compared.length === 0 ? null : estimate(medianOf),
      within: FACTORS.map((factor) => ({ factor, share: ofWorlds((world, meanOf) => Number(isNear(world, p, meanOf, factor))) })),
    };
  });
  return { entries, environments: worlds.length, seeds: seeds.length };
}

function withInterval(estimate: number, resampled: Float64Array): Estimate {
  const sorted = resampled.sort();
  return { estimate, low: Math.min(estimate, quantile(sorted, ENDS[0])), high: Math.max(estimate, quantile(sorted, ENDS[1])) };
}

function memberOf(members: readonly Member[], label: string): Member {
  return members.find((member) => member.label === label)!;
}

function worldOf(
  members: readonly Member[],
  scores: readonly Float64Array[],
  { seeds, first, resamples }: { seeds: readonly number[]; first: number; resamples: Resamples },
): World {
  const columnsOf = (columns: readonly Float64Array[]): Column[] => {
    const resampled = bootstrapMeans(columns, resamples);
    return columns.map((values, i) => ({ values, mean: mean(values), resampled: resampled[i]! }));
  };
  const found = referenceOf(new Map(members.map(({ label }, p) => [label, new Map(seeds.map((seed, s) => [seed, scores[p]![s]!]))])));
  const [firstHalf, secondHalf] = (found?.policies ?? []).map((label) => scores[members.findIndex((member) => member.label === label)]!);
  const middle = Math.ceil(seeds.length / 2);
  const known = members.filter(({ row }) => row.stuck !== null);
  const stuck = columnsOf(known.map((member) => bySeed(member, seeds, stuckOf)));
  return {
    scores: columnsOf(scores),
    stuck: members.map((member) => stuck[known.indexOf(member)] ?? null),
    wins: columnsOf(scores.map((values) => values.map((score, s) => winOf(score, scores[first]![s]!)))),
    reference: found === null ? null : columnsOf([Float64Array.from(seeds, (_, s) => (s < middle ? firstHalf! : secondHalf!)[s]!)])[0]!,
  };
}

function winOf(score: number, rival: number): number {
  return score < rival ? 1 : score === rival ? 0.5 : 0;
}

function bySeed(member: Member, seeds: readonly number[], valuesOf: (member: Member) => Float64Array): Float64Array {
  const place = new Map(member.cell.runs.map(({ seed }, i) => [seed, i]));
  const values = valuesOf(member);
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

/** Bounded, so that two infinite ratios have a median. */
function ratioOf({ scores, reference }: World, p: number, meanOf: MeanOf): number {
  return Math.min(1e300, meanOf(scores[p]!) / meanOf(reference!));
}

function isNear(world: World, p: number, meanOf: MeanOf, factor: number): boolean {
  return meanOf(world.scores[p]!) <= NEGLIGIBLE || (world.reference !== null && ratioOf(world, p, meanOf) <= factor);
}

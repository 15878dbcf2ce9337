import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { runsOf } from "../document/runs.js";
import type { Results } from "../run/results.js";
import { meanOfColumns } from "../statistics/meanCurve.js";
import { fewSeeds } from "../statistics/pairedComparison.js";
import { createResampler, type Resampler } from "../statistics/resamples.js";
import { guaranteeOf } from "../theory/guaranteeOf.js";
import { type Across, acrossOf } from "./across.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { type FailedRun, runsByCell } from "./cells.js";
import { freeSlug, type Group, groupsOf } from "./group.js";
import { growthOf } from "./growthOf.js";
import { leadOf } from "./lead.js";
import type { Member } from "./member.js";
import { type Profiles, profilesOf } from "./profiles.js";
import { type Ranking, rankingOf } from "./ranking.js";
import { readCell } from "./readCell.js";
import { compareIds } from "./runOrder.js";
import { summarise } from "./summarise.js";
import type { SummaryRow } from "./summary.js";
import { type Sweep, sweepsOf } from "./sweep.js";
import { termsOf } from "./termsOf.js";
import { type ClaimVerdict, weighEvidence } from "./weighEvidence.js";
import { yardstickOf } from "./yardstick.js";

/** What the results of an experiment say, computed once; the files, the page and the terminal only render it. */
export interface Analysis {
  readonly frozen: FrozenExperiment;
  /** The runs that have a result, in the order of the document. */
  readonly runs: readonly Run[];
  /** By run id. */
  readonly results: Results;
  /** One per environment and policy, and per value in a sweep, sorted by id. */
  readonly rows: readonly SummaryRow[];
  /** The groups of policies that are compared with each other, in the order of the document. @internal */
  readonly groups: readonly Group[];
  /** The groups as tables, in the same order. */
  readonly rankings: readonly Ranking[];
  /** @internal */
  readonly sweeps: readonly Sweep[];
  /** Null if there are too few environments. */
  readonly profiles: Profiles | null;
  /** The policies over all environments, with intervals; null if there are too few environments or seeds. */
  readonly across: Across | null;
  /** What the data say about the document's claim. */
  readonly claim: ClaimVerdict;
  readonly failures: readonly FailedRun[];
  /** The number of runs that have no result yet. */
  readonly open: number;
  /** A warning if some cell has few completed seeds; null if all have enough. */
  readonly fewSeeds: string | null;
  /** Whether there are too many environments outside of sweeps to tell how regret grows in each; the report is then brief. */
  readonly manyEnvironments: boolean;
}

/** With more environments than this, the growth of regret is not analysed in each. */
const MOST_AT_LENGTH = 8;

/** A pure function of the experiment and its results; it ignores results of runs that are not in the experiment. It reads each result once. */
export function analyse(frozen: FrozenExperiment, results: Results): Analysis {
  const { experiment, hash } = frozen;
  const all = runsOf(experiment);
  const runs = all.filter(({ id }) => results.has(id));
  const resampler = createResampler(bootstrapSeed(hash));
  const groupOf = runsByCell(runs);
  const firsts = [...groupOf.values()].map(([first]) => first!);
  const plain = new Set(firsts.flatMap(({ environment, sweep }) => (sweep === null ? [environment] : [])));
  const manyEnvironments = plain.size > MOST_AT_LENGTH;
  const members = membersOf(frozen, groupOf, results, { resampler, briefly: manyEnvironments });
  const groups = groupsOf(
    experiment,
    firsts,
    (first) => members.get(first)!,
    (ranked) => leadOf(ranked, resampler),
  );
  const sorted = [...members.values()];
  return {
    frozen,
    runs,
    results,
    rows: sorted.map(({ row }) => row),
    groups,
    rankings: groups.map(rankingOf),
    sweeps: sweepsOf(groups, resampler),
    profiles: profilesOf(groups),
    across: acrossOf(groups, resampler),
    claim: weighEvidence(experiment.evidence, sorted, resampler),
    failures: failuresOf(runs, sorted),
    open: all.length - runs.length,
    fewSeeds: fewSeeds(sorted.reduce((fewest, { row: { seeds } }) => (seeds > 0 ? Math.min(fewest, seeds) : fewest), Infinity)),
    manyEnvironments,
  };
}

/** One per cell, in the order of the cells' ids, by the first run of the cell. */
function membersOf(
  { experiment }: FrozenExperiment,
  groupOf: ReadonlyMap<string, readonly Run[]>,
  results: Results,
  { resampler, briefly }: { resampler: Resampler; briefly: boolean },
): Map<Run, Member> {
  const labels = Object.keys(experiment.policies);
  const taken = new Set<string>();
  const slugs = labels.map((label) => freeSlug(label, taken));
  const guarantees = guaranteeOf(experiment);
  const yardstick = yardstickOf(experiment);
  const memberOf = (id: string, group: readonly Run[]): Member => {
    const read = readCell(id, group, results);
    const { cell } = read;
    const index = labels.indexOf(cell.policy);
    const guarantee = guarantees(group.reduce((least, run) => (run.seed < least.seed ? run : least)));
    const resamples = resampler(cell.runs.length);
    const curve = meanOfColumns(read.pseudoRegret, resamples);
    const atLength = !briefly && cell.sweep === null;
    return {
      index,
      label: cell.policy,
      slug: slugs[index]!,
      cell,
      row: summarise(read, { experiment, curve, yardstick: yardstick(cell), guarantee }),
      guarantee,
      terms: cell.sweep === null ? termsOf(read, resamples) : [],
      growth: atLength ? growthOf(cell.rounds, curve) : null,
      playShares: atLength ? read.playShares : null,
      seedCurves: atLength ? read.seedCurves : [],
    };
  };
  return new Map([...groupOf].sort(([a], [b]) => compareIds(a, b)).map(([id, group]) => [group[0]!, memberOf(id, group)]));
}

/** In the order of the document. */
function failuresOf(runs: readonly Run[], members: readonly Member[]): FailedRun[] {
  const failed = new Map(members.flatMap(({ cell }) => cell.failures.map((failure) => [failure.id, failure])));
  return failed.size === 0 ? [] : runs.flatMap(({ id }) => failed.get(id) ?? []);
}

import type { FrozenExperiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { runsOf } from "../document/runs.js";
import type { Results } from "../run/results.js";
import type { RunResult } from "../run/runResult.js";
import { fewSeeds } from "../statistics/fewSeeds.js";
import { createResampler, type Resampler } from "../statistics/resamples.js";
import { guaranteeOf } from "../theory/guaranteeOf.js";
import { bootstrapSeed } from "./bootstrapSeed.js";
import { type Cell, cellsOf } from "./cells.js";
import { freeSlug, type Group, groupsOf } from "./group.js";
import { growthOf } from "./growthOf.js";
import { type Member, MOST_SEED_CURVES } from "./member.js";
import { neverLearnedOf } from "./neverLearnedOf.js";
import { playShares } from "./playShares.js";
import { type Profiles, profilesOf } from "./profiles.js";
import { type Ranking, rankingOf } from "./ranking.js";
import { standingOf } from "./standing.js";
import { summarise } from "./summarise.js";
import type { SummaryRow } from "./summary.js";
import { type Sweep, sweepsOf } from "./sweep.js";
import { termsOf } from "./termsOf.js";
import { type ClaimVerdict, weighEvidence } from "./weighEvidence.js";

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
  /** What the data say about the document's claim. */
  readonly claim: ClaimVerdict;
  readonly failures: readonly (RunResult & { status: "failed" })[];
  /** The number of runs that have no result yet. */
  readonly open: number;
  /** A warning if some cell has few completed seeds; null if all have enough. */
  readonly fewSeeds: string | null;
  /** Whether there are too many environments outside of sweeps to tell how regret grows in each; the report is then brief. */
  readonly manyEnvironments: boolean;
}

/** With more environments than this, the growth of regret is not analysed in each. */
const MOST_AT_LENGTH = 8;

/** A pure function of the experiment and its results; it ignores results of runs that are not in the experiment. */
export function analyse(frozen: FrozenExperiment, results: Results): Analysis {
  const { experiment, hash } = frozen;
  const all = runsOf(experiment);
  const runs = all.filter(({ id }) => results.has(id));
  const resampler = createResampler(bootstrapSeed(hash));
  const cells = cellsOf(runs, results);
  const plain = new Set(runs.flatMap(({ environment, sweep }) => (sweep === null ? [environment] : [])));
  const manyEnvironments = plain.size > MOST_AT_LENGTH;
  const members = membersOf(frozen, cells, resampler, manyEnvironments);
  const memberOf = new Map(members.flatMap((member) => member.cell.runs.map(({ id }) => [id, member])));
  const groups = groupsOf(
    experiment,
    runs,
    ({ id }) => memberOf.get(id)!,
    (ranked) => standingOf(ranked, resampler),
  );
  return {
    frozen,
    runs,
    results,
    rows: members.map(({ row }) => row),
    groups,
    rankings: groups.map(rankingOf),
    sweeps: sweepsOf(groups, resampler),
    profiles: profilesOf(groups),
    claim: weighEvidence(experiment.evidence, members, resampler),
    failures: runs.flatMap(({ id }) => {
      const result = results.get(id)!;
      return result.status === "failed" ? [result] : [];
    }),
    open: all.length - runs.length,
    fewSeeds: fewSeeds(Math.min(...members.flatMap(({ row }) => (row.seeds > 0 ? [row.seeds] : [])))),
    manyEnvironments,
  };
}

/** One per cell, in the order of the cells. */
function membersOf({ experiment }: FrozenExperiment, cells: readonly Cell[], resampler: Resampler, briefly: boolean): Member[] {
  const labels = Object.keys(experiment.policies);
  const taken = new Set<string>();
  const slugs = labels.map((label) => freeSlug(label, taken));
  const guarantees = guaranteeOf(experiment);
  const neverLearned = neverLearnedOf(experiment);
  return cells.map((cell) => {
    const index = labels.indexOf(cell.policy);
    const guarantee = guarantees(cell.runs[0]!);
    return {
      index,
      label: cell.policy,
      slug: slugs[index]!,
      cell,
      row: summarise(cell, { experiment, resampler, neverLearned, guarantee }),
      guarantee,
      terms: cell.sweep === null ? termsOf(cell, resampler) : [],
      growth: briefly || cell.sweep !== null ? null : growthOf(cell, resampler),
      playShares: briefly || cell.sweep !== null ? null : playShares(cell),
      seedCurves: briefly || cell.sweep !== null ? [] : seedCurvesOf(cell),
    };
  });
}

function seedCurvesOf({ traces }: Cell): Member["seedCurves"] {
  return [...traces].slice(0, MOST_SEED_CURVES).map(([seed, { pseudoRegret }]) => ({ seed, values: pseudoRegret }));
}

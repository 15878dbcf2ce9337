import type { Experiment } from "../document/experiment.js";
import { environmentOf } from "../document/resolveRun.js";
import type { Run } from "../document/run.js";
import type { RunResult } from "../run/runResult.js";
import { cellsOf } from "./cells.js";
import { type Played, type Profile, profile } from "./profile.js";
import type { SummaryRow } from "./summary.js";

/** How the policies of an experiment do across its environments. */
export interface Profiles {
  readonly sound: Profile;
  /** The same where truncated non-negativity is broken: kept apart, for there no theorem of the paper promises anything. Null where there is no such environment. */
  readonly broken: Profile | null;
  /** Whether some environment has one seed only: its best policy was then picked on the seed that it is compared on. */
  readonly onOneSeed: boolean;
}

/** Null with too few environments. Swept ones, and those that not every policy has been played in yet, are left out. `summary`: the rows of the same runs. */
export function profilesOf(
  experiment: Experiment,
  runs: readonly Run[],
  results: ReadonlyMap<string, RunResult>,
  summary: readonly SummaryRow[],
): Profiles | null {
  const plain = runs.filter(({ sweep }) => sweep === null);
  const [environments, policies] = [new Set(plain.map(({ environment }) => environment)), new Set(plain.map(({ policy }) => policy))];
  const shareOf = new Map(summary.filter(({ sweep }) => sweep === undefined).map((row) => [key(row.environment, row.policy), row.neverLearned]));
  const playedOf = new Map(
    cellsOf(plain, results).map(({ environment, policy, traces }): [string, Played] => {
      const regrets = new Map([...traces].map(([seed, { dynamicRegret }]) => [seed, dynamicRegret.at(-1)!]));
      return [key(environment, policy), { environment, policy, regrets, neverLearned: shareOf.get(key(environment, policy)) ?? null }];
    }),
  );
  // In the order of the document.
  const played = [...environments].flatMap((environment) => {
    const rows = [...policies].flatMap((policy) => playedOf.get(key(environment, policy)) ?? []);
    return rows.length === policies.size ? [{ rows, breaks: breaksAssumption(experiment, environment) }] : [];
  });
  const rowsWhere = (broken: boolean) => played.filter(({ breaks }) => breaks === broken).flatMap(({ rows }) => rows);
  const sound = profile(rowsWhere(false));
  return sound && { sound, broken: profile(rowsWhere(true), 1), onOneSeed: played.some(({ rows }) => seedsOf(rows).size === 1) };
}

function seedsOf(rows: readonly Played[]): Set<number> {
  return new Set(rows.flatMap(({ regrets }) => [...regrets.keys()]));
}

/** Whether truncated non-negativity is known to fail. An environment that can not be made breaks nothing. */
function breaksAssumption({ environments, horizon, seeds }: Experiment, label: string): boolean {
  try {
    return environmentOf(environments[label]!, horizon, seeds[0]!).assumptions.truncatedNonNegative.holds === false;
  } catch {
    return false;
  }
}

function key(environment: string, policy: string): string {
  return JSON.stringify([environment, policy]);
}

import type { Experiment } from "../document/experiment.js";
import { environmentOf } from "../document/resolveRun.js";
import type { Run } from "../run/runResult.js";
import { type Profile, profile } from "./profile.js";
import type { SummaryRow } from "./summary.js";

/** How the policies of an experiment do across its environments. */
export interface Profiles {
  readonly sound: Profile;
  /** The same where truncated non-negativity is broken: kept apart, for there no theorem of the paper promises anything. Null where there is no such environment. */
  readonly broken: Profile | null;
}

/** Null with too few environments. Swept ones, and those that not every policy has been played in yet, are left out. */
export function profilesOf(experiment: Experiment, runs: readonly Run[], summary: readonly SummaryRow[]): Profiles | null {
  const plain = runs.filter(({ sweep }) => sweep === null);
  const [environments, policies] = [new Set(plain.map(({ environment }) => environment)), new Set(plain.map(({ policy }) => policy))];
  const rowOf = new Map(summary.filter(({ sweep }) => sweep === undefined).map((row) => [key(row.environment, row.policy), row]));
  // In the order of the document.
  const played = [...environments].flatMap((environment) => {
    const rows = [...policies].flatMap((policy) => rowOf.get(key(environment, policy)) ?? []);
    return rows.length === policies.size ? [{ rows, breaks: breaksAssumption(experiment, environment) }] : [];
  });
  const rowsWhere = (broken: boolean) => played.filter(({ breaks }) => breaks === broken).flatMap(({ rows }) => rows);
  const sound = profile(rowsWhere(false));
  return sound && { sound, broken: profile(rowsWhere(true), 1) };
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

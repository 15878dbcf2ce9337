import type { Group } from "./group.js";
import { type Played, type Profile, profile } from "./profile.js";

/** How the policies of an experiment do across its environments. */
export interface Profiles {
  readonly sound: Profile;
  /** The same where truncated non-negativity is broken: kept apart, for there no theorem of the paper promises anything. Null where there is no such environment. */
  readonly broken: Profile | null;
  /** Whether some environment has one seed only: its best policy was then picked on the seed that it is compared on. */
  readonly onOneSeed: boolean;
}

/** Null with too few environments. Swept ones, and those that not every policy has been played in yet, are left out. */
export function profilesOf(groups: readonly Group[]): Profiles | null {
  const plain = groups.filter(({ sweep }) => sweep === null);
  const policies = new Set(plain.flatMap(({ members }) => members.map(({ label }) => label)));
  const whole = plain.filter(({ members }) => members.length === policies.size);
  const rowsWhere = (broken: boolean) =>
    whole.filter(({ world }) => (world?.assumptions.truncatedNonNegative.holds === false) === broken).flatMap(playedIn);
  const sound = profile(rowsWhere(false));
  return sound && { sound, broken: profile(rowsWhere(true), 1), onOneSeed: whole.some((group) => seedsOf(playedIn(group)).size === 1) };
}

function playedIn({ environment, members }: Group): Played[] {
  return members.map(({ label, cell, row }) => ({
    environment,
    policy: label,
    regrets: new Map([...cell.traces].map(([seed, { dynamicRegret }]) => [seed, dynamicRegret.at(-1)!])),
    neverLearned: row.neverLearned,
  }));
}

function seedsOf(rows: readonly Played[]): Set<number> {
  return new Set(rows.flatMap(({ regrets }) => [...regrets.keys()]));
}

import type { Group } from "./group.js";
import { type Played, type Profile, profile } from "./profile.js";

/** How the policies of an experiment do across its environments. */
export interface Profiles {
  readonly sound: Profile;
  /**
   * The profile over the environments that break truncated non-negativity, kept apart because no theorem of the paper holds there. Null if there is
   * no such environment.
   */
  readonly broken: Profile | null;
  /** Whether some environment has only one seed; its best policy was then picked on the seed it is compared on. */
  readonly onOneSeed: boolean;
}

/** Null if there are too few environments. Swept environments are left out, and so are those in which some policy has not been played yet. */
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
    regrets: new Map(cell.runs.map(({ seed }, i) => [seed, cell.dynamicFinals[i]!])),
    share: row.share,
    stuck: row.stuck,
  }));
}

function seedsOf(rows: readonly Played[]): Set<number> {
  return new Set(rows.flatMap(({ regrets }) => [...regrets.keys()]));
}

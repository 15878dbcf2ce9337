import type { Race } from "../engine/race.js";
import { requireLengths, requireRace, requireRacer, requireWorld } from "./requireRace.js";

/** What is wrong with a race that is being written, by the form that it belongs to; null where nothing is. */
export interface Faults {
  readonly world: string | null;
  /** One for each policy. */
  readonly policies: readonly (string | null)[];
  /** Of the race as a whole. */
  readonly race: string | null;
}

export function faultsOf(race: Race): Faults {
  const none = race.policies.map(() => null);
  const lengths = complaint(() => requireLengths(race));
  if (lengths !== null) return { world: null, policies: none, race: lengths };
  const world = complaint(() => requireWorld(race));
  // In a world that cannot be, no policy can be judged.
  if (world !== null) return { world, policies: none, race: null };
  const policies = race.policies.map((_, policy) => complaint(() => requireRacer(race, policy)));
  return { world, policies, race: policies.every((fault) => fault === null) ? complaint(() => requireRace(race)) : null };
}

function complaint(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

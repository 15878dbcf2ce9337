import { applicableBounds, checkpoints } from "@tsallis/lab/play";
import { CHECKPOINTS, type Race, runOf, worldOf } from "./race.js";

/** The smallest bound that is proved for a policy in the world of its race. */
export interface PolicyBound {
  /** Null if there is none; then the note says why. */
  readonly id: string | null;
  /** Where it is proved. */
  readonly source: string | null;
  readonly note: string | null;
  /** At some rounds of the race. */
  readonly values: readonly number[];
  readonly rounds: readonly number[];
}

/** One for each policy. It may look at every round of the race, so it has no place in the page's own thread. */
export function boundsOf(race: Race): PolicyBound[] {
  // One world for all, which keeps what was found out about its distributions.
  const environment = worldOf(race);
  const rounds = checkpoints(race.rounds, CHECKPOINTS);
  return race.policies.map((_, policy) => {
    const run = runOf(race, { policy, seed: 1 }, environment);
    const { bounds, bound, note, outside } = applicableBounds({
      environment,
      policy: run.policy,
      horizon: race.rounds,
      delayed: run.delay !== 0,
      rescaled: run.rescaling !== null,
    });
    const found = bounds.find(({ id }) => id === bound?.id);
    if (found === undefined) {
      const nothing = outside.length === 0 && note !== null ? "no known bound holds in this world" : note && countedFromOne(note);
      return { id: null, source: null, note: nothing ?? "only the order of its growth is proved here", values: [], rounds };
    }
    return { id: found.id, source: found.source, note: null, values: rounds.map((round) => found.at(round) ?? Number.NaN), rounds };
  });
}

/** On the page the first arm is arm 1. */
export function countedFromOne(sentence: string): string {
  return sentence.replace(/\barms? \d+(?: and \d+)?/g, (arms) => arms.replace(/\d+/g, (arm) => String(Number(arm) + 1)));
}

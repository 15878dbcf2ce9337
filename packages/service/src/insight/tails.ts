import { type Estimate, FEWEST_LOSSES, lossFindings, type PooledFindings } from "tsallis/statistics";
import type { NumberedArm } from "../log/event.js";
import { turn } from "../turn.js";
import { lossesByArm } from "./costs.js";
import type { OutcomeRing } from "./outcomeRing.js";

/** What the losses of the arms that have enough of them say. */
export interface Tails {
  /** Null if no arm has enough losses. */
  readonly pooled: PooledFindings | null;
  /** Hill's tail index of |loss| by the arms' numbers. An infinite one, which JSON has not, is left out: the largest losses are all the same. */
  readonly byArm: ReadonlyMap<number, Estimate>;
}

export const NO_TAILS: Tails = { pooled: null, byArm: new Map() };

/** The heavy part (20 to 30 ms for 10,000 losses) has a turn of the event loop of its own. Never throws: figures must not stop a page. */
export async function tails(outcomes: OutcomeRing, segment: number | null, arms: readonly NumberedArm[]): Promise<Tails> {
  const losses = lossesByArm(
    outcomes,
    segment,
    arms.map(({ number }) => number),
  );
  const observed = arms
    .map(({ name, number }, place) => ({ name, number, losses: losses.of(place) }))
    .filter((arm) => arm.losses.length >= FEWEST_LOSSES);
  if (observed.length === 0) return NO_TAILS;
  try {
    await turn();
    const { arms: findings, pooled } = lossFindings(observed);
    await turn();
    const found = findings.flatMap(({ tails: { both } }, i): [number, Estimate][] => {
      if (both === null || !Number.isFinite(both.hill.high)) return [];
      const { estimate, low, high } = both.hill;
      return [[observed[i]!.number, { estimate, low, high }]];
    });
    return { pooled, byArm: new Map(found) };
  } catch {
    return NO_TAILS;
  }
}

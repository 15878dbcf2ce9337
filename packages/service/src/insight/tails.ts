import type { Advice } from "@tsallis/lab/advice";
import type { NumberedArm } from "../log/event.js";
import { lossesByArm } from "./costs.js";
import type { Estimate } from "./estimate.js";
import type { OutcomeRing } from "./outcomeRing.js";
import { turn } from "./turn.js";

/** What the lab says about the losses of the arms that have enough of them; null if none has, or if it cannot tell. */
export interface Tails {
  readonly advice: Pick<Advice, "pooled"> | null;
  /** Hill's tail index of |loss| by the arms' numbers. An infinite one, which JSON has not, is left out: the largest losses are all the same. */
  readonly byArm: ReadonlyMap<number, Estimate>;
}

export const NO_TAILS: Tails = { advice: null, byArm: new Map() };
/** As FEWEST_LOSSES of the lab, which is loaded only if it is needed: it brings its charts along. */
export const FEWEST = 100;

/** Asks the lab, which is the heavy part (20 to 30 ms for 10,000 losses), in a turn of the event loop of its own. Never throws: figures must not stop a page. */
export async function tails(outcomes: OutcomeRing, segment: number | null, arms: readonly NumberedArm[]): Promise<Tails> {
  const losses = lossesByArm(
    outcomes,
    segment,
    arms.map(({ number }) => number),
  );
  const observed = arms.map(({ name, number }, place) => ({ name, number, losses: losses.of(place) })).filter((arm) => arm.losses.length >= FEWEST);
  if (observed.length === 0) return NO_TAILS;
  try {
    const { advise } = await import("@tsallis/lab/advice");
    await turn();
    const { arms: findings, pooled } = advise(observed);
    await turn();
    const found = findings.flatMap(({ tails: { both } }, i): [number, Estimate][] => {
      if (both === null || !Number.isFinite(both.hill.high)) return [];
      const { estimate, low, high } = both.hill;
      return [[observed[i]!.number, { estimate, low, high }]];
    });
    return { advice: { pooled }, byArm: new Map(found) };
  } catch {
    return NO_TAILS;
  }
}

import type { Estimate } from "tsallis/statistics";
import type { NumberedArm } from "../log/event.js";
import type { History } from "../schemas.js";
import type { DecisionRing } from "./decisionRing.js";
import { Grouped } from "./grouped.js";
import type { OutcomeRing } from "./outcomeRing.js";
import { quantilesOf } from "./quantiles.js";
import { survival } from "./survival.js";

/** What each of the arms costs, by the last decisions and outcomes. */
export function costs(
  { decisions, outcomes }: { readonly decisions: DecisionRing; readonly outcomes: OutcomeRing },
  segment: number | null,
  arms: readonly NumberedArm[],
  tails: ReadonlyMap<number, Estimate>,
): History["costs"] {
  const places = new Map(arms.map(({ number }, place) => [number, place]));
  const placeOf = (ring: DecisionRing | OutcomeRing, slot: number): number =>
    segment === null || ring.segment[slot] === segment ? (places.get(ring.arm[slot]!) ?? -1) : -1;
  // More decisions are kept than outcomes: older ones would look as if they had none.
  const since = outcomes.dropped ? outcomes.at[outcomes.slot(0)]! : -Infinity;
  const decided = new Uint32Array(arms.length);
  for (let slot = 0; slot < decisions.size; slot++) {
    const place = decisions.at[slot]! < since ? -1 : placeOf(decisions, slot);
    if (place >= 0) decided[place]!++;
  }
  const [expired, skipped] = [new Uint32Array(arms.length), new Uint32Array(arms.length)];
  for (let slot = 0; slot < outcomes.size; slot++) {
    const place = placeOf(outcomes, slot);
    if (place < 0) continue;
    if (outcomes.isExpired(slot)) expired[place]!++;
    if (outcomes.isSkipped(slot)) skipped[place]!++;
  }
  const losses = lossesByArm(
    outcomes,
    segment,
    arms.map(({ number }) => number),
  );
  return arms.map(({ name, number }, place) => {
    const sorted = losses.of(place).sort();
    const answered = sorted.length;
    const ended = answered + expired[place]!;
    return {
      arm: name,
      decisions: decided[place]!,
      answered,
      ...quantilesOf(sorted),
      mean: answered === 0 ? null : sorted.reduce((sum, loss) => sum + loss, 0) / answered,
      skipped: answered === 0 ? null : skipped[place]! / answered,
      missing: ended === 0 ? null : expired[place]! / ended,
      tail: tails.get(number) ?? null,
      survival: survival(sorted),
    };
  });
}

/** The answered losses of each of the arms, in the order of the log. */
export function lossesByArm(outcomes: OutcomeRing, segment: number | null, arms: readonly number[]): Grouped {
  const places = new Map(arms.map((number, place) => [number, place]));
  return new Grouped(
    arms.length,
    outcomes.size,
    (i) => {
      const slot = outcomes.slot(i);
      if (outcomes.isExpired(slot) || (segment !== null && outcomes.segment[slot] !== segment)) return -1;
      return places.get(outcomes.arm[slot]!) ?? -1;
    },
    (i) => outcomes.loss[outcomes.slot(i)]!,
  );
}

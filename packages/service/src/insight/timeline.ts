import type { History } from "../schemas.js";
import type { DecisionRing } from "./decisionRing.js";
import { Grouped } from "./grouped.js";
import type { OutcomeRing } from "./outcomeRing.js";
import type { ProbabilityRing } from "./probabilityRing.js";
import { quantilesOf } from "./quantiles.js";

/** A point is at least this wide, in milliseconds. */
const NARROWEST = 1_000;
/** With many arms there are fewer points: a history of 10,000 arms with 1,000 points has 10,000,000 shares. */
const MOST_SHARES = 100_000;
const FEWEST_POINTS = 10;

export interface Sources {
  readonly decisions: DecisionRing;
  readonly outcomes: OutcomeRing;
  readonly probabilities: ProbabilityRing;
}

/** Whose events are asked for. */
export interface Asked {
  /** The place of the segment in the list of names; null for all together. */
  readonly segment: number | null;
  /** The numbers of the present arms, in order. */
  readonly arms: readonly number[];
  /** At most this many points. */
  readonly points: number;
  /** The arms of the probabilities that do not know theirs; null if unknown. */
  readonly unknownArms: readonly number[] | null;
}

type Timeline = Pick<History, "events" | "from" | "to" | "seconds" | "points">;

/** What happened in each stretch of the time for which all is known. A point stands at the beginning of its stretch. */
export function timeline(sources: Sources, asked: Asked): Timeline {
  const { decisions, outcomes } = sources;
  const range = rangeOf(sources, asked.segment);
  if (range === null) return { events: 0, from: null, to: null, seconds: NARROWEST / 1000, points: [] };
  const [from, to] = range;
  const most = Math.max(FEWEST_POINTS, Math.min(asked.points, Math.floor(MOST_SHARES / asked.arms.length)));
  const width = Math.max(NARROWEST, Math.ceil((to - from + 1) / Math.min(most, asked.points)));
  const count = Math.floor((to - from) / width) + 1;
  const within = ({ at, segment }: DecisionRing | OutcomeRing, slot: number): number =>
    (asked.segment !== null && segment[slot] !== asked.segment) || at[slot]! < from ? -1 : Math.floor((at[slot]! - from) / width);

  const decided = new Uint32Array(count);
  const chosen = new Uint32Array(count * asked.arms.length);
  const places = new Map(asked.arms.map((number, place) => [number, place]));
  for (let slot = 0; slot < decisions.size; slot++) {
    const point = within(decisions, slot);
    if (point < 0) continue;
    decided[point]!++;
    const place = places.get(decisions.arm[slot]!);
    if (place !== undefined) chosen[point * asked.arms.length + place]!++;
  }

  const expired = new Uint32Array(count);
  for (let slot = 0; slot < outcomes.size; slot++) {
    const point = outcomes.isExpired(slot) ? within(outcomes, slot) : -1;
    if (point >= 0) expired[point]!++;
  }
  const losses = new Grouped(
    count,
    outcomes.size,
    (slot) => (outcomes.isExpired(slot) ? -1 : within(outcomes, slot)),
    (slot) => outcomes.loss[slot]!,
  );

  const probabilities = probabilitiesIn(sources.probabilities, asked, from, width, count);
  let events = 0;
  const points = Array.from({ length: count }, (_, point) => {
    const answered = losses.of(point).sort();
    const all = decided[point]!;
    events += all + answered.length + expired[point]!;
    const shares = all === 0 ? null : asked.arms.map((_arm, place) => chosen[point * asked.arms.length + place]! / all);
    return {
      at: new Date(from + point * width).toISOString(),
      decisions: all,
      answered: answered.length,
      expired: expired[point]!,
      probabilities: probabilities[point]!,
      shares,
      ...quantilesOf(answered),
    };
  });
  return { events, from: new Date(from).toISOString(), to: new Date(to).toISOString(), seconds: width / 1000, points };
}

/** From when on neither decisions nor outcomes were dropped, to the last of them; clocks may differ, so that the last need not be the latest. */
function rangeOf({ decisions, outcomes }: Sources, segment: number | null): [from: number, to: number] | null {
  const known = [decisions, outcomes].reduce((start, ring) => (ring.dropped ? Math.max(start, ring.at[ring.slot(0)]!) : start), -Infinity);
  let [from, to] = [Infinity, -Infinity];
  for (const ring of [decisions, outcomes]) {
    for (let slot = 0; slot < ring.size; slot++) {
      const at = ring.at[slot]!;
      if (at < known || (segment !== null && ring.segment[slot] !== segment)) continue;
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  return from <= to ? [from, to] : null;
}

/** For each stretch the last probabilities that were logged by its end, for the present arms; null before the first. All segments together show the default one's. */
function probabilitiesIn(
  ring: ProbabilityRing,
  { segment, arms, unknownArms }: Asked,
  from: number,
  width: number,
  count: number,
): (number[] | null)[] {
  const shown: (number[] | null)[] = new Array(count).fill(null);
  const last = new Int32Array(count).fill(-1);
  for (let i = 0; i < ring.size; i++) {
    const slot = ring.slot(i);
    if (ring.segment[slot] !== (segment ?? 0)) continue;
    const point = Math.max(0, Math.floor((ring.at[slot]! - from) / width));
    if (point < count) last[point] = slot;
  }
  let current: number[] | null = null;
  for (let point = 0; point < count; point++) {
    const slot = last[point]!;
    if (slot >= 0) {
      const about = ring.arms[slot] ?? unknownArms;
      current = about === null ? null : presentProbabilities(ring.probabilities[slot]!, about, arms);
    }
    shown[point] = current;
  }
  return shown;
}

/** The probabilities of the present arms; 0 of those that were not there. */
function presentProbabilities(logged: readonly number[], about: readonly number[], arms: readonly number[]): number[] {
  return arms.map((number) => logged[about.indexOf(number)] ?? 0);
}

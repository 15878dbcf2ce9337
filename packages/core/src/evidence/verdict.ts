// May one stop? Arm a is the best if for every rival b, at every mean m, the evidence that a is below m and that b is above m is together large enough. At the best arm's
// mean, the wealth of its bets times the average wealth of all other arms' bets is a supermartingale, so with a probability of at least 1 - error the best arm is
// never out of the race.
import type { LogWealth } from "./logWealth.js";
import { logOf, type MeanEvidence } from "./meanEvidence.js";

/** The parts of the wealth that are never staked: of the arm that is asked for, and of its rival. */
const IDLE = 0.5;
const RIVAL_IDLE = 0.2;
const STEPS = 100;

/** Who may be the best. */
export interface Race {
  /** The arm with the lowest mean, missing losses counted as the cap; null if none has been played. */
  readonly leader: number | null;
  /** The leader if all others are out, or else null. */
  readonly best: number | null;
  /** The leader, and the arms that may still be better. */
  readonly inRace: readonly number[];
  /** For each arm the evidence that the leader is better, and for the leader the least of these. An arm is out from `needed` on. */
  readonly evidence: readonly number[];
  readonly needed: number;
}

/** The race of the arms. With a tolerance, an arm is out if it is not better than the leader by more than that. */
export function raceOf(arms: readonly MeanEvidence[], error: number, tolerance: number): Race {
  const needed = logOf(1, error);
  const played = arms.flatMap(({ count, missing }, arm) => (count + missing > 0 ? [arm] : []));
  const leader = played.reduce<number | null>(
    (least, arm) => (least === null || pessimistic(arms[arm]!) < pessimistic(arms[least]!) ? arm : least),
    null,
  );
  if (leader === null) return { leader, best: null, inRace: [...arms.keys()], evidence: arms.map(() => 0), needed };
  const evidence = arms.map((rival, arm) => (arm === leader ? Infinity : pairEvidence(arms[leader]!, rival, arms.length - 1, tolerance)));
  evidence[leader] = arms.length === 1 ? needed : evidence.reduce((least, each) => Math.min(least, each));
  const inRace = [...arms.keys()].filter((arm) => arm === leader || evidence[arm]! < needed);
  return { leader, best: inRace.length === 1 ? leader : null, inRace, evidence, needed };
}

function pessimistic({ atLeast }: MeanEvidence): number {
  return atLeast.mean;
}

/** The least evidence, over all means, that `a` is below the mean and `b` above the mean minus the tolerance. Both parts are convex. */
function pairEvidence(a: MeanEvidence, b: MeanEvidence, rivals: number, tolerance: number): number {
  const whole = 1 + tolerance / (a.cap - a.floor);
  const below: LogWealth = a.atLeast.wealth;
  const above: LogWealth = b.atMost.wealth;
  const at = (q: number) => {
    const one = below.withIdle(q, IDLE, (1 - IDLE) / rivals);
    const other = above.withIdle(whole - q, RIVAL_IDLE, 1 - RIVAL_IDLE);
    return { value: one.value + other.value, slope: one.slope - other.slope, curvature: one.curvature + other.curvature };
  };
  let [low, high] = [0, whole];
  let q = Math.min(whole, Math.max(0, a.atLeast.mean));
  let { value, slope, curvature } = at(q);
  for (let i = 0; i < STEPS && slope !== 0 && high - low > 1e-15; i++) {
    if (slope < 0) low = q;
    else high = q;
    const next = q - slope / curvature;
    q = next > low && next < high ? next : (low + high) / 2;
    const found = at(q);
    const gained = Math.abs(found.value - value);
    ({ slope, curvature } = found);
    value = Math.min(value, found.value);
    // The curve is above its tangent: nothing within the bracket is lower than this.
    if (gained < 1e-12 && Math.abs(slope) * (slope > 0 ? q - low : high - q) < 1e-9) break;
  }
  return value;
}

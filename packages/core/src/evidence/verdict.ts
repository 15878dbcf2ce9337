// May one stop? Arm a is the best if for every rival b, at every mean m, the evidence that a is below m and that b is above m is together large enough. At the best arm's
// mean, the wealth of its bets times the average wealth of all other arms' bets is a supermartingale, so with a probability of at least 1 - error the best arm is
// never out of the race. The same is true of bets on both arms at one common rate, which pay for the choice of the rate once instead of twice: they share the wealth with
// the product, which is better where one arm is played much more often than the other.
import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { JOINT_WEIGHTS } from "./bets.js";
import { type Curve, LogWealth } from "./logWealth.js";
import { logOf, type MeanEvidence } from "./meanEvidence.js";

/** The parts of the wealth that are never staked: of the arm that is asked for, and of its rival. */
const IDLE = 0.3;
const RIVAL_IDLE = 0.2;
/** The part of the wealth that is staked on both arms at one common rate. */
const JOINT = 0.4;
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

/** The least evidence, over all means, that `a` is below the mean and `b` above the mean minus the tolerance. It is convex. */
function pairEvidence(a: MeanEvidence, b: MeanEvidence, rivals: number, tolerance: number): number {
  const whole = 1 + tolerance / (a.cap - a.floor);
  const below: LogWealth = a.atLeast.wealth;
  const above: LogWealth = b.atMost.wealth;
  const joint = jointWealth(below, above, whole);
  const at = (q: number) => {
    const one = below.withIdle(q, IDLE, (1 - IDLE) / rivals);
    const other = above.withIdle(whole - q, RIVAL_IDLE, 1 - RIVAL_IDLE);
    const product = { value: one.value + other.value, slope: one.slope - other.slope, curvature: one.curvature + other.curvature };
    return shared(product, 1 - JOINT, joint.at(q), JOINT / rivals);
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

/** The bets that `a` is below the mean and `b` above it at the same rate. `whole` is what the two arguments of the mean sum to. */
function jointWealth(a: LogWealth, b: LogWealth, whole: number): LogWealth {
  const { rates } = a;
  const bases = rates.map((_, k) => a.bases[k]! + b.bases[k]! + JOINT_WEIGHTS[k]!);
  const paid = rates.map((_, k) => a.weight * a.shifts[k]! + a.paid[k]! + (b.weight * (b.shifts[k]! - whole) + b.paid[k]!));
  return new LogWealth(rates, bases, new Float64Array(rates.length), paid, a.weight - b.weight);
}

/** The logarithm of a part of one wealth plus a part of another. */
function shared(one: Curve, part: number, other: Curve, otherPart: number): Curve {
  const [x, y] = [log(part) + one.value, log(otherPart) + other.value];
  const most = Math.max(x, y);
  const [first, second] = [exp(x - most), exp(y - most)];
  const [p, r] = [first / (first + second), second / (first + second)];
  const slope = p * one.slope + r * other.slope;
  const squares = p * (one.curvature + one.slope * one.slope) + r * (other.curvature + other.slope * other.slope);
  return { value: most + log(first + second), slope, curvature: Math.max(0, squares - slope * slope) };
}

import { type Choice, LARGEST_LOSS, type Rng } from "tsallis";
import { type KnownUpstream, PATIENCE } from "./knownUpstream.js";
import type { Route } from "./route.js";
import type { RouterModel } from "./routerModel.js";

/** This share of all requests goes to upstreams that are drawn uniformly, so that no upstream's share is below PROBES / upstreams. */
const PROBES = 1 / 200;
const NONE: readonly number[] = [];
/** An upstream with this rate of failures is likely to fail. */
const LIKELY = 0.5;
/** Policies refuse to be told that a less likely arm was played. */
const SMALLEST_PROBABILITY = 1e-300;

/**
 * What is known about each upstream before the next request of a route is sent, besides what the policy has learned: by how much its load raises its latency, whether answers
 * are missing, how likely it fails, and whether it has asked to be left alone. The policy's probabilities take all that into account.
 */
export class Outlook {
  readonly upstreams: readonly KnownUpstream[];
  /** By upstream: latency now to latency at rest, and how many seconds a request of the route usually takes; 0 if that is not known. */
  readonly factors: Float64Array;
  readonly usual: Float64Array;
  /** By upstream, in units of the loss: what failures are likely to cost, and that with the load. */
  readonly #failures: Float64Array;
  readonly #ahead: Float64Array;
  /** The upstreams that cost as much as a failure, because they have asked to be left alone. */
  #resting: readonly number[] = NONE;
  /** The upstreams that cost more than the least, while the policy has no scale to weigh that by. */
  #costly: readonly number[] = NONE;

  constructor(readonly model: RouterModel) {
    const { upstreams } = model;
    this.upstreams = upstreams;
    this.factors = new Float64Array(upstreams.length).fill(1);
    this.usual = new Float64Array(upstreams.length);
    this.#failures = new Float64Array(upstreams.length);
    this.#ahead = new Float64Array(upstreams.length);
  }

  look(route: Route, now: number): void {
    if (!route.takesKnownCosts || this.upstreams.length === 0) return;
    const { upstreams } = this;
    const { options } = this.model;
    const { inSeconds, penalty } = options;
    if (inSeconds) this.#lookAtLatency(route);
    let resting = 0;
    for (let arm = 0; arm < upstreams.length; arm++) {
      const known = upstreams[arm]!;
      const cost = penalty * known.failures.rate(known.inFlight);
      const usual = this.usual[arm]!;
      const excess = Math.max(0, known.missing(now) / PATIENCE - 1);
      this.#failures[arm] = cost;
      this.#ahead[arm] = Math.min(cost + usual * (1 - 1 / this.factors[arm]! + excess), LARGEST_LOSS);
      if (known.restsUntil > now) resting++;
    }
    this.#resting = resting === 0 ? NONE : this.#leftAlone(now);
    for (const arm of this.#resting) this.#ahead[arm] = Math.min(this.#ahead[arm]! - this.#failures[arm]! + penalty, LARGEST_LOSS);
    this.#costly = route.knowsScale ? NONE : this.#unweighed(route);
  }

  #lookAtLatency({ levelSeconds }: Route): void {
    const { upstreams, factors, usual } = this;
    const { peers } = this.model;
    const doubt = this.model.doubt();
    // What an upstream without answers is taken to need at rest: as little as the best of the others.
    let least = Number.POSITIVE_INFINITY;
    for (const { latency } of upstreams) if (latency.rest.count > 0) least = Math.min(least, latency.rest.mean);
    if (least === Number.POSITIVE_INFINITY) least = 0;
    for (let arm = 0; arm < upstreams.length; arm++) {
      const { latency, inFlight } = upstreams[arm]!;
      const { count, mean } = latency.rest;
      const factor = latency.factor(inFlight, peers, doubt);
      factors[arm] = factor;
      usual[arm] = Math.min((count > 0 ? mean : least) * levelSeconds * factor, LARGEST_LOSS);
    }
  }

  /** Those that have asked to be left alone; none if they are too many, or if all others are likely to fail. */
  #leftAlone(now: number): readonly number[] {
    const { upstreams } = this;
    const resting = [...upstreams.keys()].filter((arm) => upstreams[arm]!.restsUntil > now);
    const isReplaced = upstreams.some(({ restsUntil, failures, inFlight }) => restsUntil <= now && failures.rate(inFlight) < LIKELY);
    return isReplaced && resting.length <= this.#maxEjected() ? resting : NONE;
  }

  /** How many upstreams may be left out of a choice at the same time. */
  #maxEjected(): number {
    const { length } = this.upstreams;
    return Math.min(Math.max(1, Math.floor((length * this.model.options.maxEjectionPercent) / 100)), length - 1);
  }

  /** A policy without a scale has equal probabilities, whatever is known ahead. The most costly upstreams are then left to their probes. */
  #unweighed(route: Route): readonly number[] {
    const ahead = this.#ahead;
    const least = ahead.reduce((a, b) => Math.min(a, b));
    if (ahead.every((cost) => cost === least)) return NONE;
    const probabilities = route.policy.probabilities(ahead)!;
    route.knowsScale = probabilities.some((share) => share !== probabilities[0]);
    if (route.knowsScale) return NONE;
    const costly = [...ahead.keys()].filter((arm) => ahead[arm]! > least);
    return costly.sort((a, b) => ahead[b]! - ahead[a]!).slice(0, this.#maxEjected());
  }

  /** Draws the upstream of a request, none of the excluded ones, by the probabilities that all this gives. The Choice carries the probability of that. */
  draw(route: Route, rng: Rng, excluded: readonly number[]): Choice {
    if (!route.takesKnownCosts) return excluded.length === 0 ? route.policy.choose(rng) : drawWithout(route, rng, excluded);
    const { policy } = route;
    const ahead = this.#ahead;
    const allowed = this.upstreams.length - excluded.length;
    const u = rng.uniform();
    if (u < PROBES) {
      const arm = nth(Math.min(Math.floor((u / PROBES) * allowed), allowed - 1), excluded);
      const probabilities = policy.probabilities(ahead)!;
      if (probabilities[arm]! >= SMALLEST_PROBABILITY) {
        const choice = policy.force(arm, undefined, ahead);
        choice.probability = mixed(without(probabilities, this.#left(excluded))[arm]!, allowed);
        return choice;
      }
    }
    const left = this.#left(excluded);
    const choice = left.length === 0 ? policy.choose(rng, undefined, ahead) : policy.choose(rng, undefined, ahead, left);
    choice.probability = mixed(choice.probability!, allowed);
    return choice;
  }

  /** Which arms the policy's own draw leaves out: the excluded ones and the costly ones, unless nothing else is left. */
  #left(excluded: readonly number[]): readonly number[] {
    if (this.#costly.length === 0) return excluded;
    const all = [...new Set([...excluded, ...this.#costly])];
    return all.length < this.upstreams.length ? all : excluded;
  }

  /** The probability of each upstream to be chosen next; null if the policy does not tell, or if there is no upstream. */
  probabilities(route: Route): Float64Array | null {
    if (this.upstreams.length === 0) return null;
    if (!route.takesKnownCosts) return route.policy.probabilities();
    const probabilities = without(route.policy.probabilities(this.#ahead)!, this.#left(NONE));
    for (let arm = 0; arm < probabilities.length; arm++) probabilities[arm] = mixed(probabilities[arm]!, probabilities.length);
    return probabilities;
  }

  /** Whether an upstream costs as much as a failure, because it has asked to be left alone. */
  rests(arm: number): boolean {
    return this.#resting.includes(arm);
  }

  /** The probabilities if nothing were in flight and no Retry-After were in force; null if the policy has no known costs. */
  probabilitiesWithoutLoad({ policy, takesKnownCosts }: Route): Float64Array | null {
    return takesKnownCosts && this.upstreams.length > 0 ? policy.probabilities(this.#failures) : null;
  }

  /** The probabilities if there were no failures either. */
  probabilitiesAlone({ policy, takesKnownCosts }: Route): Float64Array | null {
    return takesKnownCosts ? policy.probabilities() : null;
  }
}

function mixed(share: number, upstreams: number): number {
  return upstreams === 1 ? 1 : (1 - PROBES) * share + PROBES / upstreams;
}

/** The n-th arm that is not excluded. */
function nth(n: number, excluded: readonly number[]): number {
  let arm = -1;
  for (let left = n; left >= 0; left--) {
    do arm++;
    while (excluded.includes(arm));
  }
  return arm;
}

/** Probabilities without some arms: the others share in proportion; alike, if they have nothing. */
function without(probabilities: Float64Array, left: readonly number[]): Float64Array {
  if (left.length === 0) return probabilities;
  const rest = probabilities.reduce((sum, share, arm) => (left.includes(arm) ? sum : sum + share), 0);
  return probabilities.map((share, arm) => (left.includes(arm) ? 0 : rest > 0 ? share / rest : 1 / (probabilities.length - left.length)));
}

/** For a policy that cannot leave arms out itself. */
function drawWithout({ policy }: Route, rng: Rng, excluded: readonly number[]): Choice {
  const probabilities = policy.probabilities();
  const shares = without(probabilities ?? new Float64Array(policy.arms).fill(1 / policy.arms), excluded);
  let arm = nth(policy.arms - excluded.length - 1, excluded);
  let rest = rng.uniform();
  for (const [each, share] of shares.entries()) {
    rest -= share;
    if (rest >= 0 || share === 0) continue;
    arm = each;
    break;
  }
  const choice = policy.force(arm);
  if (probabilities !== null) choice.probability = shares[arm]!;
  return choice;
}

import { type Choice, LARGEST_LOSS, type Rng } from "tsallis";
import type { KnownUpstream } from "./knownUpstream.js";
import type { Ledger } from "./ledger.js";
import type { Route } from "./route.js";

/** This share of all requests goes to upstreams that are drawn uniformly, so that no upstream's share is below PROBES / upstreams. */
const PROBES = 1 / 200;
const NONE: readonly number[] = [];
/** Policies refuse to be told that a less likely arm was played. */
const SMALLEST_PROBABILITY = 1e-300;

/**
 * What is known about each upstream before the next request of a route is sent, besides what the policy has learned: by how much its load raises its latency, how likely it
 * fails, and whether it has asked to be left alone. The policy's law is drawn with all that.
 */
export class Outlook {
  readonly upstreams: readonly KnownUpstream[];
  /** By upstream: latency now to latency at rest. */
  readonly factors: Float64Array;
  /** By upstream, in units of the loss: what failures are likely to cost, and that with the load. */
  readonly #failures: Float64Array;
  readonly #ahead: Float64Array;
  #resting: number[] = [];
  /** Whether some upstream is slower than at rest, or has asked to be left alone. */
  isLoaded = false;
  /** The upstreams that cost more than the least, while the policy has no scale to weigh that by. */
  #costly: readonly number[] = [];

  constructor(readonly ledger: Ledger) {
    const { upstreams } = ledger;
    this.upstreams = upstreams;
    this.factors = new Float64Array(upstreams.length).fill(1);
    this.#failures = new Float64Array(upstreams.length);
    this.#ahead = new Float64Array(upstreams.length);
  }

  look(route: Route, now: number): void {
    if (!route.foresees) return;
    const { upstreams, factors } = this;
    const { peers, options } = this.ledger;
    const { inSeconds, penalty } = options;
    const unknown = inSeconds ? leastRest(route) : 0;
    const doubt = this.ledger.doubt();
    this.isLoaded = false;
    if (this.#resting.length > 0) this.#resting = [];
    for (let arm = 0; arm < upstreams.length; arm++) {
      const known = upstreams[arm]!;
      const cost = penalty * known.failures.rate(known.inFlight);
      this.#failures[arm] = cost;
      let extra = 0;
      if (inSeconds) {
        const factor = known.curve.factor(known.inFlight, peers, doubt);
        factors[arm] = factor;
        const { count, mean } = route.rest[arm]!;
        extra = (count > 0 ? mean : unknown) * (factor - 1);
        if (extra > 0) this.isLoaded = true;
      }
      this.#ahead[arm] = Math.min(cost + extra, LARGEST_LOSS);
      if (known.restsUntil > now) this.#resting.push(arm);
    }
    // If all rest, none does.
    if (this.#resting.length === upstreams.length) this.#resting = [];
    if (this.#resting.length > 0) this.isLoaded = true;
    this.#costly = route.knowsScale ? NONE : this.#unweighed(route);
  }

  /** A policy without a scale has an even law, whatever is known ahead. All but the least costly upstreams are then left to their probes. */
  #unweighed(route: Route): readonly number[] {
    const ahead = this.#ahead;
    const least = ahead.reduce((a, b) => Math.min(a, b));
    if (ahead.every((cost) => cost === least)) return NONE;
    const law = route.policy.probabilities(ahead)!;
    route.knowsScale = law.some((share) => share !== law[0]);
    return route.knowsScale ? NONE : [...ahead.keys()].filter((arm) => ahead[arm]! > least);
  }

  /** Draws the upstream of a request, none of the excluded ones, by the law that all this gives. The Choice carries the probability of that. */
  draw(route: Route, rng: Rng, excluded: readonly number[]): Choice {
    if (!route.foresees) return excluded.length === 0 ? route.policy.choose(rng) : drawWithout(route, rng, excluded);
    const { policy } = route;
    const ahead = this.#ahead;
    const allowed = this.upstreams.length - excluded.length;
    const u = rng.uniform();
    if (u < PROBES) {
      const arm = nth(Math.min(Math.floor((u / PROBES) * allowed), allowed - 1), excluded);
      const law = policy.probabilities(ahead)!;
      if (law[arm]! >= SMALLEST_PROBABILITY) {
        const choice = policy.force(arm, undefined, ahead);
        choice.probability = mixed(without(law, this.#left(excluded))[arm]!, allowed);
        return choice;
      }
    }
    const left = this.#left(excluded);
    const choice = left.length === 0 ? policy.choose(rng, undefined, ahead) : policy.choose(rng, undefined, ahead, left);
    choice.probability = mixed(choice.probability!, allowed);
    return choice;
  }

  /** Which arms the policy's own draw leaves out: the excluded ones, those that rest and the costly ones, unless nothing else is left. */
  #left(excluded: readonly number[]): readonly number[] {
    return this.#also(this.#also(excluded, this.#resting), this.#costly);
  }

  #also(left: readonly number[], more: readonly number[]): readonly number[] {
    if (more.length === 0) return left;
    const all = [...new Set([...left, ...more])];
    return all.length < this.upstreams.length ? all : left;
  }

  /** The probability of a Choice if there were no load and nobody rested. */
  atRest(route: Route, { arm, probability }: Choice): number | null {
    // The Choice has advanced the round, which changes nothing that matters here.
    return this.isLoaded && route.foresees ? route.policy.probabilities(this.#failures)![arm]! : probability;
  }

  /** The probability of each upstream to be chosen next; null if the policy does not tell. */
  law(route: Route): Float64Array | null {
    if (!route.foresees) return route.policy.probabilities();
    const law = without(route.policy.probabilities(this.#ahead)!, this.#left([]));
    return law.map((share) => mixed(share, law.length));
  }

  /** Whether an upstream gets its probe share alone, because it has asked to be left alone and not all have. */
  rests(arm: number): boolean {
    return this.#resting.includes(arm);
  }

  /** The law as it would be if nothing were in flight and nobody had asked to be left alone; null if the policy has no foresight. */
  lawWithoutLoad({ policy, foresees }: Route): Float64Array | null {
    return foresees ? policy.probabilities(this.#failures) : null;
  }

  /** The law as it would be if there were no failures either. */
  lawAlone({ policy, foresees }: Route): Float64Array | null {
    return foresees ? policy.probabilities() : null;
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

/** A law without some arms: the others share in proportion; alike, if they have nothing. */
function without(law: Float64Array, left: readonly number[]): Float64Array {
  if (left.length === 0) return law;
  const rest = law.reduce((sum, share, arm) => (left.includes(arm) ? sum : sum + share), 0);
  return law.map((share, arm) => (left.includes(arm) ? 0 : rest > 0 ? share / rest : 1 / (law.length - left.length)));
}

/** For a policy that cannot leave arms out itself. */
function drawWithout({ policy }: Route, rng: Rng, excluded: readonly number[]): Choice {
  const law = policy.probabilities();
  const shares = without(law ?? new Float64Array(policy.arms).fill(1 / policy.arms), excluded);
  let arm = nth(policy.arms - excluded.length - 1, excluded);
  let rest = rng.uniform();
  for (const [each, share] of shares.entries()) {
    rest -= share;
    if (rest >= 0 || share === 0) continue;
    arm = each;
    break;
  }
  const choice = policy.force(arm);
  if (law !== null) choice.probability = shares[arm]!;
  return choice;
}

/** What an upstream without answers is taken to cost at rest: as little as the best of the others. */
function leastRest({ rest }: Route): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { count, mean } of rest) if (count > 0 && mean < least) least = mean;
  return least === Number.POSITIVE_INFINITY ? 0 : least;
}

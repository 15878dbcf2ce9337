import type { Rng } from "tsallis";
import type { KnownUpstream } from "./knownUpstream.js";

/** The upstreams that are left must have had this probability together. */
const ENOUGH = 0.5;
/** Probabilities that are older than this many seconds are computed again. */
const LASTS = 0.004;

/** What is known of the upstream of a request that was drawn between two rounds. */
interface Drawn {
  readonly arm: number;
  readonly probability: number;
  readonly usual: number;
}

/**
 * The probabilities of a moment ago, for the requests that are no rounds of the policy. They do not change with the load, so an upstream that has more requests in flight than then is left out:
 * otherwise all these requests would fill the one that was best a moment ago. When the likely ones are filled, or after a few milliseconds, the probabilities are computed again.
 */
export class LastRound {
  #at = Number.NEGATIVE_INFINITY;
  #probabilities: Float64Array = new Float64Array();
  readonly #usual: Float64Array;
  readonly #loads: Float64Array;

  constructor(readonly upstreams: readonly Pick<KnownUpstream, "inFlight">[]) {
    this.#usual = new Float64Array(upstreams.length);
    this.#loads = new Float64Array(upstreams.length);
  }

  /** Takes the probabilities of now, and the seconds that a request usually takes. */
  take(probabilities: Float64Array, usual: Float64Array, now: number): void {
    this.#at = now;
    this.#probabilities = probabilities;
    this.#usual.set(usual);
    for (let arm = 0; arm < this.#loads.length; arm++) this.#loads[arm] = this.upstreams[arm]!.inFlight;
  }

  /** Draws an upstream that is not filled, with the probability of that; null if the probabilities are too old, or if the likely ones are filled. */
  draw(rng: Rng, now: number): Drawn | null {
    if (now - this.#at > LASTS) return null;
    const { upstreams } = this;
    const probabilities = this.#probabilities;
    const loads = this.#loads;
    let sum = 0;
    for (let arm = 0; arm < loads.length; arm++) if (upstreams[arm]!.inFlight <= loads[arm]!) sum += probabilities[arm]!;
    if (sum < ENOUGH) return null;
    let left = rng.uniform() * sum;
    let drawn = 0;
    for (let arm = 0; arm < loads.length; arm++) {
      if (upstreams[arm]!.inFlight > loads[arm]!) continue;
      drawn = arm;
      left -= probabilities[arm]!;
      if (left < 0) break;
    }
    return { arm: drawn, probability: probabilities[drawn]! / sum, usual: this.#usual[drawn]! };
  }
}

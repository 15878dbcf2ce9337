import type { Rng } from "tsallis";
import type { Outlook } from "./outlook.js";
import type { Route } from "./route.js";

/** The upstreams that are left must have had this probability together. */
const ENOUGH = 0.5;
/** Probabilities that are older than this many seconds are computed again. */
const LASTS = 0.004;

/** What is known of the upstream of a request that was drawn between two rounds. */
interface Drawn {
  readonly arm: number;
  readonly probability: number;
  readonly factor: number;
  readonly usual: number;
}

/**
 * The probabilities of a moment ago, for the requests that are no rounds of the policy. They do not change with the load, so an upstream that has more requests in flight than then is left out:
 * otherwise all these requests would fill the one that was best a moment ago. When the likely ones are filled, or after a few milliseconds, the probabilities are computed again.
 */
export class LastRound {
  readonly #upstreams: Outlook["upstreams"];
  #at = Number.NEGATIVE_INFINITY;
  #probabilities: Float64Array;
  readonly #factors: Float64Array;
  readonly #usual: Float64Array;
  readonly #loads: Float64Array;

  constructor({ upstreams }: Outlook) {
    this.#upstreams = upstreams;
    this.#probabilities = new Float64Array(upstreams.length);
    this.#factors = new Float64Array(upstreams.length);
    this.#usual = new Float64Array(upstreams.length);
    this.#loads = new Float64Array(upstreams.length);
  }

  /** The probabilities of now. */
  take(outlook: Outlook, route: Route, now: number): void {
    this.#at = now;
    this.#probabilities = outlook.probabilities(route)!;
    this.#factors.set(outlook.factors);
    this.#usual.set(outlook.usual);
    for (let arm = 0; arm < this.#loads.length; arm++) this.#loads[arm] = this.#upstreams[arm]!.inFlight;
  }

  /** Draws an upstream that is not filled, with the probability of that; null if the probabilities are too old, or if the likely ones are filled. */
  draw(rng: Rng, now: number): Drawn | null {
    if (now - this.#at > LASTS) return null;
    const upstreams = this.#upstreams;
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
    return { arm: drawn, probability: probabilities[drawn]! / sum, factor: this.#factors[drawn]!, usual: this.#usual[drawn]! };
  }
}

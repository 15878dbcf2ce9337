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
 * otherwise all these requests would fill the one that was best a moment ago. When the likely ones are filled, new probabilities are needed.
 */
export class LastRound {
  constructor(
    readonly outlook: Outlook,
    readonly at: number,
    readonly probabilities: Float64Array,
    readonly factors: Float64Array,
    readonly usual: Float64Array,
    readonly loads: Float64Array,
  ) {}

  static of(outlook: Outlook, route: Route, now: number): LastRound {
    const loads = Float64Array.from(outlook.upstreams, ({ inFlight }) => inFlight);
    return new LastRound(outlook, now, outlook.probabilities(route)!, outlook.factors.slice(), outlook.usual.slice(), loads);
  }

  /** Draws an upstream that is not filled, with the probability of that; null if this is too old, or if the likely ones are filled. */
  draw(rng: Rng, now: number): Drawn | null {
    if (now - this.at > LASTS) return null;
    const { probabilities, loads } = this;
    const { upstreams } = this.outlook;
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
    return { arm: drawn, probability: probabilities[drawn]! / sum, factor: this.factors[drawn]!, usual: this.usual[drawn]! };
  }
}

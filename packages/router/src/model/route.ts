import { createPolicy, POLICIES, type Policy } from "tsallis";
import { SHORTEST } from "./loadCurve.js";
import type { ModelOptions } from "./modelOptions.js";
import { Regimes } from "./regimes.js";
import { RestMean } from "./restMean.js";

/** The number of latencies that set the level. It does not follow later ones: what all upstreams do together would be lost for the curves. */
const LEVEL_SAMPLES = 16;

/** What the router has learned about requests of one kind, which have latencies of their own: the policy and what belongs to it. Upstreams are the policy's arms. */
export class Route {
  policy: Policy;
  readonly regimes = new Regimes();
  /** The mean loss of each upstream at rest. */
  rest: readonly RestMean[];
  /** Whether the policy's probabilities have ever followed what is known ahead. One that has not seen two different losses does not know what a loss of 1 is worth. */
  knowsScale = false;
  /** The mean of the first log latencies of this route: all routes share the load curves, so each latency enters them relative to its route's level. */
  level = { count: 0, mean: 0 };

  constructor(
    readonly name: string,
    options: ModelOptions,
    upstreams: number,
  ) {
    // Without upstreams there is nothing to choose, and the policy of one is never asked.
    this.policy = createPolicy(options.policy, Math.max(1, upstreams), { path: "policy." });
    this.rest = Array(upstreams)
      .fill(null)
      .map(() => new RestMean());
  }

  /** A latency relative to the level, which the first ones set. */
  relative(seconds: number): number {
    const { level } = this;
    if (level.count < LEVEL_SAMPLES) {
      level.count++;
      level.mean += (Math.log(Math.max(seconds, SHORTEST)) - level.mean) / level.count;
    }
    return seconds / Math.exp(level.mean);
  }

  /** Whether the policy can use what is known about load and failures. */
  get takesKnownCosts(): boolean {
    return POLICIES[this.policy.spec.policy]?.takesKnownCosts === true;
  }
}

import { createPolicy, LARGEST_LOSS, POLICIES, type Policy } from "tsallis";
import type { LastRound } from "./lastRound.js";
import type { CountedMean } from "./latency.js";
import type { ModelOptions } from "./modelOptions.js";
import { RoundRate } from "./roundRate.js";

/** The number of latencies that set the level. It does not follow later ones: what all upstreams do together would be lost for the curves. */
const LEVEL_SAMPLES = 16;
/** The largest half-life that policies take. */
const MOST_ROUNDS = 1e15;
/** A half-life is left as it is while the right one is off by at most this part. */
const CLOSE = 0.02;
/** Shorter latencies count as this many seconds: 0 has no logarithm. */
const SHORTEST = 1e-6;

/** What the router has learned about requests of one kind, which have latencies of their own. Upstreams are the policy's arms. */
export class Route {
  policy: Policy;
  /** Whether the policy's probabilities have ever followed what is known ahead. One that has not seen two different losses does not know what a loss of 1 is worth. */
  knowsScale = false;
  /** What requests between two rounds are drawn from; null if there was none yet. */
  lastRound: LastRound | null = null;
  /** The mean of the first log latencies of this route: all routes share what is known of an upstream's latency, so each enters it relative to its route's level. */
  level: CountedMean = { count: 0, mean: 0 };
  /** Null: the half-life is in rounds, as the policy counts it. */
  readonly #rate: RoundRate | null;
  #halfLife = 0;
  /** Whether the policy can use what is known about load and failures. */
  readonly takesKnownCosts: boolean;

  constructor(
    readonly name: string,
    options: ModelOptions,
    upstreams: number,
  ) {
    // Without upstreams there is nothing to choose, and the policy of one is never asked.
    this.policy = createPolicy(options.policy, Math.max(1, upstreams), { path: "policy." });
    this.#rate = options.halfLifeSeconds === null ? null : new RoundRate(options.halfLifeSeconds);
    this.takesKnownCosts = POLICIES[this.policy.spec.policy]?.takesKnownCosts === true;
  }

  /** A round is about to be played: a half-life in seconds has as many rounds as come in that time. */
  beginRound(now: number): void {
    if (this.#rate === null) return;
    const rounds = Math.min(Math.max(this.#rate.count(now), 1), MOST_ROUNDS);
    if (Math.abs(rounds - this.#halfLife) <= CLOSE * this.#halfLife) return;
    this.#halfLife = rounds;
    this.policy.setHalfLife!(rounds);
  }

  /** A latency relative to the level, which the first ones set. */
  relative(seconds: number): number {
    const { level } = this;
    const least = Math.max(seconds, SHORTEST);
    if (level.count < LEVEL_SAMPLES) {
      level.count++;
      level.mean += (Math.log(least) - level.mean) / level.count;
    }
    return Math.min(least / this.levelSeconds, LARGEST_LOSS);
  }

  /** The seconds of a relative latency of 1. */
  get levelSeconds(): number {
    return Math.exp(this.level.mean);
  }

  /** How often the policy has found that the favourite has become worse; null if it does not watch for that. */
  get alarms(): number | null {
    return this.policy.details().alarms ?? null;
  }
}

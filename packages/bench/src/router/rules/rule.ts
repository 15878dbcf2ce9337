import type { Rng } from "tsallis";

/** A rule that sends each request to one of some upstreams, 0 to n - 1. It learns of an answer when the answer comes: late and out of order. Milliseconds. */
export interface Rule {
  /** Where request `request` goes, sent at `now`. Called once per request, in the order of time. */
  choose(request: number, now: number): number;
  /** The answer to a request, or its failure: `latency` is then what was waited, the timeout. Called once per request, in the order of time. */
  answered(request: number, upstream: number, now: number, latency: number, failed: boolean): void;
}

/** What a rule is told before the first request. */
export interface RuleContext {
  readonly upstreams: number;
  /** Milliseconds after which a request has failed. */
  readonly timeout: number;
  /** Chance of its own. */
  readonly rng: Rng;
  readonly seed: number;
  /** The latency of an extra request to an upstream, sent at a time, not yet cut at any timeout. Nobody else sees it. */
  ping(upstream: number, at: number): number;
}

export type CreateRule = (context: RuleContext) => Rule;

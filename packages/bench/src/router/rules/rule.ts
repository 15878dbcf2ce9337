import type { Rng } from "tsallis";

/** A rule that sends each request to one of n upstreams, 0 to n - 1. It learns of an answer when the answer comes: late and out of order. Times are in milliseconds. */
export interface Rule {
  /** Where request `request` goes, sent at `now`. Called once per request, in the order of time. */
  choose(request: number, now: number): number;
  /** Reports the answer to a request, or its failure; `latency` is then the time waited, at most the timeout. Called once per request, in the order of time. */
  answered(request: number, upstream: number, now: number, latency: number, failed: boolean): void;
}

/** What a rule knows before the first request. */
export interface RuleContext {
  readonly upstreams: number;
  /** Milliseconds after which a request has failed. */
  readonly timeout: number;
  /** The rule's own random numbers. */
  readonly rng: Rng;
  readonly seed: number;
  /** The latency of an extra request to an upstream, sent at a given time and not yet cut at any timeout. Only this rule sees it. */
  ping(upstream: number, at: number): number;
}

export type CreateRule = (context: RuleContext) => Rule;

import type { PolicySpec } from "tsallis";
import type { Pool } from "undici";
import type { FailureRule } from "./failureRule.js";
import type { LossRule } from "./lossRule.js";
import type { RouteRule } from "./routeRule.js";

/** All times are in seconds. */
export interface RouterOptions {
  /** One or more http(s) URLs, whose paths are prefixed to the path of each request; or, for tickets only, one or more names. */
  readonly upstreams: string | URL | readonly (string | URL)[];
  /** Default: the library's default policy, MatchedTINF. */
  readonly policy?: PolicySpec;
  /** Default: "first-byte". */
  readonly loss?: LossRule;
  /**
   * Whether an answer is a failure, by its status and headers. What it returns false for teaches its latency. Default: 408, 425, 429 and 500 or above are failures; any
   * other status from 400 on is none and teaches nothing.
   */
  readonly failure?: FailureRule;
  /** The kind of a request, by name: requests whose latencies differ a lot deserve routes of their own. At most 100 are kept. Default: one for all. */
  readonly route?: RouteRule;
  /**
   * How long an upstream may take, in seconds: until the first byte, or, for other losses, until the end. Requests that take longer are ended. By
   * default none is ended, and 30 seconds count as a failure.
   */
  readonly timeout?: number;
  /** What a failure or a timeout costs, in units of the loss. Default: the timeout. */
  readonly penalty?: number;
  /** Whether losses are learned relative to a low quantile of the recent losses of all upstreams. Default: false. */
  readonly baseline?: boolean | BaselineOptions;
  /**
   * Whether the policy learns from an open request as soon as the wait alone decides what it teaches. An upstream that hangs is then noticed long
   * before its first timeout. The loss must be the seconds that the request takes. Default: true for requests over HTTP unless `loss` is a function,
   * false for tickets.
   */
  readonly waiting?: boolean;
  /** The number of rounds after which a loss counts half. Default: DEFAULT_HALF_LIFE, if the policy has a half-life. */
  readonly forgetting?: false | { readonly halfLife: number };
  /** The seed of the random draws. Default: a random seed. */
  readonly seed?: number;
  /** Where the router keeps what it has learned: a file, or a snapshot to continue from. Default: nowhere. */
  readonly state?: string | StateOptions | { readonly snapshot: unknown };
  /** Returns the time in seconds, which never decreases; for simulations and tests. Default: the process's own clock. */
  readonly clock?: () => number;
  /** Options for undici's Pool of each upstream: connections, TLS and the like. */
  readonly pool?: Pool.Options;
}

/** The loss that counts as none: a low quantile of recent losses. */
export interface BaselineOptions {
  /** Default: 0.05. */
  readonly quantile?: number;
  /** The number of recent losses. Default: 1000. */
  readonly window?: number;
}

/** Where what was learned is kept between two starts. */
export interface StateOptions {
  readonly file: string;
  /** Seconds between two writes. Default: 10. */
  readonly interval?: number;
  /** What to do with a file that is damaged: refuse it, or move it aside and start fresh. Default: "refuse". */
  readonly damaged?: "refuse" | "fresh";
}

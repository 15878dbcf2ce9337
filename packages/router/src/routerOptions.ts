import type { PolicySpec } from "tsallis";
import type { Pool } from "undici";
import type { LossRule } from "./lossRule.js";

/** All times are in seconds. */
export interface RouterOptions {
  /** Two or more http(s) URLs, whose path goes before that of each request; or, for tickets only, two or more names. */
  readonly upstreams: readonly string[];
  /** Default: the library's, MatchedTINF. */
  readonly policy?: PolicySpec;
  /** Default: "first-byte". */
  readonly loss?: LossRule;
  /** How long an upstream may take, in seconds: to the first byte, or with another loss to the end. Default: 30. */
  readonly timeout?: number;
  /** The least that a failure or a timeout costs, in units of the loss. Default: the timeout. */
  readonly penalty?: number;
  /** Whether losses are learned relative to a low quantile of the recent ones of all upstreams. Default: false. */
  readonly baseline?: boolean | BaselineOptions;
  /**
   * Whether a request that still waits is learned as soon as its wait alone decides what it teaches: an upstream that hangs is then noticed long before
   * its first timeout. Its loss must be the seconds that it takes. Default: true for requests over HTTP unless `loss` is a function, false for tickets.
   */
  readonly waiting?: boolean;
  /** After how many rounds a loss counts half. Default: DEFAULT_HALF_LIFE, where the policy has one. */
  readonly forgetting?: false | { readonly halfLife: number };
  /** Of the draws. Default: a random one. */
  readonly seed?: number;
  /** Where the router keeps what it has learned: a file, or a snapshot to go on from. Default: nowhere. */
  readonly state?: string | StateOptions | { readonly snapshot: unknown };
  /** The time in seconds, which never falls. Default: the process's own. For simulations and tests. */
  readonly clock?: () => number;
  /** Handed to undici's Pool of each upstream: connections, TLS and the like. */
  readonly pool?: Pool.Options;
}

export interface BaselineOptions {
  /** Default: 0.05. */
  readonly quantile?: number;
  /** How many losses are recent. Default: 1000. */
  readonly window?: number;
}

export interface StateOptions {
  readonly file: string;
  /** Seconds between two writes. Default: 10. */
  readonly interval?: number;
  /** What to do with a file that is damaged or belongs to another router: refuse it, or put it aside and start fresh. Default: "refuse". */
  readonly damaged?: "refuse" | "fresh";
}

import type { PolicySpec } from "tsallis";
import type { Pool } from "undici";
import type { FailureRule } from "./http/failureRule.js";
import type { HedgeOptions } from "./http/hedge.js";
import type { LossRule } from "./http/lossRule.js";
import type { RetryOptions } from "./http/retry.js";
import type { RouteRule } from "./http/routeRule.js";
import type { StickyOptions, StickyRule } from "./http/sticky.js";
import type { LogOptions } from "./log/decisionLog.js";
import type { CostRule } from "./model/cost.js";
import type { UrlLike } from "./model/upstream.js";
import type { StateOptions } from "./state/stateKeeper.js";

/** The unit of a time is in its name. What undici and timers take is in milliseconds; what is measured, and so may be a loss, is in seconds. */
export interface RouterOptions {
  /** http(s) URLs, whose paths are prefixed to the path of each request; or, for tickets only, names. An empty list can be filled with URLs later. */
  readonly upstreams: string | URL | UrlLike | readonly (string | URL | UrlLike)[];
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
   * How long an upstream may take: until the first byte, or, for other losses, until the end. Requests that take longer are ended. By default none is
   * ended, and 30 seconds count as a failure.
   */
  readonly timeoutMs?: number;
  /** Keeps the requests of a session with one upstream until it fails, is clearly worse, or the session expires: a function that returns its key, or options. Default: no sessions. */
  readonly sticky?: StickyRule | StickyOptions;
  /** Whether a request over HTTP that fails is sent again, to another upstream. Default: never. */
  readonly retry?: RetryOptions;
  /** Whether a request over HTTP that is late is sent to a second upstream as well; the first answer counts. Default: never. */
  readonly hedge?: HedgeOptions;
  /** What a failure or a timeout costs, in units of the loss. Default: the timeout, in seconds. */
  readonly penalty?: number;
  /** What each upstream costs besides latency and failures, in units of the loss, such as money or distance. Default: nothing. */
  readonly cost?: CostRule;
  /** The longest time for which an upstream is left alone because of a Retry-After. Default: 300 000. */
  readonly maxEjectionTimeMs?: number;
  /** At most this percentage of the upstreams is left out of a choice at the same time; one upstream always may be, and one is always left. Default: 50. */
  readonly maxEjectionPercent?: number;
  /**
   * Whether every loss is the seconds that its request takes. The policy then learns from an open request as soon as the wait alone decides what it
   * teaches, so that an upstream that hangs is noticed long before its first timeout. Default: true for requests over HTTP unless `loss` is a function,
   * false for tickets. False turns early learning off.
   */
  readonly lossIsElapsedSeconds?: boolean;
  /** The number of rounds, or of seconds, after which a loss counts half. Default: DEFAULT_HALF_LIFE rounds, if the policy has a half-life. */
  readonly forgetting?: false | { readonly halfLife: number } | { readonly halfLifeSeconds: number };
  /**
   * The policy plays and learns at most this many rounds per second; requests beyond that are drawn from the probabilities that the last round has left. Infinity for no limit.
   * Default: for URLs 1000, or 200 for each upstream if that is more; for names Infinity.
   */
  readonly roundsPerSecond?: number;
  /** The seed of the random draws. Default: a random seed. */
  readonly seed?: number;
  /** Where the router keeps what it has learned: a file, or a snapshot to continue from. Default: nowhere. */
  readonly state?: string | StateOptions | { readonly snapshot: unknown };
  /** Where one line is written for each choice when it has ended, for `tsallis evaluate` and others: a folder. Default: nowhere. */
  readonly log?: string | LogOptions;
  /** Returns the time in seconds, which never decreases; for simulations and tests. Default: the process's own clock. */
  readonly clockSeconds?: () => number;
  /** Options for undici's Pool of each upstream: connections, TLS and the like. */
  readonly pool?: Pool.Options;
}

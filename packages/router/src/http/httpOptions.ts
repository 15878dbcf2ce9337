import type { Pool } from "undici";
import type { FailureRule } from "./failureRule.js";
import type { HedgeOptions } from "./hedge.js";
import type { LossRule } from "./lossRule.js";
import type { CompletedRetry } from "./retry.js";
import type { RouteRule } from "./routeRule.js";
import type { StickyRule } from "./sticky.js";

/** What requests over HTTP need of the router's options. */
export interface HttpOptions {
  /** Whether the upstreams are URLs; otherwise they are names. */
  readonly areUrls: boolean;
  readonly loss: LossRule;
  /** Null: by the status alone. */
  readonly failure: FailureRule | null;
  /** Null: all requests are of one kind. */
  readonly route: RouteRule | null;
  /** Null: requests over HTTP belong to no session. */
  readonly sticky: StickyRule | null;
  /** Null: no failure is retried. */
  readonly retry: CompletedRetry | null;
  /** Null: no request is sent twice because it is late. */
  readonly hedge: Required<HedgeOptions> | null;
  readonly timeoutMs: number;
  /** Whether requests are ended at the timeout; otherwise they only count as timed out. */
  readonly endsRequests: boolean;
  readonly pool: Pool.Options;
}

import type { BanditRegistry } from "../bandit/banditRegistry.js";
import type { SteadyClock } from "../bandit/steadyClock.js";
import type { Insights } from "../insight/insights.js";
import type { Store } from "../store/store.js";
import type { Metrics } from "./metrics.js";

/** What the routes work with. */
export interface RouteContext {
  readonly store: Store;
  readonly registry: BanditRegistry;
  readonly insights: Insights;
  readonly metrics: Metrics;
  /** Whether /metrics needs no key. */
  readonly openMetrics: boolean;
  /** How many decisions of a bandit may wait for feedback. */
  readonly maxOpen: number;
  /** What the tokens of browsers are signed with. */
  readonly secret: string;
  readonly now: () => number;
  readonly clock: SteadyClock;
}

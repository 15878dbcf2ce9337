import type { PolicySpec } from "tsallis";
import { observedQuantile } from "tsallis/statistics";
import type { HedgeStatus } from "../http/hedge.js";
import type { RetryStatus } from "../http/retry.js";
import type { LogStatus } from "../log/decisionLog.js";
import type { LoadPoint } from "../model/latency.js";
import type { Recent } from "../model/recent.js";
import type { Route } from "../model/route.js";
import type { RouterModel } from "../model/routerModel.js";
import { COUNTERS, type Counter } from "../model/upstreamRecord.js";
import type { StateStatus } from "../state/stateKeeper.js";
import type { SessionStatus } from "../tickets/sessions.js";
import { why } from "./why.js";

/** What the router knows about one upstream. `open` is the number of requests in flight there. */
export interface UpstreamExplanation extends Readonly<Record<Counter, number>> {
  readonly upstream: string;
  /** The probability of being chosen next on this route; null if the policy does not report it. */
  readonly probability: number | null;
  /** What it costs besides latency and failures, by the option `cost`; 0 without. */
  readonly cost: number;
  /** Null before the first loss. */
  readonly recent: RecentSummary | null;
  /** How likely its next request fails, with the requests that are in flight there. */
  readonly failureRate: number;
  /** The seconds for which it has asked to be left alone, by Retry-After; else 0. */
  readonly restSeconds: number;
  /** Null if losses are not in seconds. */
  readonly load: LoadExplanation | null;
}

/** How load changes the latency of an upstream. */
export interface LoadExplanation {
  /** Latency with the requests in flight there now, relative to latency at rest. */
  readonly factor: number;
  /** The factor with a number of requests in flight, as far as it was seen; in between it rises evenly. */
  readonly curve: readonly LoadPoint[];
}

/** A summary of an upstream's last 1000 losses on all routes, with the costs of failures and timeouts among them. */
export interface RecentSummary {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly mean: number;
  /** The share of failures and timeouts. */
  readonly failureShare: number;
}

/** What the router knows about a route, and why it acts as it does; JSON-safe. */
export interface Explanation {
  readonly policy: PolicySpec;
  readonly route: string;
  /** All routes that are known, from the least to the most recently used one. */
  readonly routes: readonly string[];
  readonly rounds: number;
  /** The most probable upstream; null if several are equally probable, or if the policy does not report probabilities. */
  readonly favourite: string | null;
  readonly why: string;
  /** How often the policy has found that the favourite has become worse, and has asked the others whether they have too; null if it does not watch for that. */
  readonly alarms: number | null;
  readonly state: StateStatus | null;
  readonly log: LogStatus | null;
  /** Null without the option. */
  readonly retry: RetryStatus | null;
  readonly hedge: HedgeStatus | null;
  readonly sticky: SessionStatus;
  readonly upstreams: readonly UpstreamExplanation[];
}

export function explain(
  model: RouterModel,
  route: Route,
  now: number,
  statuses: Pick<Explanation, "state" | "log" | "retry" | "hedge" | "sticky">,
): Explanation {
  const { options } = model;
  const outlook = model.outlook(route, now);
  const probabilities = outlook.probabilities(route);
  const doubt = model.doubt();
  const upstreams = model.upstreams.map((known, arm): UpstreamExplanation => {
    const { name, record, latency, failures, inFlight, restsUntil } = known;
    const counts = Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>;
    return {
      upstream: name,
      probability: probabilities?.[arm] ?? null,
      ...counts,
      cost: model.costOf(known),
      recent: summary(record.losses, record.failures),
      failureRate: failures.rate(inFlight),
      restSeconds: Math.max(0, restsUntil - now),
      load: options.inSeconds ? { factor: latency.factor(inFlight, model.peers, doubt), curve: latency.points() } : null,
    };
  });
  const favourite = mostProbable(probabilities);
  return {
    policy: route.policy.spec,
    route: route.name,
    routes: [...model.routes.keys()],
    rounds: route.policy.round,
    favourite: favourite === null ? null : upstreams[favourite]!.upstream,
    why: why(
      route,
      upstreams,
      favourite,
      mostProbable(outlook.probabilitiesWithoutLoad(route)),
      mostProbable(outlook.probabilitiesAlone(route)),
      (arm) => outlook.rests(arm),
      options.inSeconds,
    ),
    alarms: route.alarms,
    ...statuses,
    upstreams,
  };
}

/** The arm with the largest probability; null if that is not one arm. */
function mostProbable(probabilities: Float64Array | null): number | null {
  if (probabilities === null) return null;
  const best = probabilities.indexOf(Math.max(...probabilities));
  return probabilities.indexOf(probabilities[best]!, best + 1) < 0 ? best : null;
}

function summary(losses: Recent, failures: Recent): RecentSummary | null {
  if (losses.count === 0) return null;
  const sorted = losses.sorted();
  const [p50, p90, p99] = [observedQuantile(sorted, 0.5), observedQuantile(sorted, 0.9), observedQuantile(sorted, 0.99)];
  return { count: losses.count, p50, p90, p99, mean: losses.mean(), failureShare: failures.mean() };
}

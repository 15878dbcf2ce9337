import type { PolicySpec } from "tsallis";
import type { Ledger } from "./ledger.js";
import type { LoadStep } from "./loadCurve.js";
import { quantile, type Recent } from "./recent.js";
import type { RegimeChange } from "./regimes.js";
import type { Route } from "./route.js";
import type { StateStatus } from "./stateKeeper.js";
import { COUNTERS, type Counter } from "./upstreamRecord.js";
import { why } from "./why.js";

/** What the router knows about one upstream. `open` is the number of requests in flight there. */
export interface UpstreamExplanation extends Readonly<Record<Counter, number>> {
  readonly upstream: string;
  /** The probability of being chosen next on this route; null if the policy does not report it. */
  readonly probability: number | null;
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
  /** The factor from a number of requests in flight on, as far as it was seen. */
  readonly curve: readonly LoadStep[];
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
  readonly regime: { readonly changes: number; readonly last: RegimeChange | null };
  /** `value` is the number that is subtracted from the next loss; null before the first loss. */
  readonly baseline: { readonly quantile: number; readonly window: number; readonly value: number | null } | null;
  readonly state: StateStatus | null;
  readonly upstreams: readonly UpstreamExplanation[];
}

export function explain(ledger: Ledger, route: Route, now: number, state: StateStatus | null): Explanation {
  const { options } = ledger;
  const outlook = ledger.outlook(route, now);
  const probabilities = outlook.law(route);
  const doubt = ledger.doubt();
  const upstreams = ledger.upstreams.map(({ name, record, curve, failures, inFlight, restsUntil }, arm): UpstreamExplanation => {
    const counts = Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>;
    return {
      upstream: name,
      probability: probabilities?.[arm] ?? null,
      ...counts,
      recent: summary(record.losses, record.failures),
      failureRate: failures.rate(inFlight),
      restSeconds: Math.max(0, restsUntil - now),
      load: options.inSeconds ? { factor: curve.factor(inFlight, ledger.peers, doubt), curve: curve.steps() } : null,
    };
  });
  const favourite = mostProbable(probabilities);
  return {
    policy: route.policy.spec,
    route: route.name,
    routes: [...ledger.routes.keys()],
    rounds: route.policy.round,
    favourite: favourite === null ? null : upstreams[favourite]!.upstream,
    why: why(
      route,
      upstreams,
      favourite,
      mostProbable(outlook.lawWithoutLoad(route)),
      mostProbable(outlook.lawAlone(route)),
      (arm) => outlook.rests(arm),
      options.inSeconds,
    ),
    regime: { changes: route.regimes.changes, last: route.regimes.last },
    baseline: options.baseline && { ...options.baseline, value: route.baseline!.value() },
    state,
    upstreams,
  };
}

/** The arm with the largest probability; null if that is not one arm. */
function mostProbable(law: Float64Array | null): number | null {
  if (law === null) return null;
  const best = law.indexOf(Math.max(...law));
  return law.indexOf(law[best]!, best + 1) < 0 ? best : null;
}

function summary(losses: Recent, failures: Recent): RecentSummary | null {
  if (losses.count === 0) return null;
  const sorted = losses.sorted();
  const [p50, p90, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99)];
  return { count: losses.count, p50, p90, p99, mean: losses.mean(), failureShare: failures.mean() };
}

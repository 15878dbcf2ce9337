import type { PolicySpec } from "tsallis";
import type { Ledger } from "./ledger.js";
import { quantile, type Recent } from "./recent.js";
import type { RegimeChange } from "./regimes.js";
import type { StateStatus } from "./stateKeeper.js";
import { COUNTERS, type Counter } from "./upstreamRecord.js";
import { why } from "./why.js";

/** What the router knows about one upstream. */
export interface UpstreamExplanation extends Readonly<Record<Counter, number>> {
  readonly upstream: string;
  /** The probability of being chosen next; null if the policy does not report it. */
  readonly probability: number | null;
  /** Null before the first loss. */
  readonly recent: RecentSummary | null;
}

/** A summary of an upstream's last 1000 losses, with the costs of failures and timeouts among them. */
export interface RecentSummary {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly mean: number;
  /** The share of failures and timeouts. */
  readonly failureShare: number;
}

/** What the router knows, and why it acts as it does; JSON-safe. */
export interface Explanation {
  readonly policy: PolicySpec;
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

export function explain(ledger: Ledger, state: StateStatus | null): Explanation {
  const { policy, names, records, regimes, options } = ledger;
  const probabilities = policy.probabilities();
  const upstreams = names.map((upstream, arm): UpstreamExplanation => {
    const record = records[arm]!;
    const counts = Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>;
    return { upstream, probability: probabilities?.[arm] ?? null, ...counts, recent: summary(record.losses, record.failures) };
  });
  const ranked = [...upstreams].sort((a, b) => b.probability! - a.probability!);
  const favourite = probabilities === null || ranked[0]!.probability === ranked[1]?.probability ? null : ranked[0]!;
  return {
    policy: policy.spec,
    rounds: policy.round,
    favourite: favourite?.upstream ?? null,
    why:
      ranked.length === 1
        ? `${names[0]} is the only upstream.`
        : why(policy.spec.policy, probabilities !== null, favourite, ranked[1]!, options.inSeconds),
    regime: { changes: regimes.changes, last: regimes.last },
    baseline: options.baseline && { ...options.baseline, value: ledger.baseline!.value() },
    state,
    upstreams,
  };
}

function summary(losses: Recent, failures: Recent): RecentSummary | null {
  if (losses.count === 0) return null;
  const sorted = losses.sorted();
  const [p50, p90, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.9), quantile(sorted, 0.99)];
  return { count: losses.count, p50, p90, p99, mean: losses.mean(), failureShare: failures.mean() };
}

// Peak-EWMA with the power of two choices. Sources: tower's `load::peak_ewma` (github.com/tower-rs/tower, tower/src/load/peak_ewma.rs), which derives from
// Finagle's PeakEwma; the constants are those of linkerd2-proxy (github.com/linkerd/linkerd2-proxy, linkerd/app/outbound/src/http/logical/profile.rs): decay
// 10 s, first estimate 30 ms. The cost of an upstream is its estimate times one more than the number of requests that it has not answered. A latency above
// the estimate replaces it. A latency below moves it by the share 1 - e^(-t / decay), where t is the time since the last update. Looking at an upstream counts
// as a latency of 0, so that the estimate fades. Two different upstreams are drawn at random, and the cheaper one gets the request. A failure counts as a
// latency equal to the timeout. Deviations: none.
import type { Rule, RuleContext } from "./rule.js";

const DECAY_MS = 10_000;
const FIRST_MS = 30;

export function peakEwma({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const estimates = new Float64Array(upstreams).fill(FIRST_MS);
  const updated = new Float64Array(upstreams);
  const outstanding = new Int32Array(upstreams);

  function observe(upstream: number, now: number, latency: number): void {
    const estimate = estimates[upstream]!;
    const kept = Math.exp((updated[upstream]! - now) / DECAY_MS);
    estimates[upstream] = latency > estimate ? latency : estimate * kept + latency * (1 - kept);
    updated[upstream] = now;
  }

  function cost(upstream: number, now: number): number {
    observe(upstream, now, 0);
    return estimates[upstream]! * (outstanding[upstream]! + 1);
  }

  return {
    choose(_request, now) {
      const first = Math.floor(rng.uniform() * upstreams);
      const other = Math.floor(rng.uniform() * (upstreams - 1));
      const second = other < first ? other : other + 1;
      const chosen = cost(first, now) <= cost(second, now) ? first : second;
      outstanding[chosen]!++;
      return chosen;
    },
    answered(_request, upstream, now, latency) {
      outstanding[upstream]!--;
      observe(upstream, now, latency);
    },
  };
}

// Peak-EWMA with the power of two choices. Source: Finagle's PeakEwma and tower's `load::peak_ewma`, with the constants of linkerd2-proxy: decay 10 s,
// first estimate 30 ms. The cost of an upstream is its estimate times one more than the requests that it has not answered. A latency above the
// estimate replaces it; one below moves it by 1 - e^(-t / decay), with t the time since the last update; looking at an upstream counts as a latency
// of 0, so that the estimate fades. Of two different upstreams drawn at random the cheaper one gets the request. A failure is seen as a latency: the timeout.
// Deviation: none.
import type { Rule, RuleContext } from "./rule.js";

const DECAY = 10_000;
const FIRST = 30;

export function peakEwma({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const estimates = new Float64Array(upstreams).fill(FIRST);
  const updated = new Float64Array(upstreams);
  const outstanding = new Int32Array(upstreams);

  function observe(upstream: number, now: number, latency: number): void {
    const estimate = estimates[upstream]!;
    const kept = Math.exp((updated[upstream]! - now) / DECAY);
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

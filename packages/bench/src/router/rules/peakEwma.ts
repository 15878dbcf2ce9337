// Peak-EWMA with the power of two choices, as in Finagle, tower and linkerd: two different upstreams are drawn at random, and the cheaper one gets the request
// (the first, if they cost the same).
import { pair } from "./pair.js";
import { PeakEwmaCosts } from "./peakEwmaCosts.js";
import type { Rule, RuleContext } from "./rule.js";

export function peakEwma({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const costs = new PeakEwmaCosts(upstreams);
  return {
    choose(_request, now) {
      const [first, second] = pair(upstreams, rng);
      const chosen = costs.cost(first, now) <= costs.cost(second, now) ? first : second;
      costs.sent(chosen);
      return chosen;
    },
    answered(_request, upstream, now, latency) {
      costs.answered(upstream, now, latency);
    },
  };
}

// Peak-EWMA over all: the cheapest of all upstreams gets the request, and ties are broken at random. Nobody is known to offer it (a full scan is dear with
// hundreds of upstreams); it shows what two choices leave out.
import { PeakEwmaCosts } from "./peakEwmaCosts.js";
import type { Rule, RuleContext } from "./rule.js";
import { smallest } from "./smallest.js";

export function peakEwmaOverAll({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const costs = new PeakEwmaCosts(upstreams);
  const now = new Float64Array(upstreams);
  return {
    choose(_request, time) {
      for (let upstream = 0; upstream < upstreams; upstream++) now[upstream] = costs.cost(upstream, time);
      const chosen = smallest(now, rng);
      costs.sent(chosen);
      return chosen;
    },
    answered(_request, upstream, time, latency) {
      costs.answered(upstream, time, latency);
    },
  };
}

// The upstream with the smallest exponentially weighted moving average of latency gets the request, except that 2 % of the requests go to an upstream drawn at
// random. The rule is folklore, and no source is known for the 2 %. As in TCP's smoothed round-trip time (RFC 6298, section 2), the newest latency has weight
// 1/8, and the first latency is the first average. An upstream without an answer counts as 0, so that it is tried; a failure counts as the time waited.
import type { Rule, RuleContext } from "./rule.js";
import { smallest } from "./smallest.js";

const WEIGHT = 1 / 8;
const PROBES = 0.02;

export function ewmaProbes({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const averages = new Float64Array(upstreams);
  return {
    choose: () => (rng.uniform() < PROBES ? Math.floor(rng.uniform() * upstreams) : smallest(averages, rng)),
    answered(_request, upstream, _now, latency) {
      const average = averages[upstream]!;
      averages[upstream] = average === 0 ? latency : average + WEIGHT * (latency - average);
    },
  };
}

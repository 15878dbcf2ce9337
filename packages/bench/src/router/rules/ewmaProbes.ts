// The smallest exponentially weighted moving average of latency, and 2 % of the requests to an upstream drawn at random. Source: folklore; the weight of the
// newest latency is 1/8, that of TCP's smoothed round-trip time (RFC 6298, section 2), and the first latency is the first average, as there.
// An upstream without an answer counts as 0, so that it is tried; a failure counts as the time waited.
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

// Traefik's strategy "leasttime". Sources: doc.traefik.io (service load balancer) and pkg/server/service/loadbalancer/leasttime of github.com/traefik/traefik (3.6): an upstream's score
// is the mean of its last 100 times to the first byte, times one more than its requests in flight, by its weight; the smallest score wins. One without any answer has a mean of 0, so it
// gets requests until it answers. All weights are equal here. Deviations: ties are broken at random and not by turns. A failure counts as the time that it took. Traefik's health checks,
// which have to be configured, are left out.
import type { Rule, RuleContext } from "./rule.js";
import { smallest } from "./smallest.js";

const SAMPLES = 100;

export function leastTime({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const recent = Array.from({ length: upstreams }, (): number[] => []);
  const sums = new Float64Array(upstreams);
  const inFlight = new Int32Array(upstreams);
  return {
    choose() {
      const scores = sums.map((sum, upstream) => (sum / Math.max(1, recent[upstream]!.length)) * (1 + inFlight[upstream]!));
      const chosen = smallest(scores, rng);
      inFlight[chosen]!++;
      return chosen;
    },
    answered(_request, upstream, _now, latency) {
      inFlight[upstream]!--;
      recent[upstream]!.push(latency);
      sums[upstream]! += latency - (recent[upstream]!.length > SAMPLES ? recent[upstream]!.shift()! : 0);
    },
  };
}

// Two random choices: two different upstreams are drawn at random, and the one with fewer requests in flight gets the request; the first, if they have equally
// many. Source: Mitzenmacher, The power of two choices in randomized load balancing, IEEE TPDS 12, 2001. It is Envoy's LEAST_REQUEST (choice_count 2) with equal
// weights, and nginx's `random two least_conn`. Deviations: the two are different, as in nginx. What these proxies put around it against failures (Envoy's outlier
// detection, nginx's max_fails) is left out.
import { pair } from "./pair.js";
import type { Rule, RuleContext } from "./rule.js";

export function twoChoices({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const inFlight = new Int32Array(upstreams);
  return {
    choose() {
      const [first, second] = pair(upstreams, rng);
      const chosen = inFlight[first]! <= inFlight[second]! ? first : second;
      inFlight[chosen]!++;
      return chosen;
    },
    answered(_request, upstream) {
      inFlight[upstream]!--;
    },
  };
}

// The upstream with the smallest mean of its last ten latencies gets the request. Source: LiteLLM's `latency-based-routing`
// (github.com/BerriAI/litellm, litellm/router_strategy/lowest_latency.py): `max_latency_list_size` is 10, an upstream without an answer counts as 0, a timeout
// is recorded as 1,000 seconds, `lowest_latency_buffer` is 0, and ties are broken at random.
// Deviations: the rule uses the whole latency instead of the latency per token. It keeps the newest ten, whereas LiteLLM, once it has ten, replaces only the
// newest of them. LiteLLM forgets everything after an hour without an answer; no run here is long enough for that. Its cooldowns and retries are left out.
import type { Rule, RuleContext } from "./rule.js";
import { smallest } from "./smallest.js";

const SIZE = 10;
const TIMEOUT_COST_MS = 1_000_000;

export function lastTenMean({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const recent = Array.from({ length: upstreams }, (): number[] => []);
  const means = new Float64Array(upstreams);
  return {
    choose: () => smallest(means, rng),
    answered(_request, upstream, _now, latency, failed) {
      const latencies = recent[upstream]!;
      latencies.push(failed ? TIMEOUT_COST_MS : latency);
      if (latencies.length > SIZE) latencies.shift();
      let sum = 0;
      for (const each of latencies) sum += each;
      means[upstream] = sum / latencies.length;
    },
  };
}

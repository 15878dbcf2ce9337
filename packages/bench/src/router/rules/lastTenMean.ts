// The smallest mean of the last ten. Source: LiteLLM's `latency-based-routing` (litellm/router_strategy/lowest_latency.py): `max_latency_list_size` 10,
// an upstream without an answer counts as 0, a timeout is recorded as 1,000 seconds, `lowest_latency_buffer` 0, and equal ones are drawn at random.
// Deviations: whole latency rather than latency per token; the newest ten are kept, where LiteLLM, once it has ten, replaces only the newest of them;
// LiteLLM forgets everything after an hour without an answer, which no run here is long enough for, and its cooldowns and retries are no part of this rule.
import type { Rule, RuleContext } from "./rule.js";
import { smallest } from "./smallest.js";

const SIZE = 10;
const TIMEOUT_COST = 1_000_000;

export function lastTenMean({ upstreams, rng }: Pick<RuleContext, "upstreams" | "rng">): Rule {
  const recent = Array.from({ length: upstreams }, (): number[] => []);
  const means = new Float64Array(upstreams);
  return {
    choose: () => smallest(means, rng),
    answered(_request, upstream, _now, latency, failed) {
      const latencies = recent[upstream]!;
      latencies.push(failed ? TIMEOUT_COST : latency);
      if (latencies.length > SIZE) latencies.shift();
      let sum = 0;
      for (const each of latencies) sum += each;
      means[upstream] = sum / latencies.length;
    },
  };
}

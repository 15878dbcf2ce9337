// The library's UCB1 (Auer, Cesa-Bianchi and Fischer, Machine Learning 47, 2002) on latency divided by the timeout, because its proof needs losses in [0, 1].
// A failure costs 1. Deviation: answers come late, so an upstream's count is the number of answers that have come.
import { type Choice, UCB1 } from "tsallis";
import type { Rule, RuleContext } from "./rule.js";

export function ucb1({ upstreams, timeout, rng }: Pick<RuleContext, "upstreams" | "timeout" | "rng">): Rule {
  const policy = new UCB1({ arms: upstreams });
  const open = new Map<number, Choice>();
  return {
    choose(request) {
      const choice = policy.choose(rng);
      open.set(request, choice);
      return choice.arm;
    },
    answered(request, _upstream, _now, latency) {
      policy.update(open.get(request)!, latency / timeout);
      open.delete(request);
    },
  };
}

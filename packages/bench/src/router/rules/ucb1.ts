// UCB1 of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002), the library's own, on latency divided by the timeout: its proof needs losses in [0, 1].
// A failure costs 1. Deviation: with late answers an upstream's count is that of the answers that have come.
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

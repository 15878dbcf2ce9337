// Round robin. Source: undici's BalancedPool (lib/dispatcher/balanced-pool.js, 7.x), a weighted round robin whose weights all start at 100 and fall
// by 15 with a connection error or a broken socket. No connection breaks here (slow, hanging and failing answers are not socket errors),
// and with equal weights the upstreams simply take turns. Deviation: where an upstream refuses connections, as in down-and-back, its weight does not fall.
import type { Rule, RuleContext } from "./rule.js";

export function roundRobin({ upstreams }: Pick<RuleContext, "upstreams">): Rule {
  let next = -1;
  return {
    choose() {
      next = (next + 1) % upstreams;
      return next;
    },
    answered() {},
  };
}

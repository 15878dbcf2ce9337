import { leastTime } from "./leastTime.js";
import { peakEwma } from "./peakEwma.js";
import { peakEwmaOverAll } from "./peakEwmaOverAll.js";
import { prequal } from "./prequal.js";
import { roundRobin } from "./roundRobin.js";
import type { Rule, RuleContext } from "./rule.js";
import { OURS, ROUND_ROBIN } from "./rules.js";
import { tsallisRule } from "./tsallisRule.js";
import { twoChoices } from "./twoChoices.js";

/** The rules that play where latency depends on load, by the names that the tables give them. */
export const LOAD_RULES: Readonly<Record<string, (context: Omit<RuleContext, "ping">) => Rule>> = {
  [ROUND_ROBIN]: roundRobin,
  "two choices": twoChoices,
  "peak-ewma, two choices": peakEwma,
  "peak-ewma over all": peakEwmaOverAll,
  "least time": leastTime,
  prequal,
  [OURS]: tsallisRule,
};

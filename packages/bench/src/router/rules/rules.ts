import { ewmaProbes } from "./ewmaProbes.js";
import { lastTenMean } from "./lastTenMean.js";
import { leastTime } from "./leastTime.js";
import { peakEwma } from "./peakEwma.js";
import { prequal } from "./prequal.js";
import { roundRobin } from "./roundRobin.js";
import type { CreateRule } from "./rule.js";
import { tsallisRule, tsallisSessions } from "./tsallisRule.js";
import { ucb1 } from "./ucb1.js";
import { viemRank } from "./viemRank.js";

export const ROUND_ROBIN = "round robin";
export const OURS = "tsallis";
export const SESSIONS = "tsallis, sessions of 10";

/** Every rule by the name that the tables give it. */
export const RULES: Readonly<Record<string, CreateRule>> = {
  [ROUND_ROBIN]: roundRobin,
  "last-10 mean": lastTenMean,
  "viem rank": viemRank,
  "ewma, 2 % probes": ewmaProbes,
  "peak-ewma, two choices": peakEwma,
  "least time": leastTime,
  prequal,
  ucb1,
  [OURS]: tsallisRule,
  [SESSIONS]: tsallisSessions,
};

import { expect } from "vitest";
import type { Explanation } from "../src/insight/explanation.js";
import { COUNTERS, type Counter, OUTCOMES } from "../src/model/upstreamRecord.js";
import type { Router } from "../src/router.js";

/** Checks that every choice is accounted for, upstream by upstream, and returns the sums over the upstreams. */
export function sums(router: Router): Record<Counter, number> {
  const explanation: Explanation = router.explain();
  const total: Record<string, number> = {};
  for (const upstream of explanation.upstreams) {
    expect(OUTCOMES.reduce((sum, outcome) => sum + upstream[outcome], upstream.open)).toBe(upstream.chosen);
    for (const counter of COUNTERS) total[counter] = (total[counter] ?? 0) + upstream[counter];
  }
  expect(total.chosen).toBe(explanation.rounds);
  return total as Record<Counter, number>;
}

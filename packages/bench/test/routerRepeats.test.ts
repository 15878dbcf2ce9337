import { expect, it } from "vitest";
import { playRepeats } from "../src/router/repeats/playRepeats.js";

const task = { seed: 3, requests: 3000 };

it("hedges shorten the tail where upstreams are slow by chance, and stay within the budget", () => {
  const result = playRepeats({ ...task, hedge: "b", isOwn: true });
  if (!("with" in result)) throw new Error("no hedges");
  expect(result.without.hedged).toBe(0);
  expect(result.with.hedged).toBeGreaterThan(0.02);
  expect(result.with.hedged).toBeLessThanOrEqual(0.05);
  expect(result.with.p99).toBeLessThan(0.8 * result.without.p99);
});

it("hedges stop where a request is slow everywhere", () => {
  const result = playRepeats({ ...task, hedge: "heavy-work", isOwn: false });
  expect("with" in result && result.with.hedged).toBeLessThan(0.02);
});

it("a retry fails about as often as two independent attempts do", () => {
  const result = playRepeats({ seed: 1, requests: 20_000, rate: 0.05 });
  if (!("failures" in result)) throw new Error("no retries");
  expect(result.failures).toBeLessThan(0.005);
  expect(result.sent).toBeLessThanOrEqual(1.1);
});

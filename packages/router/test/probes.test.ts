import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { jitter } from "./jitter.js";

/** Bounds the distance from what is expected in standard deviations: beyond 4.5 with probability below 1e-5, and the seeds are fixed. */
const MOST_DEVIATIONS = 4.5;
const ROUNDS = 1500;

describe.each<[string, Partial<RouterOptions>, number]>([
  ["four upstreams, one of which always fails", { upstreams: ["fast", "slow", "slower", "failing"] }, 4],
  ["losses in seconds, with load", { upstreams: ["fast", "slow", "slower", "failing"], lossIsElapsedSeconds: true }, 4],
  ["two upstreams", { upstreams: ["fast", "failing"] }, 2],
  ["a policy that skips", { upstreams: ["fast", "slow", "failing"], policy: { policy: "htinf", alpha: 1.5, sigma: 0.1 } }, 3],
])("the probe share: %s", (_, options, count) => {
  it("no upstream falls below 1 / (200 K), and each is chosen as often as its probability says", () => {
    // Time stands still, so that no wait is learned between the explanation and the choice.
    const router = createRouter({ upstreams: [], seed: 3, penalty: 30, timeoutMs: 900_000, clockSeconds: () => 0, ...options });
    const noise = jitter(3);
    const sums: number[] = [];
    let [least, differ] = [1, 0];
    const names = [...router.upstreams];
    const [surplus, variance] = [names.map(() => 0), names.map(() => 0)];
    const open: { close: () => void }[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const told = router.explain().upstreams.map(({ probability }) => probability!);
      sums.push(told.reduce((a, b) => a + b));
      least = Math.min(least, ...told);
      const ticket = router.choose();
      const arm = names.indexOf(ticket.upstream);
      if (ticket.probability !== told[arm]) differ++;
      for (const [each, probability] of told.entries()) {
        surplus[each]! += (each === arm ? 1 : 0) - probability;
        variance[each]! += probability * (1 - probability);
      }
      const seconds = { fast: 0.02, slow: 0.04, slower: 0.06 }[ticket.upstream];
      open.push({ close: () => (seconds === undefined ? ticket.failed() : ticket.done(seconds * noise())) });
      if (open.length > 5) open.shift()!.close();
    }
    expect(Math.max(...sums.map((sum) => Math.abs(sum - 1)))).toBeLessThan(1e-9);
    expect(least).toBeGreaterThanOrEqual((1 / 200 / count) * (1 - 1e-9));
    expect(differ).toBe(0);
    // A sum of martingale differences, divided by the root of the sum of their variances, is nearly normal.
    for (const [arm, name] of names.entries()) {
      expect([name, Math.abs(surplus[arm]!) < MOST_DEVIATIONS * Math.sqrt(variance[arm]!)]).toEqual([name, true]);
    }
    const failing = router.explain().upstreams.at(-1)!;
    expect(failing.upstream).toBe("failing");
    expect(failing.chosen).toBeGreaterThan(ROUNDS / 200 / count / 2);
    expect(failing.probability).toBeLessThan(0.01);
  });
});

it("an upstream that was down comes back within some dozens of its own probes", () => {
  const router = createRouter({ upstreams: ["best", "other"], seed: 5, penalty: 5 });
  const noise = jitter(5);
  const play = (rounds: number, isDown: boolean) => {
    let chosen = 0;
    for (let i = 0; i < rounds; i++) {
      const ticket = router.choose();
      if (ticket.upstream === "best") chosen++;
      if (isDown && ticket.upstream === "best") ticket.failed();
      else ticket.done((ticket.upstream === "best" ? 0.01 : 0.1) * noise());
    }
    return chosen / rounds;
  };
  expect(play(2000, false)).toBeGreaterThan(0.8);
  expect(play(3000, true)).toBeLessThan(0.05);
  // 1 in 400 is a probe, so 20,000 rounds hold some 50.
  play(20_000, false);
  expect(play(1000, false)).toBeGreaterThan(0.8);
});

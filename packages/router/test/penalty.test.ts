import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { jitter } from "./jitter.js";

/** One that takes 20 ms and fails once in a hundred, and a steady one that takes 40 ms. Returns the share of the first after learning. */
function shareOf(penalty: number, options: Partial<RouterOptions> = {}): { share: number; favourite: string | null } {
  let time = 0;
  const router = createRouter({ upstreams: ["flaky", "steady"], seed: 4, penalty, clockSeconds: () => time, ...options });
  const noise = jitter(4);
  let [asked, late] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    time += 0.1;
    const ticket = router.choose();
    if (ticket.upstream === "flaky") {
      if (i >= 10_000) late++;
      if (++asked % 100 === 0) ticket.failed();
      else ticket.done(0.02 * noise());
    } else ticket.done(0.04 * noise());
  }
  return { share: late / 10_000, favourite: router.explain().favourite };
}

describe.each<[string, Partial<RouterOptions>]>([
  ["tickets", {}],
  ["losses in seconds", { lossIsElapsedSeconds: true }],
])("the penalty: %s", (_, options) => {
  it.each([5, 50, 500])("of %i s against 20 ms: one that fails 1 %% of the time gets less than a tenth", (penalty) => {
    expect(shareOf(penalty, options).share).toBeLessThan(0.1);
  });

  it("of 0 leaves the faster one the favourite", () => {
    const { share, favourite } = shareOf(0, options);
    expect([share > 0.8, favourite]).toEqual([true, "flaky"]);
  });

  it("of half a second costs less than the 20 ms are worth", () => {
    expect(shareOf(0.5, options)).toMatchObject({ favourite: "flaky" });
  });
});

it.each([0, 1])("counts although all losses are alike, so that the policy cannot tell what they are worth: %i", (loss) => {
  for (const fails of [1, 2, 20]) {
    const router = createRouter({ upstreams: ["good", "bad", "fine"], seed: 1, penalty: 5 });
    let bad = 0;
    for (let i = 0; i < 3000; i++) {
      const ticket = router.choose();
      if (ticket.upstream === "bad" && ++bad % fails === 0) ticket.failed();
      else ticket.done(loss);
    }
    expect(bad / 3000).toBeLessThan(0.1);
    expect(router.explain().upstreams[1]!.probability).toBeCloseTo(1 / 600, 9);
    // The others share what is left.
    for (const { upstream, chosen } of router.explain().upstreams) if (upstream !== "bad") expect(chosen).toBeGreaterThan(1200);
  }
});

it("a failure teaches the policy nothing, and the round counts", () => {
  const router = createRouter({ upstreams: ["a", "b"], seed: 1, penalty: 5 });
  for (let i = 0; i < 100; i++) router.choose().done(i % 7);
  const ticket = router.choose();
  const before = router.snapshot().routes[0]!.policy;
  expect(before.round).toBe(101);
  ticket.failed();
  expect(router.snapshot().routes[0]!.policy).toEqual(before);
  const told = router.explain().upstreams.find(({ upstream }) => upstream === ticket.upstream)!;
  expect([told.failed, told.recent!.failureShare > 0]).toEqual([1, true]);
});

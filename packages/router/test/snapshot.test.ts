import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { known, play } from "./stateFolder.js";
import { sums } from "./sums.js";

describe("a snapshot", () => {
  it("continues bit for bit, through JSON", async () => {
    for (const options of [
      {},
      { baseline: true },
      { policy: { policy: "htinf", alpha: 1.5, sigma: 0.1 } },
      { policy: { policy: "ucb1" } },
    ] as const) {
      const first = createRouter({ upstreams: ["a", "b"], seed: 1, ...options });
      play(first, 1500);
      const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
      expect(snapshot).toEqual(first.snapshot());
      const second = createRouter({ upstreams: ["a", "b"], seed: 99, state: { snapshot }, ...options });
      expect(known(second)).toEqual(known(first));
      play(first, 700);
      play(second, 700);
      expect(known(second)).toEqual(known(first));
    }
  });

  it("changes nothing when it is taken; nor does an explanation", () => {
    const [asked, left] = [createRouter({ upstreams: ["a", "b"], seed: 1 }), createRouter({ upstreams: ["a", "b"], seed: 1 })];
    for (let i = 0; i < 300; i++) {
      play(asked, 1);
      play(left, 1);
      asked.explain();
      asked.snapshot();
    }
    expect(known(asked)).toEqual(known(left));
  });

  it("holds open tickets as numbers only: they count as forgotten where it is restored", () => {
    const first = createRouter({ upstreams: ["a", "b"], seed: 1 });
    play(first, 10);
    first.choose();
    first.choose();
    const second = createRouter({ upstreams: ["a", "b"], state: { snapshot: first.snapshot() } });
    expect(sums(first)).toMatchObject({ chosen: 12, open: 2, forgotten: 0 });
    expect(sums(second)).toMatchObject({ chosen: 12, open: 0, forgotten: 2 });
  });

  it.each<[string, Partial<RouterOptions>, string]>([
    ["another policy", { policy: { policy: "ucb1" } }, "policy"],
    ["another half-life", { forgetting: { halfLife: 5 } }, "policy"],
    ["other upstreams", { upstreams: ["a", "c"] }, "upstreams"],
    ["more upstreams", { upstreams: ["a", "b", "c"] }, "upstreams"],
    ["another order of the upstreams", { upstreams: ["b", "a"] }, "upstreams"],
    ["another loss", { loss: "total" }, "loss"],
    ["a baseline", { baseline: true }, "baseline"],
  ])("is refused by a router with %s", (_, options, parameter) => {
    const { snapshot } = { snapshot: createRouter({ upstreams: ["a", "b"] }).snapshot() };
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot }, ...options })).toThrow(
      expect.objectContaining({ code: "ERR_STATE_OTHER", parameter }),
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: damaged data has no type
  it.each<[string, (snapshot: Record<string, any>) => void, string]>([
    ["another version", (s) => (s.version = 1), "version"],
    ["a count that does not add up", (s) => s.records[0].done++, "records[0].chosen"],
    ["a negative count", (s) => (s.records[1].late = -1), "records[1].late"],
    ["half a count", (s) => (s.records[1].repeated = 0.5), "records[1].repeated"],
    ["a missing record", (s) => s.records.pop(), "records"],
    ["a loss that is null", (s) => (s.records[0].losses[0] = null), "records[0].losses"],
    ["too many losses", (s) => (s.records[0].losses = Array(1001).fill(1)), "records[0].losses"],
    ["a missing failure", (s) => s.records[0].failures.pop(), "records[0].failures"],
    ["a sum that is null", (s) => (s.records[0].sum = null), "records[0].sum"],
    ["buckets that are gone", (s) => delete s.records[0].buckets, "records[0].buckets"],
    ["a bucket too many", (s) => s.records[0].buckets.push(0), "records[0].buckets"],
    ["a loss in no bucket", (s) => s.records[1].buckets.fill(0), "records[1].buckets"],
    ["half a loss in a bucket", (s) => (s.records[1].buckets = s.records[1].buckets.map((count: number) => count / 2)), "records[1].buckets"],
    ["a draw's state of zeros", (s) => (s.rng = [0, 0, 0, 0]), "rng"],
    ["a policy of more upstreams", (s) => (s.policy = createRouter({ upstreams: ["a", "b", "c"] }).snapshot().policy), "policy.arms"],
    ["a policy's state that is gone", (s) => delete s.policy.state, "policy"],
    ["a favourite that is none", (s) => (s.regimes.favourite = 2), "regimes.favourite"],
    ["a last change of nobody", (s) => (s.regimes.last = { round: 1, time: "", from: "x", to: "a" }), "regimes.last"],
  ])("with %s is damaged", (_, damage, parameter) => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
    play(router, 50);
    const snapshot = JSON.parse(JSON.stringify(router.snapshot()));
    createRouter({ upstreams: ["a", "b"], state: { snapshot } });
    damage(snapshot);
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot } })).toThrow(expect.objectContaining({ code: "ERR_STATE", parameter }));
  });

  it.each([null, 3, [], "x", {}])("is not %j", (snapshot) => {
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot } })).toThrow(expect.objectContaining({ code: "ERR_STATE" }));
  });
});

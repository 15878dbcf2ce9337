import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { known, play, useStateFolder } from "./stateFolder.js";
import { sums } from "./sums.js";

useStateFolder();

// The time that a request takes is part of what is learned.
const clockSeconds = () => 0;

describe("a snapshot", () => {
  it("continues bit for bit, through JSON", async () => {
    for (const options of [{}, { policy: { policy: "htinf", alpha: 1.5, sigma: 0.1 } }, { policy: { policy: "ucb1" } }] as const) {
      const first = createRouter({ upstreams: ["a", "b"], seed: 1, clockSeconds, ...options });
      play(first, 1500);
      const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
      expect(snapshot).toEqual(first.snapshot());
      const second = createRouter({ upstreams: ["a", "b"], seed: 99, clockSeconds, state: { snapshot }, ...options });
      expect(known(second)).toEqual(known(first));
      play(first, 700);
      play(second, 700);
      expect(known(second)).toEqual(known(first));
    }
  });

  it("changes nothing when it is taken; nor does an explanation", () => {
    const make = () => createRouter({ upstreams: ["a", "b"], seed: 1, clockSeconds });
    const [asked, left] = [make(), make()];
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
    ["another loss", { loss: "total" }, "loss"],
  ])("is refused by a router with %s", (_, options, parameter) => {
    const { snapshot } = { snapshot: createRouter({ upstreams: ["a", "b"] }).snapshot() };
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot }, ...options })).toThrow(
      expect.objectContaining({ code: "ERR_STATE_OTHER", parameter }),
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: damaged data has no type
  it.each<[string, (snapshot: Record<string, any>) => void, string]>([
    ["another version", (s) => (s.version = 2), "version"],
    ["a count that does not add up", (s) => s.upstreams[0].done++, "upstreams[0].chosen"],
    ["a negative count", (s) => (s.upstreams[1].late = -1), "upstreams[1].late"],
    ["half a count", (s) => (s.upstreams[1].repeated = 0.5), "upstreams[1].repeated"],
    ["a missing record", (s) => s.upstreams.pop(), "routes[0].policy.arms"],
    ["a loss that is null", (s) => (s.upstreams[0].losses[0] = null), "upstreams[0].losses"],
    ["too many losses", (s) => (s.upstreams[0].losses = Array(1001).fill(1)), "upstreams[0].losses"],
    ["a missing failure", (s) => s.upstreams[0].failures.pop(), "upstreams[0].failures"],
    ["a sum that is null", (s) => (s.upstreams[0].sum = null), "upstreams[0].sum"],
    ["buckets that are gone", (s) => delete s.upstreams[0].buckets, "upstreams[0].buckets"],
    ["a bucket too many", (s) => s.upstreams[0].buckets.push(0), "upstreams[0].buckets"],
    ["a loss in no bucket", (s) => s.upstreams[1].buckets.fill(0), "upstreams[1].buckets"],
    ["half a loss in a bucket", (s) => (s.upstreams[1].buckets = s.upstreams[1].buckets.map((count: number) => count / 2)), "upstreams[1].buckets"],
    ["failures that nobody answered", (s) => (s.upstreams[0].failureRate.scattered[0].answers = 0), "upstreams[0].failureRate"],
    ["a negative number of failures", (s) => (s.upstreams[0].failureRate.failed = -1), "upstreams[0].failureRate"],
    ["runs that are gone", (s) => delete s.upstreams[0].failureRate.inRuns, "upstreams[0].failureRate"],
    ["scattered failures that are gone", (s) => delete s.upstreams[0].failureRate.scattered, "upstreams[0].failureRate.scattered"],
    ["a run at half a request", (s) => (s.upstreams[1].failureRate.runLoad = 0.5), "upstreams[1].failureRate"],
    ["a last failure that is no number", (s) => (s.upstreams[1].failureRate.lastFailure = "1"), "upstreams[1].failureRate"],
    ["a last success that was not sent", (s) => (s.upstreams[0].failureRate.lastSuccess = s.upstreams[0].chosen), "upstreams[0].failureRate"],
    ["peers that are gone", (s) => delete s.peers, "peers"],
    ["a curve of the peers that falls", (s) => (s.peers.rises = [0, 1, 0.5]), "peers.rises"],
    ["a curve that rises beyond what is ever fitted", (s) => (s.upstreams[0].latency.rises = [0, 20.8]), "upstreams[0].latency.rises"],
    ["peers of no weight", (s) => (s.peers.bins = [{ mean: 0, variance: 0 }]), "peers.bins"],
    ["a draw's state of zeros", (s) => (s.rng = [0, 0, 0, 0]), "rng"],
    ["a policy of more upstreams", (s) => (s.routes = createRouter({ upstreams: ["a", "b", "c"] }).snapshot().routes), "routes[0].policy.arms"],
    ["a policy's state that is gone", (s) => delete s.routes[0].policy.state, "routes[0].policy"],
    ["a mean at rest below 0", (s) => (s.upstreams[1].latency.rest = { count: 1, mean: -1 }), "upstreams[1].latency.rest"],
    ["a level that is no number", (s) => (s.routes[0].level.mean = null), "routes[0].level"],
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

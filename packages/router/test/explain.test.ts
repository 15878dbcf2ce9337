import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fc from "fast-check";
import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { Recent } from "../src/model/recent.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import type { ChooseEvent, CloseEvent } from "../src/tickets/channels.js";

/** Plays rounds in which a function gives the loss of each upstream; undefined is a failure. */
function play(router: Router, rounds: number, cost: (upstream: string, round: number) => number | undefined): void {
  for (let round = 1; round <= rounds; round++) {
    const ticket = router.choose();
    const loss = cost(ticket.upstream, round);
    if (loss === undefined) ticket.failed(new Error("planted"));
    else ticket.done(loss);
  }
}

const make = (options: Partial<RouterOptions> = {}) => createRouter({ upstreams: ["a", "b", "c"], seed: 5, timeoutMs: 1000, ...options });
const of = (router: Router, name: string) => router.explain().upstreams.find(({ upstream }) => upstream === name)!;

describe("explain()", () => {
  it("has no favourite before anything is known", () => {
    expect(make().explain()).toMatchObject({
      favourite: null,
      rounds: 0,
      why: expect.stringContaining("no favourite yet"),
      state: null,
    });
  });

  it("survives JSON", () => {
    const router = make();
    play(router, 500, (upstream) => (upstream === "b" ? 0.01 : 0.05));
    expect(JSON.parse(JSON.stringify(router.explain()))).toEqual(router.explain());
  });

  it("gives the median if it speaks for the favourite", () => {
    const router = make({ lossIsElapsedSeconds: true });
    play(router, 2000, (upstream) => ({ a: 0.061, b: 0.042, c: 0.09 })[upstream]!);
    const { favourite, why } = router.explain();
    expect(favourite).toBe("b");
    expect(why).toMatch(
      /^b is the favourite with 9\d(\.\d)? % of the next requests: the median of its last 1000 losses is 42 ms against (61 ms for the next \(a\)|90 ms for the next \(c\)), and it has failed 0 % of the time against 0 %\.$/,
    );
  });

  it("gives the mean if the median speaks against the favourite", () => {
    const router = make({ upstreams: ["a", "b"], lossIsElapsedSeconds: true });
    play(router, 3000, (upstream, round) => (upstream === "b" ? 0.05 : round % 3 === 0 ? 1 : 0.03));
    const { favourite, why } = router.explain();
    expect(favourite).toBe("b");
    expect(why).toMatch(
      /the mean of its last 1000 losses is 50 ms against \d+ ms for the next \(a\), although its median is higher \(50 ms against 30 ms\)/,
    );
  });

  it.each<[string, Partial<RouterOptions>, string]>([
    ["plain numbers for tickets, whose losses may be anything", {}, "is 2 against 7 for the next"],
    ["milliseconds for tickets whose losses are said to be seconds", { lossIsElapsedSeconds: true }, "is 2000 ms against 7000 ms for the next"],
    ["milliseconds over HTTP", { upstreams: ["http://a", "http://b"] }, "is 2000 ms against 7000 ms for the next"],
    ["plain numbers over HTTP with a loss function", { upstreams: ["http://a", "http://b"], loss: () => 0 }, "is 2 against 7 for the next"],
  ])("says %s", (_, options, words) => {
    const router = make(options);
    play(router, 1000, (upstream) => (upstream.endsWith("b") ? 2 : 7));
    expect(router.explain().why).toContain(words);
  });

  it("says so if a policy does not reveal its probabilities", () => {
    const router = make({ policy: { policy: "thompson", sigma: 1 } });
    play(router, 50, () => 0.1);
    const { favourite, why, upstreams } = router.explain();
    expect([favourite, upstreams.map(({ probability }) => probability)]).toEqual([null, [null, null, null]]);
    expect(why).toContain("thompson does not report");
    expect(router.metrics()).not.toContain("tsallis_router_probability{");
  });

  it("has quantiles, mean and failures of the last 1000 losses", () => {
    const router = make({ upstreams: ["a", "b"], policy: { policy: "uniform" }, penalty: 5 });
    let seen = 0;
    play(router, 5000, (upstream) => (upstream === "b" ? 1 : ++seen % 100 === 0 ? undefined : (seen % 100) / 100));
    expect(of(router, "a").recent).toEqual({
      count: 1000,
      p50: 0.5,
      p90: 0.9,
      p99: 0.99,
      mean: expect.closeTo((49.5 + 5) / 100, 9),
      failureShare: expect.closeTo(0.01, 9),
    });
    expect(of(router, "a").failed).toBe(Math.floor(seen / 100));
  });

  it("counts what the policy skips", () => {
    const router = make({ policy: { policy: "htinf", alpha: 1.5, sigma: 0.01 } });
    play(router, 200, (upstream) => (upstream === "a" ? 1000 : 0.001));
    const { chosen, done, skipped } = of(router, "a");
    expect(done).toBe(chosen);
    expect(skipped).toBe(done);
    expect(of(router, "b").skipped).toBe(0);
  });

  it("property: a sliding sample holds the newest values, and its mean is theirs", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { maxLength: 40 }),
        (capacity, values) => {
          const recent = new Recent(capacity);
          for (const value of values) recent.push(value);
          const last = values.slice(-capacity);
          expect(recent.values()).toEqual(last);
          expect(Array.from(recent.sorted())).toEqual(Array.from(Float64Array.from(last).sort()));
          if (last.length > 0) expect(recent.mean()).toBeCloseTo(last.reduce((a, b) => a + b, 0) / last.length, 9);
        },
      ),
    );
  });
});

describe("alarms", () => {
  // Losses vary by a tenth. The detector's false alarms have a probability of at most 0.05 / 2 in a world that does not change.
  const noisy = (router: Router, times: number, seconds: (upstream: string) => number) => {
    const noise = stream(times, "noise");
    play(router, times, (upstream) => seconds(upstream) * (0.9 + 0.2 * noise.uniform()));
  };

  it("are raised when the favourite becomes worse, and the next best takes its place within 100 requests", () => {
    const router = make({});
    noisy(router, 3000, (upstream) => ({ a: 0.01, b: 0.02, c: 0.03 })[upstream]!);
    expect(router.explain()).toMatchObject({ favourite: "a", alarms: 0 });
    noisy(router, 100, (upstream) => ({ a: 0.04, b: 0.02, c: 0.03 })[upstream]!);
    expect(router.explain()).toMatchObject({ favourite: "b", alarms: 1 });
  });

  it("change nothing when all upstreams become worse alike", () => {
    const router = make({});
    noisy(router, 3000, (upstream) => ({ a: 0.01, b: 0.02, c: 0.03 })[upstream]!);
    noisy(router, 300, (upstream) => ({ a: 0.03, b: 0.06, c: 0.09 })[upstream]!);
    expect(router.explain()).toMatchObject({ favourite: "a", alarms: 1 });
    expect(router.explain().upstreams[0]!.probability).toBeGreaterThan(0.9);
  });

  it("are unknown if the policy does not watch", () => {
    expect(make({ policy: { policy: "htinf", alpha: 1.5, sigma: 1 } }).explain().alarms).toBeNull();
    expect(make({ forgetting: false }).explain().alarms).toBeNull();
  });
});

describe("events", () => {
  it("report choices, endings and alarms, with the router that they come from", () => {
    const seen: { channel: string; event: unknown }[] = [];
    const listen = (event: unknown, channel: string | symbol) => seen.push({ channel: String(channel).split(":").at(-1)!, event });
    const channels = ["tsallis:router:choose", "tsallis:router:close", "tsallis:router:alarm"];
    for (const channel of channels) subscribe(channel, listen);
    const router = make({ forgetting: { halfLife: 100 }, penalty: 3 });
    try {
      const [done, failed, refused, abandoned] = [router.choose(), router.choose(), router.choose(), router.choose()];
      const planted = new Error("planted");
      done.done(0.5);
      failed.failed(planted);
      refused.done(Number.NaN);
      abandoned.abandoned();
      abandoned.done(1);
      const choices = seen.splice(0, 4).map(({ event }) => event as ChooseEvent);
      expect(choices).toEqual(
        [done, failed, refused, abandoned].map(({ upstream, probability }, i) => ({
          router,
          upstream,
          route: "default",
          probability,
          request: i + 1,
          round: i + 1,
        })),
      );
      const endings = seen.splice(0).map(({ channel, event }) => [channel, event as CloseEvent] as const);
      expect(endings.map(([channel, { outcome, loss, round, upstream }]) => [channel, outcome, loss, round, upstream])).toEqual([
        ["close", "done", 0.5, 1, done.upstream],
        ["close", "failed", 3, 2, failed.upstream],
        ["close", "refused", null, 3, refused.upstream],
        ["close", "abandoned", null, 4, abandoned.upstream],
      ]);
      expect(endings[1]![1].error).toBe(planted);
      expect(endings[2]![1].error).toMatchObject({ code: "ERR_LOSS" });
      for (const [, { seconds, skipped }] of endings) expect([seconds >= 0, skipped]).toEqual([true, false]);
      // Not the one that has failed: it has to earn its trust again first.
      expect(new Set([done.upstream, failed.upstream, abandoned.upstream]).size).toBe(3);
      play(router, 1000, (upstream) => (upstream === done.upstream ? 0.01 : 0.1));
      const isAlarm = ({ channel }: { channel: string }) => channel === "alarm";
      expect(seen.filter(isAlarm)).toEqual([]);
      play(router, 100, () => 0.1);
      const round = expect.any(Number);
      expect(seen.filter(isAlarm).map(({ event }) => event)).toEqual([{ router, upstream: done.upstream, route: "default", round }]);
      expect(router.explain().alarms).toBe(1);
    } finally {
      for (const channel of channels) unsubscribe(channel, listen);
    }
    seen.length = 0;
    router.choose().done(1);
    expect(seen).toEqual([]);
  });
});

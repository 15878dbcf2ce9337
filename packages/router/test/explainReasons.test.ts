import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { jitter } from "./jitter.js";

let time = 0;
function make(options: Partial<RouterOptions> = {}): Router {
  time = 0;
  return createRouter({
    upstreams: ["a", "b"],
    seed: 2,
    lossIsElapsedSeconds: true,
    timeoutMs: 900_000,
    penalty: 5,
    clockSeconds: () => time,
    ...options,
  });
}

function play(router: Router, rounds: number): void {
  const noise = jitter(7);
  for (let i = 0; i < rounds; i++) {
    time += 0.1;
    const ticket = router.choose();
    ticket.done((ticket.upstream === "a" ? 0.02 : 0.04) * noise());
  }
}

const json = (router: Router) => JSON.parse(JSON.stringify(router.explain()));

describe("explain() gives the reason", () => {
  it("load, with the requests in flight and the factor", () => {
    const router = make();
    play(router, 1000);
    expect(router.explain()).toMatchObject({ favourite: "a", why: expect.not.stringContaining("because") });
    for (let i = 0; i < 60; i++) router.choose({ except: ["b"] });
    const { favourite, why, upstreams } = router.explain();
    expect(favourite).toBe("b");
    expect(why).toMatch(
      /^b is the favourite with \S+ % of the next requests because of load: a, the favourite at rest, has 60 requests in flight, which makes it \S+ times as slow\.$/,
    );
    expect(upstreams[0]!.load!.factor).toBeGreaterThan(3);
    expect(why).toContain(`${Number(upstreams[0]!.load!.factor.toPrecision(3))} times`);
    expect(json(router)).toEqual(router.explain());
  });

  it("failures, with their rate", () => {
    const router = make();
    play(router, 1000);
    for (let i = 0; i < 10; i++) router.choose({ except: ["b"] }).failed();
    const { favourite, why, upstreams } = router.explain();
    expect(favourite).toBe("b");
    expect(why).toBe(
      `b is the favourite with ${Number((100 * upstreams[1]!.probability!).toPrecision(3))} % of the next requests because of failures: a would be the favourite, but it is likely to fail ${Number((100 * upstreams[0]!.failureRate).toPrecision(3))} % of the time.`,
    );
    expect(json(router)).toEqual(router.explain());
  });

  it("neither, if there is one upstream", () => {
    const router = make({ upstreams: "only" });
    for (let i = 0; i < 60; i++) router.choose();
    expect(router.explain()).toMatchObject({ why: "only is the only upstream.", upstreams: [{ probability: 1, open: 60 }] });
  });
});

describe("losses that are not in seconds", () => {
  it.each<[string, Partial<RouterOptions>]>([
    ["tickets", { lossIsElapsedSeconds: undefined as never }],
    ["a loss function", { upstreams: ["http://a", "http://b"], lossIsElapsedSeconds: undefined as never, loss: () => 1 }],
  ])("know no load: %s", (_, options) => {
    const { lossIsElapsedSeconds, ...rest } = { upstreams: ["a", "b"], ...options };
    const router = createRouter({ seed: 2, penalty: 5, ...rest });
    const names = [...router.upstreams];
    const before = router.explain().upstreams.map(({ probability }) => probability);
    for (let i = 0; i < 200; i++) router.choose({ except: [names[1]!] });
    const { upstreams } = router.explain();
    expect(upstreams.map(({ load }) => load)).toEqual([null, null]);
    expect(upstreams.map(({ probability }) => probability)).toEqual(before);
    expect(router.snapshot().upstreams.map(({ latency }) => latency.bins)).toEqual([[], []]);
    for (let i = 0; i < 20; i++) router.choose().done(-5);
    expect(router.snapshot().upstreams.map(({ latency }) => latency.bins)).toEqual([[], []]);
    expect(router.metrics()).not.toContain("load_factor");
  });
});

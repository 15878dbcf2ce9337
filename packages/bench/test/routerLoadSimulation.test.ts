import { constant, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { LOAD_SCENARIOS } from "../src/router/load/loadScenarios.js";
import { type LoadUpstream, meanCost } from "../src/router/load/loadUpstream.js";
import { createLoadWorld, type LoadWorld } from "../src/router/load/loadWorld.js";
import { simulateLoad } from "../src/router/load/simulateLoad.js";
import { LOAD_RULES } from "../src/router/rules/loadRules.js";
import type { Rule } from "../src/router/rules/rule.js";
import { TIMEOUT_MS } from "../src/router/worlds/scenarios.js";

const REQUESTS = 400;
const scenario = (name: string) => LOAD_SCENARIOS.find((each) => each.name === name)!;

/** A world made by hand: one request per time, all upstreams need its work. */
function world(
  times: readonly number[],
  works: readonly number[],
  upstreams: readonly Partial<LoadUpstream>[],
  luck: readonly number[] = times.map(() => 0.5),
): LoadWorld {
  return {
    upstreams: upstreams.map((each) => ({
      work: constant({ value: 1 }),
      cores: 1,
      discipline: "processor sharing",
      roundTrip: 0,
      fails: 0,
      refuses: { from: 0, to: 0, after: 0 },
      ...each,
    })),
    requests: times.length,
    traffic() {
      let at = 0;
      return {
        get next() {
          return times[at]!;
        },
        sent: () => at++,
        settled() {},
      };
    },
    works: Float64Array.from(works.flatMap((work) => upstreams.map(() => work))),
    luck: Float64Array.from(luck),
    means: undefined,
  };
}

/** Sends the requests to the given upstreams, and keeps the answers. */
function fixed(upstreams: readonly number[]): { rule: Rule; answers: [request: number, now: number, latency: number, failed: boolean][] } {
  const answers: [number, number, number, boolean][] = [];
  return {
    rule: {
      choose: (request) => upstreams[request]!,
      answered: (request, _upstream, now, latency, failed) => answers.push([request, now, latency, failed]),
    },
    answers,
  };
}

describe("the simulation under load", () => {
  it("requests share a server, and their answers need their time on the way", () => {
    const { rule, answers } = fixed([0, 0, 1]);
    const outcomes = simulateLoad(world([0, 10, 10], [20, 20, 20], [{ roundTrip: 8 }, { roundTrip: 0 }]), [rule]);
    // At upstream 0, request 0 has progressed by 10 when request 1 comes, and needs 20 for the other half. Request 1 has then 10 to go, alone.
    expect(answers).toEqual([
      [2, 30, 20, false],
      [0, 38, 38, false],
      [1, 48, 38, false],
    ]);
    expect([...outcomes.latencies]).toEqual([38, 38, 20]);
    expect([...outcomes.chosen]).toEqual([0, 0, 1]);
  });

  it("a caller gives up after 5 s, and the server works on", () => {
    const { rule, answers } = fixed([0, 0, 0, 0]);
    const outcomes = simulateLoad(world([0, 10, 1010, 2000], [6000, 10, 10, 10], [{ discipline: "first come" }]), [rule]);
    expect(answers).toEqual([
      [0, 5000, 5000, true],
      [1, 5010, 5000, true],
      [2, 6010, 5000, true], // done at 6,020
      [3, 6030, 4030, false],
    ]);
    expect([...outcomes.failed]).toEqual([1, 1, 1, 0]);
  });

  it("an answer after exactly 5 s is no failure", () => {
    const { rule, answers } = fixed([0]);
    simulateLoad(world([0], [4990], [{ roundTrip: 10 }]), [rule]);
    expect(answers).toEqual([[0, 5000, 5000, false]]);
  });

  it("an upstream fails the requests without luck at their end", () => {
    const { rule, answers } = fixed([0, 0, 1]);
    simulateLoad(world([0, 100, 200], [20, 20, 20], [{ fails: 0.01 }, {}], [0.0099, 0.01, 0]), [rule]);
    expect(answers).toEqual([
      [0, 20, 20, true],
      [1, 120, 20, false],
      [2, 220, 20, false],
    ]);
  });

  it("an upstream refuses in a part of the run, without work", () => {
    const { rule, answers } = fixed([0, 0, 0, 0]);
    simulateLoad(world([0, 1, 2, 3], [100, 100, 100, 100], [{ cores: 2, refuses: { from: 0.25, to: 0.75, after: 2 } }]), [rule]);
    expect(answers).toEqual([
      [1, 3, 2, true],
      [2, 4, 2, true],
      [0, 100, 100, false],
      [3, 103, 100, false],
    ]);
  });

  it.each(LOAD_SCENARIOS.map((each) => [each.name, each] as const))(
    "(%s) every request is answered once, to the router that sent it",
    (_name, each) => {
      for (const create of Object.values(LOAD_RULES)) {
        const played = createLoadWorld(each, 2, REQUESTS);
        const sent = new Float64Array(REQUESTS).fill(Number.NaN);
        const answers = new Uint8Array(REQUESTS);
        const wrong: unknown[] = [];
        let clock = 0;
        let next = 0;
        const routers = Array.from({ length: each.routers }, (_, router): Rule => {
          const rule = create({ upstreams: played.upstreams.length, timeout: TIMEOUT_MS, rng: stream(router), seed: router });
          return {
            choose(request, now) {
              if (request !== next || request % each.routers !== router || now < clock) wrong.push(["choose", request, now]);
              next++;
              clock = now;
              sent[request] = now;
              return rule.choose(request, now);
            },
            answered(request, upstream, now, latency, failed) {
              if (request % each.routers !== router || now < clock || latency > TIMEOUT_MS) wrong.push(["answered", request, now]);
              if (!(Math.abs(now - sent[request]! - latency) < 1e-6)) wrong.push(["latency", request, now]);
              clock = now;
              answers[request]!++;
              rule.answered(request, upstream, now, latency, failed);
            },
          };
        });
        simulateLoad(played, routers);
        expect(wrong).toEqual([]);
        expect(answers).toEqual(new Uint8Array(REQUESTS).fill(1));
      }
    },
  );

  it("a closed loop has at most as many requests in flight as clients, whatever the upstreams do", () => {
    let inFlight = 0;
    let most = 0;
    const rule: Rule = {
      choose() {
        most = Math.max(most, ++inFlight);
        return 0;
      },
      answered: () => inFlight--,
    };
    simulateLoad(createLoadWorld(scenario("closed-loop"), 1, 5000), [rule]); // All go to one of four replicas: too much for it.
    expect(most).toBeGreaterThan(150);
    expect(most).toBeLessThanOrEqual(200);
    expect(inFlight).toBe(0);
  });
});

describe("a world under load", () => {
  it("is the same for the same seed, and different for another", () => {
    const drawn = (seed: number) => {
      const { works, luck, traffic } = createLoadWorld(scenario("heavy-work"), seed, REQUESTS);
      return [works, luck, traffic().next];
    };
    expect(drawn(3)).toEqual(drawn(3));
    for (const [i, part] of drawn(3).entries()) expect(part).not.toEqual(drawn(4)[i]);
  });

  it("a request means the same work everywhere, divided by the upstream's speed", () => {
    const { works, upstreams } = createLoadWorld(scenario("speeds"), 1, REQUESTS);
    for (let request = 0; request < REQUESTS; request++) {
      for (const [u, { work }] of upstreams.entries())
        expect(works[4 * request + u]! / work.mean).toBeCloseTo(works[4 * request]! / upstreams[0]!.work.mean, 12);
    }
  });

  // The work that comes in a second: exponential works and gaps give a relative standard deviation of sqrt(2 / 20,000) = 0.01. Each of seven is beyond 5 of them in 6e-7 of all
  // seeds; the seed is fixed.
  it.each([
    ["equal-30", 0.3],
    ["equal-60", 0.6],
    ["equal-85", 0.85],
    ["first-come-60", 0.6],
    ["first-come-85", 0.85],
    ["speeds", 0.6],
    ["eight-routers", 0.6],
  ])("(%s) is as loaded as it says: %d", (name, load) => {
    const { works, upstreams, traffic } = createLoadWorld(scenario(name), 1, 20_000);
    const times = traffic();
    for (let i = 1; i < 20_000; i++) times.sent();
    const capacity = upstreams.reduce((sum, { cores, work }) => sum + cores * (20 / work.mean), 0);
    const work = works.reduce((sum, each, i) => sum + (i % 4 === 0 ? each * (20 / upstreams[0]!.work.mean) : 0), 0);
    expect(Math.abs(work / times.next / capacity / load - 1)).toBeLessThan(0.05);
  });

  const costs = (name: string, progress: number) => scenario(name).upstreams.map((each) => meanCost(each, progress, TIMEOUT_MS));

  it("the scenarios without load are what they say", () => {
    expect(costs("fails-1", 0).map(Math.round)).toEqual([80, 51, 51]);
    expect(costs("fails-5", 0).map(Math.round)).toEqual([279, 51, 51]);
    expect(costs("429", 0)[0]).toBe(TIMEOUT_MS);
    expect([0.24, 0.25, 0.99].map((progress) => Math.round(costs("429-later", progress)[0]!))).toEqual([41, 5000, 5000]);
    expect([0.39, 0.4, 0.59, 0.6].map((progress) => Math.round(costs("down-and-back", progress)[0]!))).toEqual([41, 5000, 5000, 41]);
    expect(["slow-5-3s", "slow-10-1s", "slow-2-1s"].map((name) => costs(name, 0).map(Math.round))).toEqual([
      [163, 41],
      [111, 41],
      [30, 41],
    ]);
  });
});

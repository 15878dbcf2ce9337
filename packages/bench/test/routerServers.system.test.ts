import { logNormal } from "tsallis";
import { request } from "undici";
import { describe, expect, it } from "vitest";
import { benchReplicas } from "../dist/router/servers/benchReplicas.js";
import { served } from "../dist/router/servers/benchServers.js";
import { dispatcherCosts } from "../dist/router/servers/dispatcherCosts.js";
import { playServers, type ServerResult } from "../dist/router/servers/playServers.js";
import { startServers } from "../dist/router/servers/startServers.js";
import { OURS } from "../src/router/rules/rules.js";
import { BALANCED_POOL } from "../src/router/servers/clients.js";
import { openLoop } from "../src/router/servers/openLoop.js";
import { SERVER_SCENARIOS } from "../src/router/servers/serverScenarios.js";
import { BEST } from "../src/router/worlds/routerResults.js";
import { createWorld } from "../src/router/worlds/world.js";
import { bench } from "./command.js";

const { signal } = new AbortController();
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe("the router on real servers", () => {
  // Latencies of 40 ms and 800 ms and 40 requests per second are slow enough for a busy machine. False alarms: in 2,000 simulated runs of this scenario our
  // router sends 7.4 requests on average to the slow upstream, with a standard deviation of 1.7, and never more than 17; the test allows 50. A busy machine adds
  // the same to the latencies of both, which run at the same time: for the means to change places, ours alone would have to lose 200 ms with every request.
  it("beats BalancedPool if one of three upstreams is 20 times as slow", async () => {
    const requests = 250;
    const upstreams = [1, 1, 20].map((factor) => ({ distribution: logNormal({ location: Math.log(16 * factor), scale: 0.3 }) }));
    const scenario = { name: "one slow", description: "", upstreams };
    const results = await playServers(scenario, { requests, seed: 1, speed: 0.4 }, signal);
    const [balanced, ours] = [BALANCED_POOL, OURS].map((name) => results.find(({ rule }) => rule === name)!) as [ServerResult, ServerResult];
    const means = [...createWorld(scenario, 1, requests).means.slice(0, 3)];
    const slow = means.indexOf(Math.max(...means));
    expect(balanced.answers[slow]).toBeGreaterThan(requests / 4);
    expect(ours.answers[slow]).toBeLessThan(requests / 5);
    expect(ours.mean).toBeLessThan(balanced.mean);
  });

  it("plays every scenario, and accounts for every request", async () => {
    const results = await served(60, signal);
    expect(results.map(({ scenario, rule }) => [scenario, rule])).toEqual(
      SERVER_SCENARIOS.flatMap(({ name }) => [BALANCED_POOL, OURS, BEST].map((rule) => [name, rule])),
    );
    for (const { rule, answers, failures, share } of results) {
      expect(sum(answers) + failures).toBe(60);
      if (rule !== OURS) expect(share).toBeCloseTo(rule === BEST ? 1 : 0, 12);
    }
  });

  it("stops when its signal aborts", async () => {
    await expect(served(60, AbortSignal.abort())).rejects.toThrow();
  });

  it("plays equal replicas with both dispatchers, and accounts for every request", async () => {
    const results = await benchReplicas({ requests: 60, repetitions: 2 }, signal);
    expect(results.map(({ seed, rule }) => [seed, rule])).toEqual([1, 2].flatMap((seed) => [BALANCED_POOL, OURS].map((rule) => [seed, rule])));
    for (const { answers, failures } of results) {
      expect(answers).toHaveLength(4);
      expect(sum(answers) + failures).toBe(60);
    }
    await expect(benchReplicas({ requests: 60, repetitions: 1 }, AbortSignal.abort())).rejects.toThrow();
  });

  it("measures what both dispatchers cost", async () => {
    const costs = await dispatcherCosts({ requests: 400, pairs: 2 }, signal);
    expect(costs.map(({ door, inFlight }) => [door, inFlight])).toEqual([
      ["request", 50],
      ["fetch", 50],
      ["request", 200],
    ]);
    for (const { balancedPool, ours, ratio } of costs) for (const number of [balancedPool, ours, ratio]) expect(number).toBeGreaterThan(0);
  });
});

describe("startServers", () => {
  it("starts servers that take the time set for each request, and answer with their number", async () => {
    const { urls, stop } = await startServers({ upstreams: 2, delays: Float64Array.of(0, 40, Infinity, 0), workers: Infinity }, signal);
    const text = async (upstream: number, path: string, ended = signal) => (await request(urls[upstream]! + path, { signal: ended })).body.text();
    try {
      expect([await text(0, "/0"), await text(1, "/1")]).toEqual(["0", "1"]);
      const start = performance.now();
      expect(await text(1, "/0")).toBe("1");
      // Node's timers count whole milliseconds from the start of a turn of the event loop.
      expect(performance.now() - start).toBeGreaterThan(38);
      // This answer never comes: the client has to give up.
      await expect(text(0, "/1", AbortSignal.timeout(100))).rejects.toThrow("timeout");
    } finally {
      await stop();
    }
    await expect(text(0, "/0")).rejects.toThrow();
  });

  it("starts servers with one worker each, which takes one request after the other", async () => {
    const { urls, stop } = await startServers({ upstreams: 1, delays: Float64Array.of(40, 40, 40), workers: 1 }, signal);
    try {
      const start = performance.now();
      await Promise.all([0, 1, 2].map(async (i) => (await request(`${urls[0]}/${i}`)).body.text()));
      expect(performance.now() - start).toBeGreaterThan(118);
    } finally {
      await stop();
    }
  });
});

describe("openLoop", () => {
  it("sends without waiting for answers, never before a request is due, and counts from then", async () => {
    const times = Float64Array.of(0, 5, 5, 30);
    const start = performance.now();
    const sent: number[] = [];
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { latencies, late, upstreams } = await openLoop(
      times,
      async (i) => {
        expect(performance.now() - start).toBeGreaterThanOrEqual(times[i]!);
        sent.push(i);
        if (i === 3) answer();
        await answered;
        if (i === 1) throw new Error("planted");
        return 7;
      },
      signal,
    );
    expect(sent).toEqual([0, 1, 2, 3]);
    expect([...upstreams]).toEqual([7, -1, 7, 7]);
    // All others had been answered when the last one was sent, 30 ms after the start or later.
    for (const [i, time] of times.entries()) {
      expect(late[i]).toBeGreaterThanOrEqual(0);
      expect(latencies[i]! + time).toBeGreaterThanOrEqual(30);
    }
  });
});

describe("bench router --servers", () => {
  it("cannot be combined with --seeds", async () => {
    const { code, stderr } = await bench("router", "--servers", "--seeds", "3");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^tsallis: ERR_USAGE: option '--servers' cannot be used with option '--seeds <number>'/);
  });
});

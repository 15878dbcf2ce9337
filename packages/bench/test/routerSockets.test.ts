import { describe, expect, it } from "vitest";
import { OURS } from "../src/router/rules/rules.js";
import type { SocketResult } from "../src/router/sockets/playSockets.js";
import { SOCKET_CLIENTS } from "../src/router/sockets/socketClients.js";
import { type Conduct, SOCKET_SCENARIOS } from "../src/router/sockets/socketScenarios.js";
import { socketTables } from "../src/router/sockets/socketTables.js";
import { overBest, socketTargets } from "../src/router/sockets/socketTargets.js";
import { createSocketWorld } from "../src/router/sockets/socketWorld.js";

const scenario = (name: string) => SOCKET_SCENARIOS.find((each) => each.name === name)!;
const result = (name: string, rule: string, seed: number, mean: number, failures = 0): SocketResult => ({
  scenario: name,
  rule,
  seed,
  requests: 990,
  mean,
  p99: 10 * mean,
  failures,
  late: seed,
});

describe("the scenarios on sockets", () => {
  it("have different names, and the rates and counts of the review", () => {
    expect(new Set(SOCKET_SCENARIOS.map(({ name }) => name)).size).toBe(21);
    expect(["steady", "equal-60", "equal-85", "unequal", "retry-after"].map((name) => scenario(name).requests)).toEqual([990, 932, 1320, 924, 400]);
  });

  it.each<[string, number, number, Conduct]>([
    ["hangs", 0, 5.9, { slower: 1 }],
    ["hangs", 0, 6, "hangs"],
    ["hangs", 1, 6, { slower: 1 }],
    ["hangs", 0, 12, { slower: 1 }],
    ["degrades", 0, 3, { slower: 1 }],
    ["degrades", 0, 11, { slower: 8 }],
    ["degrades", 0, 30, { slower: 15 }],
    ["flaps", 0, 1.9, { slower: 1 }],
    ["flaps", 0, 6.5, { status: 503 }],
    ["rate-limited", 0, 7, { status: 429, retryAfter: 2 }],
    ["all-slow", 3, 7, { slower: 5 }],
    ["all-down", 2, 9, { status: 503 }],
  ])("%s: upstream %d after %d s", (name, upstream, second, conduct) => {
    expect(scenario(name).conduct!({ upstream, second, earlier: 1, luck: 0.5 })).toEqual(conduct);
  });

  it("has one long Retry-After, and a death after 200 requests", () => {
    const { conduct, death } = scenario("retry-after");
    const moment = { second: 0, luck: 0.5 };
    expect(conduct!({ ...moment, upstream: 0, earlier: 0 })).toEqual({ status: 503, retryAfter: 86_400 });
    expect([conduct!({ ...moment, upstream: 0, earlier: 1 }), conduct!({ ...moment, upstream: 1, earlier: 0 })]).toEqual([
      { slower: 1 },
      { slower: 1 },
    ]);
    const { times } = createSocketWorld(scenario("retry-after"), 1);
    expect(death!(times)).toEqual({ upstream: 1, from: times[200]! / 1000, to: Infinity });
  });

  it("draw the same world for the same seed, with the rate and the mean asked for", () => {
    const world = createSocketWorld(scenario("steady"), 1);
    expect(createSocketWorld(scenario("steady"), 1).works).toEqual(world.works);
    // The time of 990 arrivals has a standard deviation of 0.7 s, the mean of 3,960 works one of 0.0096: six of them each, a false alarm in 10^8.
    expect(Math.abs(world.times.at(-1)! / 1000 - 22)).toBeLessThan(4.2);
    expect(Math.abs(world.works.reduce((a, b) => a + b) / world.works.length - Math.exp(1 / 8))).toBeLessThan(0.06);
    expect(createSocketWorld(scenario("slow-route"), 1).isSlow(9)).toBe(true);
    expect([world.isSlow(9), world.isImpatient(0), world.client(5)]).toEqual([false, false, 0]);
  });
});

const RESULTS = [1, 2, 3].flatMap((seed) => [
  ...Object.keys(SOCKET_CLIENTS).map((rule, i) =>
    result("hangs", rule, seed, rule === OURS ? 120 * seed : 100 * seed + 100 * i * i, rule === OURS ? 10 * seed : 1),
  ),
  ...Object.keys(SOCKET_CLIENTS).map((rule) => result("retry-after", rule, seed, 50, 3)),
]);

describe("socketTargets", () => {
  it("sets the router against the best simple rule of each run", () => {
    const { rule, all, median } = overBest(RESULTS.filter((each) => each.scenario === "hangs"));
    expect([rule, all.map((ratio) => Number(ratio.toFixed(9))), median]).toEqual(["BalancedPool", [1.2, 1.2, 1.2], expect.closeTo(1.2, 9)]);
    expect(socketTargets(RESULTS).map(({ asked, measured }) => [asked, Number(measured.toFixed(9))])).toEqual([
      ["at most 1.15", 1.2],
      ["at most 18", 20],
      ["at most 10", 3],
    ]);
    expect(socketTargets(RESULTS.filter((each) => each.scenario === "retry-after"))).toHaveLength(2);
  });
});

describe("socketTables", () => {
  it("shows every rule with its medians, and the failures of every run", () => {
    const text = socketTables(RESULTS);
    expect(text).toMatch(/hangs: the best hangs from 6 to 12 s\n/);
    expect(text).toMatch(/│ tsallis +│ +240 │ +2400 │ +10 20 30 │ +3.0 │/);
    expect(text).toMatch(/│ hangs +│ BalancedPool │ +1.20 │ 1.20 1.20 1.20 │/);
    expect(text).not.toContain("steady");
  });
});

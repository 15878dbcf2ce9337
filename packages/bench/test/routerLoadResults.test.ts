import { describe, expect, it, vi } from "vitest";
import { loadPlayed } from "../src/router/load/loadPlayed.js";
import { loadResults } from "../src/router/load/loadResults.js";
import { LOAD_SCENARIOS } from "../src/router/load/loadScenarios.js";
import { loadTables } from "../src/router/load/loadTables.js";
import { loadTargets } from "../src/router/load/loadTargets.js";
import type { LoadUpstream } from "../src/router/load/loadUpstream.js";
import { type LoadWorldResult, playLoad } from "../src/router/load/playLoad.js";
import { LOAD_RULES } from "../src/router/rules/loadRules.js";
import { OURS, ROUND_ROBIN } from "../src/router/rules/rules.js";

const scenario = (name: string) => LOAD_SCENARIOS.find((each) => each.name === name)!;
const rules = Object.keys(LOAD_RULES);

describe("what is measured", () => {
  const upstreams = [{}, {}] as unknown as LoadUpstream[];
  const outcomes = {
    chosen: Int32Array.from({ length: 20 }, (_, i) => i % 2),
    latencies: Float64Array.from({ length: 20 }, (_, i) => i),
    failed: Uint8Array.from({ length: 20 }, (_, i) => (i >= 18 ? 1 : i === 2 ? 1 : 0)),
  };

  it("tenths by hand: a failure costs 5 s", () => {
    const { mean, failures, p99, tenths } = loadPlayed({ requests: 20, upstreams, timeout: 5000, means: undefined }, outcomes);
    expect(tenths.map((each) => each.mean)).toEqual([0.5, 2501.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 5000]);
    expect(tenths.map((each) => each.failures)).toEqual([0, 0.5, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(mean).toBeCloseTo(757.55, 9);
    expect([failures, p99]).toEqual([0.15, 5000]);
  });

  it("a scenario's own timeout is the cost of a failure, and attempts before the last count with their time", () => {
    const retried = { ...outcomes, latencies: outcomes.latencies.map((latency, i) => (i === 19 ? 30 : latency)) };
    const { tenths, p99 } = loadPlayed({ requests: 20, upstreams, timeout: 20, means: undefined }, retried);
    expect(tenths.map((each) => each.mean)).toEqual([0.5, 11.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5, 16.5, 25]);
    expect(p99).toBe(30);
  });

  it("true means where there are some; failures and the 99th percentile as drawn", () => {
    const means = Float64Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 100 : 300));
    const { mean, failures, p99, tenths } = loadPlayed({ requests: 20, upstreams, timeout: 5000, means }, outcomes);
    expect(tenths.map((each) => each.mean)).toEqual(Array.from({ length: 10 }, () => 200));
    expect([mean, failures, p99]).toEqual([200, 0.15, 5000]);
  });

  const played = (mean: number, tenth = { mean, failures: 0 }) => ({
    mean,
    failures: 0,
    p99: 10 * mean,
    tenths: Array.from({ length: 10 }, (_, i) => (i === 3 ? tenth : { mean, failures: 0 })),
  });

  it("the worst tenth is that of the worst seed, against the best rule's mean over seeds in the same tenth", () => {
    const best = [played(10, { mean: 20, failures: 0.01 }), played(10, { mean: 30, failures: 0.03 })];
    const ours = [played(12, { mean: 50, failures: 0.05 }), played(14, { mean: 40, failures: 0.1 })];
    const worlds = [0, 1].map(
      (seed): LoadWorldResult => ({
        best: undefined,
        rules: rules.map((rule) => (rule === OURS ? ours : rule === ROUND_ROBIN ? best : [played(99), played(99)])[seed]!),
      }),
    );
    const results = loadResults([scenario("equal-60")], [worlds]);
    const find = (name: string) => results.find(({ rule }) => rule === name)!;
    expect(results).toHaveLength(rules.length);
    expect(find(OURS)).toMatchObject({ mean: { mean: 13 }, p99: { mean: 130 }, worstTenth: 2, share: null });
    expect(find(OURS).worstFailures).toBeCloseTo(0.08, 12);
    expect(find(OURS).tenths[3]).toEqual({ mean: 45, failures: expect.closeTo(0.075, 12) });
    expect(find(ROUND_ROBIN)).toMatchObject({ worstTenth: 1.2 });
    expect(find("two choices").worstTenth).toBeCloseTo(9.9, 12);

    const targets = loadTargets(results);
    expect(targets.map(({ measured }) => Number(measured.toFixed(9)))).toEqual([2, 0, 1.3]);
    for (const { name } of targets) expect(name).toContain("(equal-60)");
  });

  it("what is asked depends on the kind, and a storm or failures are those of the worst run", () => {
    const run = (mean: number, failures: number) => ({ ...played(mean), failures });
    const worlds = [0.051, 0.05].map(
      (failures): LoadWorldResult => ({ best: undefined, rules: rules.map((rule) => (rule === OURS ? run(80, failures) : run(20, 0.01))) }),
    );
    const targets = (name: string) =>
      loadTargets(loadResults([scenario(name)], [worlds])).map(({ asked, measured }) => [asked, Number(measured.toFixed(9))]);
    const failures = ["at most 0.5", 4.1];
    expect(targets("limit-60")).toEqual([["at most 3", 4], failures]);
    expect(targets("limit-ten")).toEqual([["at most 5", 4], failures, ["at most 1.25", 4]]);
    expect(targets("twenty-85")).toEqual([["at most 3", 4], failures, ["at most 1.20", 4]]);
    expect(targets("equal-30")).toEqual([["at most 3", 4], failures, ["at most 1.16", 4]]);
    expect(targets("timeouts-retried")).toEqual([["0", 1], ["at most 3", 4], failures]);
  });

  it("where load does not matter, the share of the possible gain counts, and the yardstick is no rule", () => {
    const worlds: LoadWorldResult[] = [{ best: played(30), rules: rules.map((rule) => played(rule === OURS ? 31 : 40)) }];
    const results = loadResults([scenario("slow-2-1s")], [worlds]);
    expect(results.map(({ rule, share }) => [rule, share!.mean])).toEqual([
      ...rules.map((rule) => [rule, rule === OURS ? 0.9 : 0]),
      ["best upstream", 1],
    ]);
    expect(results.find(({ rule }) => rule === OURS)!.worstTenth).toBe(1);
    expect(loadTargets(results).map(({ asked, measured }) => [asked, measured])).toEqual([
      ["at most 3", 1],
      ["at most 0.5", 0],
      ["at least 0.9", 0.9],
    ]);
  });

  it("every rule is told the timeout of the scenario", () => {
    const spies = rules.map((rule) => vi.spyOn(LOAD_RULES as Record<string, (typeof LOAD_RULES)[string]>, rule));
    playLoad({ scenario: "timeouts-retried", seed: 1, requests: 10 });
    for (const spy of spies) {
      expect(spy.mock.calls.map(([{ timeout }]) => timeout)).toEqual([200]);
      spy.mockRestore();
    }
  });

  it("tables have a row for each rule, and a run can be played again", () => {
    const names = ["equal-30", "429"];
    const task = (name: string) => ({ scenario: name, seed: 1, requests: 400 });
    const worlds = names.map((name) => [playLoad(task(name))]);
    expect(playLoad(task("429"))).toEqual(worlds[1]![0]);
    const text = loadTables(loadResults(names.map(scenario), worlds));
    for (const rule of rules) expect(text.split(`│ ${rule} `)).toHaveLength(3);
    for (const { name, description } of names.map(scenario)) expect(text).toContain(`(${name}) ${description}\n`);
    expect(text).toContain("│ best upstream ");
    expect(text).not.toMatch(/NaN|undefined/);
  });
});

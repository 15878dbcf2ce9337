import { describe, expect, it } from "vitest";
import { benchWorlds } from "../dist/router/worlds/benchWorlds.js";
import type { LoadResult } from "../src/router/load/loadResults.js";
import { LOAD_RULES } from "../src/router/rules/loadRules.js";
import { OURS, ROUND_ROBIN, RULES } from "../src/router/rules/rules.js";
import { meanInterval } from "../src/router/worlds/meanInterval.js";
import type { WorldResult } from "../src/router/worlds/playWorld.js";
import { BEST, type RouterResult, routerResults } from "../src/router/worlds/routerResults.js";
import { routerTables } from "../src/router/worlds/routerTables.js";
import { routerTargets } from "../src/router/worlds/routerTargets.js";
import { SCENARIOS } from "../src/router/worlds/scenarios.js";
import { bench } from "./command.js";

const { signal } = new AbortController();
const TINY = { requests: 500, seeds: 2 };
const rules = Object.keys(RULES);
const names = SCENARIOS.map(({ name }) => name);

describe("meanInterval", () => {
  it("is the mean and 1.96 standard errors: of 1, 2, 3, 4 the deviation is sqrt(5/3)", () => {
    const { mean, margin } = meanInterval([1, 2, 3, 4]);
    expect(mean).toBe(2.5);
    expect(margin).toBeCloseTo((1.96 * Math.sqrt(5 / 3)) / 2, 12);
    expect(meanInterval([3])).toEqual({ mean: 3, margin: 0 });
  });
});

describe("routerResults", () => {
  it("gives each seed's share of the possible gain: 200 to 100 possible, 125 is three quarters", () => {
    const played = (mean: number) => ({ mean, p99: 10 * mean });
    const world = (ours: number): WorldResult => ({ best: played(100), rules: rules.map((rule) => played(rule === OURS ? ours : 200)) });
    const results = routerResults(
      SCENARIOS,
      SCENARIOS.map(() => [world(125), world(175)]),
    );
    const find = (rule: string) => results.find((each) => each.rule === rule && each.scenario === "a")!;
    expect(find(OURS)).toMatchObject({ mean: { mean: 150 }, p99: { mean: 1500 }, share: { mean: 0.5 } });
    expect(find(OURS).share.margin).toBeCloseTo(0.49, 12);
    expect([find(ROUND_ROBIN).share, find(BEST).share]).toEqual([
      { mean: 0, margin: 0 },
      { mean: 1, margin: 0 },
    ]);
  });
});

describe("routerTargets", () => {
  const result = (scenario: string, rule: string, mean: number): RouterResult => ({
    scenario,
    rule,
    mean: { mean: 0, margin: 0 },
    p99: { mean: 0, margin: 0 },
    share: { mean, margin: 0 },
  });

  it("asks of each scenario that was played what the router had before, less 0.03", () => {
    expect(routerTargets([result("a", "x", 0.95), result("a", OURS, 0.9), result("h", OURS, 0.8)])).toEqual([
      { name: "share of ours in (a)", asked: "at least 0.876", measured: 0.9 },
      { name: "share of ours in (h)", asked: "at least 0.853", measured: 0.8 },
    ]);
  });
});

describe("bench router", () => {
  it("plays every rule in every scenario, and the same again", async () => {
    const results = await benchWorlds(SCENARIOS, TINY, signal);
    expect(results.map(({ scenario, rule }) => [scenario, rule])).toEqual(names.flatMap((name) => [...rules, BEST].map((rule) => [name, rule])));
    for (const { rule, mean, p99, share } of results) {
      expect(mean.mean).toBeGreaterThan(90);
      expect(p99.mean).toBeGreaterThan(mean.mean);
      expect(share.mean).toBeLessThanOrEqual(1);
      if (rule === ROUND_ROBIN || rule === BEST) expect(share).toEqual({ mean: rule === BEST ? 1 : 0, margin: 0 });
    }
    expect(await benchWorlds(SCENARIOS, TINY, signal)).toEqual(results);
  });

  it("prints tables with what was asked", async () => {
    const text = routerTables(await benchWorlds(SCENARIOS, TINY, signal));
    for (const rule of rules) expect(text.split(`│ ${rule} `)).toHaveLength(4);
    for (const { name, description } of SCENARIOS) expect(text).toContain(`(${name}) ${description}\n`);
    expect(text).toMatch(/share of ours in \(c\) +│ at least 0\.762 │ +-?\d\.\d{3} │/);
    expect(text).not.toContain("-0.00");
    expect(text).not.toContain("NaN");
  });

  it("stops when its signal aborts", async () => {
    await expect(benchWorlds(SCENARIOS, { requests: 20_000, seeds: 100 }, AbortSignal.abort())).rejects.toThrow();
  });

  it("prints JSON as a command, of the scenarios that it is told by name or kind", async () => {
    const { code, stdout } = await bench("router", "--only", "d,slow", "--seeds", "1", "--json");
    expect(code).toBe(0);
    const { worlds, load } = JSON.parse(stdout) as { worlds: RouterResult[]; load: LoadResult[] };
    expect(worlds.map(({ scenario }) => scenario)).toEqual([...rules, BEST].map(() => "d"));
    expect(Object.keys(worlds[0]!)).toEqual(["scenario", "rule", "mean", "p99", "share"]);
    expect(load.map(({ scenario, rule }) => [scenario, rule])).toEqual(
      ["slow-5-3s", "slow-10-1s", "slow-2-1s"].flatMap((name) => [...Object.keys(LOAD_RULES), BEST].map((rule) => [name, rule])),
    );
  });

  it("has help with examples, and refuses other numbers of seeds and unknown scenarios", async () => {
    expect((await bench("router", "--help")).stdout).toMatch(/^Examples:\n {2}\$ /m);
    for (const seeds of ["0", "1.5", "many"]) {
      const { code, stderr } = await bench("router", "--seeds", seeds);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^tsallis: --seeds: ERR_PARAMETER: seeds must be an integer in \[1, 10000\], got /);
    }
    const { code, stderr } = await bench("router", "--only", "a,z");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^tsallis: --only: ERR_PARAMETER: only must be names or kinds of scenarios \(a, b, .*\), got "z"\n$/);
    const part = await bench("router", "--servers", "--only", "costs,a");
    expect([part.code, part.stderr]).toEqual([
      2,
      'tsallis: --only: ERR_PARAMETER: only must be parts of --servers (scenarios, replicas, costs), got "a"\n',
    ]);
  });
});

import { readFileSync } from "node:fs";
import { createPolicy, DEFAULT_POLICY, POLICIES, type PolicySpec } from "tsallis";
import { describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { fuzzed } from "../dist/fuzz/benchFuzz.js";
import { entrantOf } from "../src/fuzz/entrant.js";
import { type FuzzResult, fuzzResult } from "../src/fuzz/fuzzResult.js";
import { fuzzTable } from "../src/fuzz/fuzzTable.js";
import { type FuzzRun, playFuzz, ROUNDS } from "../src/fuzz/playFuzz.js";
import { RECOMMENDED } from "../src/fuzz/recommended.js";
import { viewed } from "../src/fuzz/view.js";
import { createWorld, leastGap, type World } from "../src/fuzz/world.js";
import { bench } from "./command.js";

const { signal } = new AbortController();
const UNIFORM = { policy: "uniform" };
const worlds = Array.from({ length: 300 }, (_, i) => createWorld(i + 1));

/** The values of each arm and their probabilities, written out. */
function tableOf({ values, shift, laws, constant }: World): { value: number; weight: number }[][] {
  return laws.map((law, arm) =>
    arm === constant?.arm ? [{ value: constant.value + shift, weight: 1 }] : law.map((weight, i) => ({ value: values[i]! + shift, weight })),
  );
}

describe("a world", () => {
  it("is the same for the same number, and different for another", () => {
    for (const n of [1, 10, 77]) expect(createWorld(n)).toEqual(worlds[n - 1]);
    expect(new Set(worlds.map(({ shift }) => shift)).size).toBe(worlds.length);
  });

  it("has 2 to 6 values, 2 to 20 arms, and all of these occur", () => {
    const counts = (of: (world: World) => number) => [...new Set(worlds.map(of))].sort((a, b) => a - b);
    expect(counts(({ values }) => values.length)).toEqual([2, 3, 4, 5, 6]);
    expect(counts(({ laws }) => laws.length)).toEqual(Array.from({ length: 19 }, (_, i) => i + 2));
    for (const { values, range, shift, laws } of worlds) {
      expect(range).toBe(Math.max(...values) - Math.min(...values));
      expect(Math.abs(shift / range)).toBeLessThanOrEqual(100);
      for (const law of laws) expect(law.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    }
  });

  it("has means that agree with a direct sum", () => {
    for (const world of worlds) {
      const environment = viewed(world, "as they are");
      const largest = world.range + Math.max(...world.values.map((value) => Math.abs(value + world.shift)));
      for (const [arm, rows] of tableOf(world).entries()) {
        const direct = rows.reduce((sum, { value, weight }) => sum + value * weight, 0);
        expect(Math.abs(environment.mean(1, arm) - direct)).toBeLessThan(1e-14 * largest);
      }
    }
  });

  it("has losses with these means: within five standard errors", () => {
    for (const world of worlds.slice(0, 30)) {
      const environment = viewed(world, "mapped to [0, 1]");
      for (let arm = 0; arm < environment.arms; arm++) {
        let sum = 0;
        for (let round = 1; round <= 2000; round++) sum += environment.loss(round, arm);
        const error = Math.sqrt(environment.law(1, arm).variance / 2000);
        expect(Math.abs(sum / 2000 - environment.mean(1, arm))).toBeLessThanOrEqual(5 * error + 1e-12);
      }
    }
  });

  it("has a best arm that is ahead by 5 % of the range, 10 % with more than 8 arms", () => {
    for (const world of worlds) {
      const ahead = Math.min(...viewed(world, "mapped to [0, 1]").gaps!.filter((gap) => gap > 0));
      expect(viewed(world, "as they are").gaps!.filter((gap) => gap === 0)).toHaveLength(1);
      expect(ahead).toBeGreaterThan((world.laws.length > 8 ? 0.1 : 0.05) - 1e-9);
    }
    expect([leastGap(8), leastGap(9)]).toEqual([0.05, 0.1]);
  });

  it("has a constant arm if its number is a multiple of ten, and otherwise none", () => {
    for (const world of worlds) {
      const environment = viewed(world, "as they are");
      const still = world.laws.flatMap((_, arm) => (environment.law(1, arm).variance === 0 ? [arm] : []));
      expect(still).toEqual(world.number % 10 === 0 ? [world.constant!.arm] : []);
      if (world.constant === null) continue;
      expect(world.constant.value).toBeGreaterThanOrEqual(world.lowest);
      expect(world.constant.value).toBeLessThanOrEqual(world.lowest + world.range);
      expect(new Set(Array.from({ length: 50 }, (_, i) => environment.loss(i + 1, world.constant!.arm))).size).toBe(1);
    }
  });

  it("draws the same in every view, and stays in [0, 1] or above 0 if that is promised", () => {
    for (const world of worlds.slice(0, 30)) {
      const [plain, mapped, shifted] = [viewed(world, "as they are"), viewed(world, "mapped to [0, 1]"), viewed(world, "shifted to be non-negative")];
      for (let round = 1; round <= 100; round++) {
        const arm = round % plain.arms;
        const loss = mapped.loss(round, arm);
        expect(loss).toBeGreaterThanOrEqual(0);
        expect(loss).toBeLessThanOrEqual(1);
        expect(shifted.loss(round, arm)).toBeGreaterThanOrEqual(0);
        expect(shifted.loss(round, arm) / world.range).toBeCloseTo(loss, 12);
        expect((plain.loss(round, arm) - world.lowest - world.shift) / world.range).toBeCloseTo(loss, 9);
      }
      expect(shifted.assumptions.truncatedNonNegative.holds).toBe(true);
    }
  });
});

describe("what a policy is told", () => {
  const environment = viewed(createWorld(1), "mapped to [0, 1]");
  const told = (spec: PolicySpec) => entrantOf(spec).spec(environment, 500);

  it("is the truth", () => {
    const arms = Array.from({ length: environment.arms }, (_, arm) => environment.law(1, arm));
    expect(told({ policy: "htinf" })).toEqual({
      policy: "htinf",
      alpha: 2,
      sigma: expect.closeTo(rootOfLargest(arms.map((law) => law.absoluteMoment(2))), 12),
    });
    expect(told({ policy: "thompson" })).toEqual({ policy: "thompson", sigma: expect.closeTo(rootOfLargest(arms.map((law) => law.variance)), 12) });
    expect(told({ policy: "moss" })).toEqual({ policy: "moss", horizon: 500 });
    expect(told({ policy: "robust-ucb", estimator: "catoni" }).sigma).toBe(told({ policy: "thompson" }).sigma);
    expect(entrantOf(DEFAULT_POLICY)).toMatchObject({ view: "as they are", told: "nothing" });
  });

  it("does not replace what its spec says", () => {
    expect(told({ policy: "thompson", sigma: 3 })).toEqual({ policy: "thompson", sigma: 3 });
    expect(entrantOf({ policy: "htinf", sigma: 3 }).told).toBe("alpha = 2");
  });

  it("is enough for every registered policy but those that ask for more", () => {
    const others = Object.keys(POLICIES).filter((policy) => {
      try {
        createPolicy(told({ policy }), environment.arms);
        return false;
      } catch {
        return true;
      }
    });
    expect(others).toEqual(["epsilon-greedy", "explore-then-commit"]);
  });

  function rootOfLargest(moments: number[]): number {
    return Math.sqrt(Math.max(...moments));
  }
});

describe("the policies", () => {
  it("are those that the guide recommends; the delayed one is for late feedback", () => {
    const guide = readFileSync(new URL("../../../docs/guides/choosing-a-policy.md", import.meta.url), "utf8");
    const rows = [...guide.slice(guide.indexOf("## Which one, then?")).matchAll(/^\| [^|]+ \| ([^|]+) \|/gm)];
    const named = rows.flatMap(([, take]) => [...take!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!));
    const recommended = RECOMMENDED.map(({ policy }) => policy);
    expect([...new Set(named)].filter((name) => name !== "delayed-tsallis-inf").sort()).toEqual([...recommended].sort());
    expect(recommended[0]).toBe(DEFAULT_POLICY.policy);
  });

  // Worlds and streams are fixed: the test fails if the policy has changed for the worse, never by chance.
  const count = soak(200, 1000);
  it(`the default is stuck in none of ${count} worlds, and nowhere near uniform play`, () => {
    const result = fuzzResult(DEFAULT_POLICY, playFuzz({ policy: DEFAULT_POLICY, first: 1, worlds: count, rounds: ROUNDS }));
    expect(result).toMatchObject({ played: count, stuck: 0, stuckWorlds: [] });
    expect(result.worst, `in world ${result.worstWorld}`).toBeLessThan(0.3);
  });

  it("uniform play has a share of 1 and is stuck wherever there are three arms; of two it plays each half of the time", () => {
    const runs = playFuzz({ policy: UNIFORM, first: 1, worlds: 60, rounds: ROUNDS });
    for (const { world, share, stuck } of runs) {
      expect(Math.abs(share - 1)).toBeLessThan(0.05);
      if (worlds[world - 1]!.laws.length > 2) expect(stuck, `in world ${world}`).toBe(true);
    }
    const result = fuzzResult(UNIFORM, runs);
    expect(result.stuck).toBeGreaterThan(45);
    expect(Math.abs(result.mean - 1)).toBeLessThan(0.01);
  });
});

describe("fuzzResult", () => {
  it("counts, and names the worlds", () => {
    const run = (world: number, share: number, stuck: boolean): FuzzRun => ({ world, share, stuck });
    expect(fuzzResult({ policy: "moss" }, [run(5, 0.25, false), run(6, 0.75, true), run(7, 0.5, false)])).toEqual({
      policy: "moss",
      worlds: "mapped to [0, 1]",
      told: "horizon",
      played: 3,
      stuck: 1,
      stuckWorlds: [6],
      mean: 0.5,
      q99: 0.745,
      worst: 0.75,
      worstWorld: 6,
    });
    expect(fuzzResult({ policy: "moss", horizon: 9 }, [run(5, 0.25, false)])).toMatchObject({
      policy: '{"policy":"moss","horizon":9}',
      told: "nothing",
    });
  });
});

describe("bench fuzz", () => {
  it("plays every policy in threads as in one thread, and the same again", async () => {
    const size = { worlds: 23, first: 8, rounds: 200 };
    const results = await fuzzed(RECOMMENDED, size, signal);
    expect(results).toEqual(RECOMMENDED.map((policy) => fuzzResult(policy, playFuzz({ policy, ...size }))));
    const text = fuzzTable(results);
    for (const { policy, worlds, told } of results)
      expect(text).toMatch(new RegExp(`│ ${policy} +│ +${literally(worlds)} │ +${literally(told)} │ +\\d+ │`));
    expect(text).not.toContain("NaN");
  });

  it("names some of the worlds in which a policy is stuck", () => {
    const runs = Array.from({ length: 12 }, (_, i) => ({ world: i + 1, share: 1, stuck: true }));
    const text = (count: number) => fuzzTable([fuzzResult(UNIFORM, runs.slice(0, count))]);
    expect(text(12)).toContain("\nuniform is stuck in worlds 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more, which --json lists\n");
    expect(text(1)).toContain("\nuniform is stuck in world 1\n");
    expect(text(2)).toContain("\nuniform is stuck in worlds 1, 2\n");
  });

  it("stops when its signal aborts", async () => {
    await expect(fuzzed(RECOMMENDED, { worlds: 1000, first: 1, rounds: ROUNDS }, AbortSignal.abort())).rejects.toThrow();
  });

  it("plays one world again, as JSON", async () => {
    const { code, stdout } = await bench("fuzz", "--policy", "uniform", "--first", "7", "--worlds", "1", "--json");
    expect(code).toBe(0);
    const parsed = JSON.parse(stdout) as FuzzResult[];
    expect(parsed).toEqual([fuzzResult(UNIFORM, playFuzz({ policy: UNIFORM, first: 7, worlds: 1, rounds: ROUNDS }))]);
    expect(Object.keys(parsed[0]!)).toEqual(["policy", "worlds", "told", "played", "stuck", "stuckWorlds", "mean", "q99", "worst", "worstWorld"]);
  });

  it("has help with examples", async () => {
    expect((await bench("fuzz", "--help")).stdout).toMatch(/^Examples:\n {2}\$ /m);
  });

  it.each([
    [["--worlds", "0"], "--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got 0"],
    [["--worlds", "1.5"], "--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got 1.5"],
    [["--worlds", "many"], '--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got "many"'],
    [["--first", "0"], "--first: ERR_PARAMETER: first must be an integer in [1, 1000000000], got 0"],
    [["--policy", "ucb"], "--policy: ERR_UNKNOWN_NAME: policy must be one of"],
    [["--policy", "{"], '--policy: ERR_JSON: not JSON: "{"; write it like'],
    [["--policy", "{}"], "--policy: ERR_MISSING: policy is missing"],
    [["--policy", "epsilon-greedy"], "--policy: ERR_MISSING: d is missing"],
    [["--policy", '{"policy":"htinf","alpha":3}'], "--policy: ERR_PARAMETER: alpha must be in (1, 2], got 3"],
    [["--policy", '{"policy":"moss","horizon":9}', "--worlds", "1"], "ERR_HORIZON: all 9 rounds are played; give a larger horizon (moss in world 1)"],
  ])("refuses %j in one line", async (args, message) => {
    const { code, stdout, stderr } = await bench("fuzz", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });
});

function literally(text: string): string {
  return text.replace(/[[\]()^]/g, "\\$&");
}

import { readFileSync } from "node:fs";
import { createDistribution, createPolicy, DEFAULT_POLICY, POLICIES, type PolicySpec } from "tsallis";
import { describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { fuzzed } from "../dist/fuzz/benchFuzz.js";
import { changesEnvironment } from "../dist/fuzz/changesEnvironment.js";
import { CHANGES, type Change, type ChangesWorld, createChangesWorld, LOSSES } from "../dist/fuzz/changesWorld.js";
import { entrantOf } from "../dist/fuzz/entrant.js";
import { type FuzzResult, fuzzResults } from "../dist/fuzz/fuzzResult.js";
import { fuzzTable } from "../dist/fuzz/fuzzTable.js";
import { KINDS, type Kind } from "../dist/fuzz/kinds.js";
import { type FuzzRun, playFuzz } from "../dist/fuzz/playFuzz.js";
import { createRareWorld, rareEnvironment } from "../dist/fuzz/rareWorld.js";
import { RECOMMENDED } from "../dist/fuzz/recommended.js";
import { ROUNDS, roundsOf } from "../dist/fuzz/rounds.js";
import { valuesEnvironment } from "../dist/fuzz/valuesEnvironment.js";
import { createValuesWorld, leastGap, type ValuesWorld } from "../dist/fuzz/valuesWorld.js";
import { bench } from "./command.js";

const { signal } = new AbortController();
const UNIFORM = { policy: "uniform" };
const worlds = Array.from({ length: 300 }, (_, i) => createValuesWorld(i + 1));

function results(kind: Kind, policy: PolicySpec, worlds: number): FuzzResult[] {
  return fuzzResults(kind, policy, playFuzz({ kind, policy, first: 1, worlds, rounds: roundsOf(kind) }));
}

/** The values of each arm and their probabilities, written out. */
function tableOf({ values, shift, distributions, constant }: ValuesWorld): { value: number; weight: number }[][] {
  return distributions.map((distribution, arm) =>
    arm === constant?.arm ? [{ value: constant.value + shift, weight: 1 }] : distribution.map((weight, i) => ({ value: values[i]! + shift, weight })),
  );
}

describe("a world of values", () => {
  it("is the same for the same number, and different for another", () => {
    for (const n of [1, 10, 77]) expect(createValuesWorld(n)).toEqual(worlds[n - 1]);
    expect(new Set(worlds.map(({ shift }) => shift)).size).toBe(worlds.length);
  });

  it("has 2 to 6 values, 2 to 20 arms, and all of these occur", () => {
    const counts = (of: (world: ValuesWorld) => number) => [...new Set(worlds.map(of))].sort((a, b) => a - b);
    expect(counts(({ values }) => values.length)).toEqual([2, 3, 4, 5, 6]);
    expect(counts(({ distributions }) => distributions.length)).toEqual(Array.from({ length: 19 }, (_, i) => i + 2));
    for (const { values, range, shift, distributions } of worlds) {
      expect(range).toBe(Math.max(...values) - Math.min(...values));
      expect(Math.abs(shift / range)).toBeLessThanOrEqual(100);
      for (const distribution of distributions) expect(distribution.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    }
  });

  it("has means that agree with a direct sum", () => {
    for (const world of worlds) {
      const environment = valuesEnvironment(world, "as they are");
      const largest = world.range + Math.max(...world.values.map((value) => Math.abs(value + world.shift)));
      for (const [arm, rows] of tableOf(world).entries()) {
        const direct = rows.reduce((sum, { value, weight }) => sum + value * weight, 0);
        expect(Math.abs(environment.mean(1, arm) - direct)).toBeLessThan(1e-14 * largest);
      }
    }
  });

  it("has losses with these means: within five standard errors", () => {
    for (const world of worlds.slice(0, 30)) {
      const environment = valuesEnvironment(world, "mapped to [0, 1]");
      for (let arm = 0; arm < environment.arms; arm++) {
        let sum = 0;
        for (let round = 1; round <= 2000; round++) sum += environment.loss(round, arm);
        const error = Math.sqrt(environment.distribution(1, arm).variance / 2000);
        expect(Math.abs(sum / 2000 - environment.mean(1, arm))).toBeLessThanOrEqual(5 * error + 1e-12);
      }
    }
  });

  it("has a best arm that is ahead by 5 % of the range, 10 % with more than 8 arms", () => {
    for (const world of worlds) {
      const ahead = Math.min(...valuesEnvironment(world, "mapped to [0, 1]").gaps!.filter((gap) => gap > 0));
      expect(valuesEnvironment(world, "as they are").gaps!.filter((gap) => gap === 0)).toHaveLength(1);
      expect(ahead).toBeGreaterThan((world.distributions.length > 8 ? 0.1 : 0.05) - 1e-9);
    }
    expect([leastGap(8), leastGap(9)]).toEqual([0.05, 0.1]);
  });

  it("has a constant arm if its number is a multiple of ten, and otherwise none", () => {
    for (const world of worlds) {
      const environment = valuesEnvironment(world, "as they are");
      const still = world.distributions.flatMap((_, arm) => (environment.distribution(1, arm).variance === 0 ? [arm] : []));
      expect(still).toEqual(world.number % 10 === 0 ? [world.constant!.arm] : []);
      if (world.constant === null) continue;
      expect(world.constant.value).toBeGreaterThanOrEqual(world.lowest);
      expect(world.constant.value).toBeLessThanOrEqual(world.lowest + world.range);
      expect(new Set(Array.from({ length: 50 }, (_, i) => environment.loss(i + 1, world.constant!.arm))).size).toBe(1);
    }
  });

  it("draws the same in every view, and stays in [0, 1] or above 0 if that is promised", () => {
    for (const world of worlds.slice(0, 30)) {
      const [plain, mapped, shifted] = [
        valuesEnvironment(world, "as they are"),
        valuesEnvironment(world, "mapped to [0, 1]"),
        valuesEnvironment(world, "shifted to be non-negative"),
      ];
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

describe("a world of rare events", () => {
  const worlds = Array.from({ length: 300 }, (_, i) => createRareWorld(i + 1));

  it("is the same for the same number, and different for another", () => {
    for (const n of [1, 10, 77]) expect(createRareWorld(n)).toEqual(worlds[n - 1]);
    expect(new Set(worlds.map(({ arms }) => arms[0]!.mean)).size).toBe(worlds.length);
  });

  it("has 2 to 10 arms, with gains and disasters of 1 to 100, once in 2 to 502 plays", () => {
    expect([...new Set(worlds.map(({ arms }) => arms.length))].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const arms = worlds.flatMap(({ arms }) => arms);
    for (const { probability, size } of arms) {
      expect(probability).toBeGreaterThan(1 / 502);
      expect(probability).toBeLessThan(1 / 3);
      expect(Math.abs(size)).toBeGreaterThanOrEqual(1);
      expect(Math.abs(size)).toBeLessThan(100);
    }
    const gains = arms.filter(({ size }) => size < 0).length;
    expect(Math.abs(gains / arms.length - 0.5)).toBeLessThan(0.1);
  });

  it("has a best arm that is ahead by a tenth of the largest deviation, and knows whether that is by its rare gains", () => {
    for (const world of worlds) {
      const environment = rareEnvironment(world);
      const distributions = world.arms.map((_, arm) => environment.distribution(1, arm));
      const gaps = environment.gaps!;
      const best = gaps.indexOf(0);
      const ahead = Math.min(...gaps.filter((_, arm) => arm !== best));
      expect(ahead / Math.sqrt(Math.max(...distributions.map(({ variance }) => variance)))).toBeGreaterThan(0.1 - 1e-9);
      const { mean, probability, size } = world.arms[best]!;
      expect(environment.mean(1, best)).toBeCloseTo(mean + probability * size, 9);
      const without = environment.gaps!.every((gap, arm) => arm === best || environment.mean(1, best) + gap > mean);
      expect(world.wonByRareGains).toBe(!without);
    }
    const won = worlds.filter(({ wonByRareGains }) => wonByRareGains).length;
    expect(won).toBeGreaterThan(75);
    expect(won).toBeLessThan(200);
  });
});

describe("a world of changes", () => {
  const worlds = Array.from({ length: 300 }, (_, i) => createChangesWorld(i + 1));
  const of = (change: Change) => worlds.filter((world) => world.change === change);
  const meansOf = ({ arms, mean }: ChangesWorld, round: number) => Array.from({ length: arms }, (_, arm) => mean(round, arm));
  const bestOf = (means: number[]) => means.indexOf(Math.min(...means));
  const differ = (a: number[], b: number[]) => a.flatMap((mean, arm) => (Math.abs(mean - b[arm]!) > 1e-9 ? [arm] : []));

  it("is the same for the same number, and different for another", () => {
    for (const n of [1, 10, 77]) expect(meansOf(createChangesWorld(n), 9999)).toEqual(meansOf(worlds[n - 1]!, 9999));
    expect(new Set(worlds.map((world) => meansOf(world, ROUNDS).join())).size).toBe(worlds.length);
  });

  it("has 2 to 10 arms, and every change comes with every distribution", () => {
    expect([...new Set(worlds.map(({ arms }) => arms))].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const pairs = worlds.slice(0, CHANGES.length * LOSSES.length).map(({ change, losses }) => `${change} ${losses}`);
    expect(new Set(pairs).size).toBe(CHANGES.length * LOSSES.length);
  });

  it("has losses around its means: within five standard errors, or by their median", () => {
    for (const world of worlds.slice(0, 45)) {
      const environment = changesEnvironment(world);
      const { quantile } = createDistribution(world.noise);
      let below = 0;
      let sum = 0;
      for (let round = 1; round <= ROUNDS; round += 5) {
        const mean = world.mean(round, 1);
        expect(environment.mean(round, 1)).toBe(mean);
        const loss = environment.loss(round, 1);
        if (loss < world.loss(mean, quantile(0.5))) below++;
        sum += loss - mean;
      }
      if (world.losses === "bernoulli") expect(Math.abs(sum)).toBeLessThan(5 * Math.sqrt(ROUNDS / 5 / 4));
      else expect(Math.abs(below - ROUNDS / 10)).toBeLessThan(5 * Math.sqrt(ROUNDS / 5 / 4));
    }
  });

  it("stays in (0, 1) if losses are Bernoulli", () => {
    for (const world of worlds.filter(({ losses }) => losses === "bernoulli")) {
      for (let round = 1; round <= ROUNDS; round += 97) {
        for (const mean of meansOf(world, round)) expect(mean > 0.04 && mean < 0.96, `${world.number}`).toBe(true);
      }
    }
  });

  it("swap: two arms change places every 2,000 to 10,000 rounds, the best among them", () => {
    for (const world of of("swap")) {
      const first = meansOf(world, 1);
      const switches = Array.from({ length: ROUNDS - 1 }, (_, i) => i + 2).filter(
        (round) => world.mean(round, bestOf(first)) !== world.mean(round - 1, bestOf(first)),
      );
      expect(switches.length).toBeGreaterThan(0);
      expect(switches[0]! - 1).toBeGreaterThan(1990);
      expect(switches.every((round, i) => round - 1 === (i + 1) * (switches[0]! - 1))).toBe(true);
      const second = meansOf(world, switches[0]!);
      expect(differ(first, second)).toHaveLength(2);
      expect(differ(first, second)).toContain(bestOf(first));
      expect([...second].sort()).toEqual([...first].sort());
    }
  });

  it.each([
    ["fall", (before: number[]) => bestOf(before), (after: number[], arm: number) => after[arm] === Math.max(...after)],
    ["rise", (_: number[], after: number[]) => bestOf(after), (after: number[], arm: number) => bestOf(after) === arm],
  ] as const)("%s: one arm changes its level, at one moment before three fifths of the rounds", (change, changing, holds) => {
    for (const world of of(change)) {
      const [before, after] = [meansOf(world, 2000), meansOf(world, 12_001)];
      const arm = changing(before, after);
      expect(differ(before, after)).toEqual([arm]);
      expect(bestOf(before)).not.toBe(bestOf(after));
      expect(holds(after, arm)).toBe(true);
      expect(meansOf(world, ROUNDS)).toEqual(after);
      expect(meansOf(world, 1)).toEqual(before);
    }
  });

  it("drift: levels move slowly, and another arm is the best in the end", () => {
    for (const world of of("drift")) {
      expect(bestOf(meansOf(world, 1))).not.toBe(bestOf(meansOf(world, ROUNDS)));
      expect(meansOf(world, 14_001)).toEqual(meansOf(world, ROUNDS));
      const [a, b] = [meansOf(world, 7000), meansOf(world, 7001)];
      for (let arm = 0; arm < world.arms; arm++) expect(Math.abs(a[arm]! - b[arm]!)).toBeLessThan(10 / (0.2 * ROUNDS) + 1e-9);
      expect(differ(a, meansOf(world, 9000))).toHaveLength(world.arms);
    }
  });

  it("common: levels move, and gaps do not", () => {
    for (const world of of("common")) {
      const gaps = (round: number) => meansOf(world, round).map((mean) => mean - world.mean(round, 0));
      const rounds = Array.from({ length: 200 }, (_, i) => 100 * i + 1);
      for (const round of rounds.slice(1)) expect(differ(gaps(1), gaps(round))).toEqual([]);
      const levels = rounds.map((round) => world.mean(round, 0));
      expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(0.2);
    }
  });
});

describe("what a policy requires", () => {
  const environment = valuesEnvironment(createValuesWorld(1), "mapped to [0, 1]");
  const told = (spec: PolicySpec) => entrantOf(spec, "values").spec(environment, 500);

  it("is the truth", () => {
    const arms = Array.from({ length: environment.arms }, (_, arm) => environment.distribution(1, arm));
    expect(told({ policy: "htinf" })).toEqual({
      policy: "htinf",
      alpha: 2,
      sigma: expect.closeTo(rootOfLargest(arms.map((distribution) => distribution.absoluteMoment(2))), 12),
    });
    expect(told({ policy: "thompson" })).toEqual({
      policy: "thompson",
      sigma: expect.closeTo(rootOfLargest(arms.map((distribution) => distribution.variance)), 12),
    });
    expect(told({ policy: "moss" })).toEqual({ policy: "moss", horizon: 500 });
    expect(told({ policy: "robust-ucb", estimator: "catoni" }).sigma).toBe(told({ policy: "thompson" }).sigma);
    expect(entrantOf(DEFAULT_POLICY, "values")).toMatchObject({ view: "as they are", requires: "nothing" });
  });

  it("does not replace what its spec says", () => {
    expect(told({ policy: "thompson", sigma: 3 })).toEqual({ policy: "thompson", sigma: 3 });
    expect(entrantOf({ policy: "htinf", sigma: 3 }, "values").requires).toBe("alpha = 2");
  });

  it("is only the horizon where levels change; the losses of rare events and changes are the same for all", () => {
    expect(entrantOf({ policy: "omd-lb-ht" }, "rare").requires).toBe("alpha = 2, sigma = largest sqrt(E X^2), horizon");
    expect(entrantOf({ policy: "omd-lb-ht" }, "changes").requires).toBe("horizon");
    for (const policy of ["moss", "htinf"])
      for (const kind of ["rare", "changes"] as const) expect(entrantOf({ policy }, kind).view).toBe("as they are");
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
    const [result] = results("values", DEFAULT_POLICY, count);
    expect(result).toMatchObject({ played: count, stuck: 0, stuckWorlds: [] });
    expect(result!.worst, `in world ${result!.worstWorld}`).toBeLessThan(0.3);
  });

  const rare = soak(40, 400);
  // In world 273 some 80 plays of the best arm do not show its gain: the counter-example that is known among these.
  const missed = [273].filter((world) => world <= rare);
  it(`the default is stuck in ${missed.length} of ${rare} worlds of rare events, and in none that is not won by rare gains`, () => {
    const [all, won, others] = results("rare", DEFAULT_POLICY, rare);
    expect(all).toMatchObject({ played: rare, stuck: missed.length, stuckWorlds: missed });
    expect(won!.played).toBeGreaterThan(rare / 4);
    expect(others!.worst, `in world ${others!.worstWorld}`).toBeLessThan(0.3);
  });

  // Not every change can be noticed in time. In the worlds 1 to 180, 26 were stuck when this was written, with a mean share of 0.197.
  it("the default learns again in most worlds of changes", () => {
    const [all] = results("changes", DEFAULT_POLICY, soak(45, 180));
    expect(all!.mean).toBeLessThan(0.3);
    expect(all!.stuck / all!.played).toBeLessThan(0.25);
  });

  it("uniform play has a share of 1 and is stuck everywhere", () => {
    for (const kind of KINDS) {
      const runs = playFuzz({ kind, policy: UNIFORM, first: 1, worlds: 60, rounds: ROUNDS });
      for (const { share } of runs) expect(Math.abs(share - 1)).toBeLessThan(0.05);
      const [result] = fuzzResults(kind, UNIFORM, runs);
      expect(result!.stuck).toBe(60);
      expect(Math.abs(result!.mean - 1)).toBeLessThan(0.01);
    }
  });
});

describe("fuzzResults", () => {
  const run = (world: number, share: number, stuck: boolean, part?: string): FuzzRun => ({
    world,
    ...(part !== undefined && { part }),
    share,
    stuck,
  });

  it("count, and name the worlds", () => {
    expect(fuzzResults("values", { policy: "moss" }, [run(5, 0.25, false), run(6, 0.75, true), run(7, 0.5, false)])).toEqual([
      {
        kind: "values",
        policy: "moss",
        worlds: "mapped to [0, 1]",
        requires: "horizon",
        played: 3,
        stuck: 1,
        stuckWorlds: [6],
        mean: 0.5,
        q99: 0.745,
        worst: 0.75,
        worstWorld: 6,
      },
    ]);
    expect(fuzzResults("values", { policy: "moss", horizon: 9 }, [run(5, 0.25, false)])).toMatchObject([
      { policy: '{"policy":"moss","horizon":9}', requires: "nothing" },
    ]);
  });

  it("are those of all worlds, and of each part that was played", () => {
    const runs = [run(1, 0.5, true, "others"), run(2, 1.5, false, "won by rare gains")];
    expect(fuzzResults("rare", UNIFORM, runs)).toMatchObject([
      { worlds: "all", played: 2, stuckWorlds: [1], mean: 1 },
      { worlds: "won by rare gains", played: 1, stuckWorlds: [], mean: 1.5 },
      { worlds: "others", played: 1, stuckWorlds: [1], mean: 0.5 },
    ]);
    expect(fuzzResults("rare", UNIFORM, runs.slice(0, 1)).map(({ worlds }) => worlds)).toEqual(["all", "others"]);
  });
});

describe("bench fuzz", () => {
  it("plays every policy in threads as in one thread, and the same again", async () => {
    const size = { worlds: 23, first: 8, rounds: 200 };
    const entries = KINDS.map((kind) => ({ kind, policies: kind === "values" ? RECOMMENDED : [DEFAULT_POLICY, UNIFORM] }));
    const results = await fuzzed(entries, size, signal);
    const alone = entries.flatMap(({ kind, policies }) =>
      policies.flatMap((policy) => fuzzResults(kind, policy, playFuzz({ kind, policy, ...size }))),
    );
    expect(results).toEqual(alone);
    const text = fuzzTable(results);
    expect(text).toMatch(/^23 random worlds of each kind, 20,000 rounds \(values\), 50,000 rounds \(rare\), 20,000 rounds \(changes\) each\n/);
    for (const { kind, policy, worlds, requires } of results)
      expect(text).toMatch(new RegExp(`│ ${kind} +│ +${policy} +│ +${literally(worlds)} │ +${literally(requires)} │ +\\d+ │ +\\d+ │`));
    expect(text).not.toContain("NaN");
  });

  it("names some of the worlds in which a policy is stuck", () => {
    const runs = Array.from({ length: 12 }, (_, i) => ({ world: i + 1, share: 1, stuck: true }));
    const text = (count: number) => fuzzTable(fuzzResults("values", UNIFORM, runs.slice(0, count)));
    expect(text(12)).toContain("\nvalues: uniform is stuck in worlds 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more, which --json lists\n");
    expect(text(1)).toContain("\nvalues: uniform is stuck in world 1\n");
    expect(text(2)).toContain("\nvalues: uniform is stuck in worlds 1, 2\n");
  });

  it("stops when its signal aborts", async () => {
    await expect(
      fuzzed([{ kind: "values", policies: RECOMMENDED }], { worlds: 1000, first: 1, rounds: ROUNDS }, AbortSignal.abort()),
    ).rejects.toThrow();
  });

  it("plays one world again, as JSON", async () => {
    const { code, stdout } = await bench("fuzz", "--kind", "values", "--policy", "uniform", "--first", "7", "--worlds", "1", "--json");
    expect(code).toBe(0);
    const parsed = JSON.parse(stdout) as FuzzResult[];
    expect(parsed).toEqual(fuzzResults("values", UNIFORM, playFuzz({ kind: "values", policy: UNIFORM, first: 7, worlds: 1, rounds: ROUNDS })));
    expect(Object.keys(parsed[0]!)).toEqual([
      "kind",
      "policy",
      "worlds",
      "requires",
      "played",
      "stuck",
      "stuckWorlds",
      "mean",
      "q99",
      "worst",
      "worstWorld",
    ]);
  });

  it("plays all kinds if none is given", async () => {
    const { stdout } = await bench("fuzz", "--policy", "uniform", "--worlds", "1", "--json");
    const parsed = JSON.parse(stdout) as FuzzResult[];
    expect(parsed.filter(({ worlds }) => worlds === "all" || worlds === "as they are").map(({ kind }) => kind)).toEqual([...KINDS]);
  });

  it("has help with examples", async () => {
    expect((await bench("fuzz", "--help")).stdout).toMatch(/^Examples:\n {2}\$ /m);
  });

  it.each([
    [["--worlds", "0"], "--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got 0"],
    [["--worlds", "1.5"], "--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got 1.5"],
    [["--worlds", "many"], '--worlds: ERR_PARAMETER: worlds must be an integer in [1, 1000000], got "many"'],
    [["--first", "0"], "--first: ERR_PARAMETER: first must be an integer in [1, 1000000000], got 0"],
    [["--kind", "rares"], "ERR_USAGE: option '--kind <kind>' argument 'rares' is invalid. Allowed choices are values, rare, changes"],
    [["--policy", "htinf"], "--policy, in worlds of changes: ERR_MISSING: alpha is missing"],
    [["--policy", "ucb"], "--policy: ERR_UNKNOWN_NAME: policy must be one of"],
    [["--policy", "{"], '--policy: ERR_JSON: not JSON: "{"; write it like'],
    [["--policy", "{}"], "--policy: ERR_MISSING: policy is missing"],
    [["--policy", "epsilon-greedy"], "--policy: ERR_MISSING: d is missing"],
    [["--policy", '{"policy":"htinf","alpha":3}'], "--policy: ERR_PARAMETER: alpha must be in (1, 2], got 3"],
    [
      ["--policy", '{"policy":"moss","horizon":9}', "--worlds", "1"],
      "ERR_HORIZON: all 9 rounds are played; give a larger horizon, or use a policy that needs none, such as ada2tinf (moss in world 1)",
    ],
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

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createEnvironment, ENVIRONMENTS, type Environment, registerEnvironment } from "tsallis";
import { afterAll, describe, expect, it } from "vitest";
import { cellsOf } from "../src/analysis/cells.js";
import { compareOutcomes } from "../src/analysis/compare.js";
import { yardstickOf } from "../src/analysis/yardstick.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { resolveRun } from "../src/document/resolveRun.js";
import { runsOf } from "../src/document/runs.js";
import { inlineExecutor } from "../src/executors/inlineExecutor.js";
import { readResults } from "../src/journal/readResults.js";
import { writeResults } from "../src/report/writeResults.js";
import type { Trace } from "../src/run/runResult.js";
import { runExperiment } from "../src/runExperiment.js";
import { uniformRegret } from "../src/theory/uniformRegret.js";
import { completed, makeTrace } from "./outcomes.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-learned-"));
afterAll(() => rmSync(folder, { recursive: true }));

const constant = (value: number) => ({ distribution: "constant", value });
const bernoulli = (p: number) => ({ distribution: "bernoulli", p });

describe("what uniform play has in expectation", () => {
  const at = (spec: object, from: number, to: number, seed = 1) => uniformRegret(createEnvironment(spec, seed), { from, to });

  it("is the mean gap, summed over the rounds", () => {
    // Gaps 0, 1, 2: a mean of 1.
    expect(at({ environment: "stochastic", alpha: 2, arms: [constant(5), constant(6), constant(7)] }, 50, 100)).toBe(50);
    // Gaps 0 and 4 in rounds 51 to 60, 1 and 0 in 61 to 100.
    const turning = { environment: "switching", alpha: 2, period: 60, arms: [constant(1), constant(5)], alternate: [constant(3), constant(2)] };
    expect(at(turning, 50, 100)).toBe(10 * 2 + 40 * 0.5);
    expect(
      at(
        {
          environment: "replay",
          alpha: 2,
          losses: [
            [1, 2],
            [3, 3],
            [9, 4],
          ],
        },
        1,
        3,
      ),
    ).toBe(2.5);
  });

  it("is 0 where all arms are alike, however their means were computed", () => {
    const alike = { environment: "stochastic", alpha: 2, arms: [constant(0.3), { distribution: "shifted", by: 0.1, of: constant(0.2) }] };
    expect(createEnvironment(alike, 1).mean(1, 0)).not.toBe(createEnvironment(alike, 1).mean(1, 1));
    expect(at(alike, 10, 20)).toBe(0);
  });

  it("does not depend on which arm the seed hides", () => {
    const hidden = { environment: "lower-bound", alpha: 1.5, arms: 10, gap: 0.3 };
    for (let seed = 1; seed < 9; seed++) expect(at(hidden, 100, 200, seed)).toBeCloseTo(100 * 0.3 * 0.9, 10);
  });

  it("property: agrees with the environment's own gaps", () => {
    const distribution = fc.record({ distribution: fc.constant("normal"), mean: fc.integer({ min: -9, max: 9 }), deviation: fc.constant(1) });
    const pair = fc.tuple(fc.array(distribution, { minLength: 3, maxLength: 3 }), fc.array(distribution, { minLength: 3, maxLength: 3 }));
    const spec = fc.tuple(pair, fc.integer({ min: 1, max: 30 }), fc.nat({ max: 3 })).map(([[arms, alternate], span, kind]) =>
      [
        { environment: "stochastic", alpha: 2, arms },
        { environment: "switching", alpha: 2, arms, alternate, period: span },
        { environment: "drifting", alpha: 2, arms, alternate, rounds: span },
        { environment: "corrupted", alpha: 2, arms, budget: span, start: 5 },
      ].at(kind),
    );
    fc.assert(
      fc.property(spec, fc.integer({ min: 0, max: 20 }), (given, from) => {
        const environment = createEnvironment(given, 1);
        let sum = 0;
        for (let round = from + 1; round <= 40; round++) for (let arm = 0; arm < 3; arm++) sum += environment.gap(round, arm) / 3;
        expect(uniformRegret(environment, { from, to: 40 })).toBeCloseTo(sum, 9);
      }),
    );
  });

  it("asks for each mean once, and in a stochastic world for one round alone", () => {
    const arms = Array.from({ length: 1000 }, (_, arm) => constant(arm));
    const counted = (environment: Environment) => {
      let calls = 0;
      const watched = { ...environment, mean: (round: number, arm: number) => ++calls && environment.mean(round, arm) };
      uniformRegret(watched, { from: 14_000, to: 20_000 });
      return calls;
    };
    expect(counted(createEnvironment({ environment: "stochastic", alpha: 2, arms }, 1))).toBe(1000);
    const moving = { environment: "drifting", alpha: 2, arms, alternate: [...arms].reverse(), rounds: 20_000 };
    expect(counted(createEnvironment(moving, 1))).toBe(6000 * 1000);
  });
});

describe("of the cells of an experiment", () => {
  const document = {
    name: "cells",
    horizon: 100,
    seeds: 4,
    environments: { still: { environment: "stochastic", alpha: 2, arms: [constant(0), constant(1)] } },
    policies: { a: { policy: "uniform" }, b: { policy: "uniform" } },
  };
  const traceOf = (round: number[], ...dynamicRegret: number[]): Trace => ({ ...makeTrace(1, 1, round), dynamicRegret });

  it("in a sweep is right at every value", () => {
    const experiment = completeExperiment({ ...document, sweep: { path: "environments.still.arms[1].value", values: [1, 10] } });
    const runs = runsOf(experiment);
    // 5 or 8 more in the last 20 rounds: half of uniform play's is 5 and 50. In all rounds, uniform play has 50 and 500.
    const results = new Map(runs.map((run) => [run.id, completed(run, traceOf([1, 80, 100], 0, 3, run.seed <= 2 ? 8 : 11))]));
    const yardstick = yardstickOf(experiment);
    expect(cellsOf(runs, results).map((cell) => [cell.id, yardstick(cell)])).toEqual([
      ["still/a/1", { share: 0.19, stuck: 0.5 }],
      ["still/a/10", { share: 0.019, stuck: 0 }],
      ["still/b/1", { share: 0.19, stuck: 0.5 }],
      ["still/b/10", { share: 0.019, stuck: 0 }],
    ]);
  });

  it("goes by the rounds that a swept horizon has, down to one round", () => {
    const experiment = completeExperiment({ ...document, sweep: { path: "horizon", values: [1, 100, 1000] } });
    const runs = runsOf(experiment);
    const traceTo = (horizon: number) => (horizon === 1 ? traceOf([1], 1) : traceOf([1, horizon * 0.8, horizon], 0, 0, 6));
    const results = new Map(runs.map((run) => [run.id, completed(run, traceTo(Number(run.sweep!.value)))]));
    const yardstick = yardstickOf(experiment);
    expect(cellsOf(runs, results).map((cell) => [cell.id, yardstick(cell)])).toEqual(
      ["a", "b"].flatMap((policy) => [
        [`still/${policy}/1`, { share: 2, stuck: 1 }],
        [`still/${policy}/100`, { share: 0.12, stuck: 1 }],
        [`still/${policy}/1000`, { share: 0.012, stuck: 0 }],
      ]),
    );
  });

  it("counts the regret of moving arms round by round", () => {
    const arms = [constant(0), constant(1)];
    const moving = { environment: "switching", alpha: 2, period: 90, arms, alternate: [constant(3), constant(0)] };
    const experiment = completeExperiment({ ...document, environments: { moving } });
    const runs = runsOf(experiment).filter(({ policy }) => policy === "a");
    // Uniform play has half of 90 x 1 + 10 x 3 in all, and half of 10 x 1 + 10 x 3 in the last fifth.
    const results = new Map(runs.map((run) => [run.id, completed(run, traceOf([1, 80, 100], 0, 20, run.seed === 1 ? 31 : 30))]));
    expect(cellsOf(runs, results).map(yardstickOf(experiment))).toEqual([{ share: 30.25 / 60, stuck: 0.25 }]);
  });

  it("makes an environment once for all policies and seeds", () => {
    let made = 0;
    registerEnvironment("counted", {
      parameters: {},
      description: "counts how often it is made",
      create: (_, seed) => {
        made++;
        return createEnvironment(document.environments.still, seed);
      },
    });
    const experiment = { ...completeExperiment(document), environments: { still: { environment: "counted" } } };
    const runs = runsOf(experiment);
    const cells = cellsOf(runs, new Map(runs.map((run) => [run.id, completed(run, traceOf([1, 80, 100], 0, 0, 50))])));
    const yardstick = yardstickOf(experiment);
    expect(cells.map(yardstick)).toEqual([1, 2].map(() => ({ share: 1, stuck: 1 })));
    expect(made).toBe(1);
    // Read back without the module.
    delete (ENVIRONMENTS as Record<string, unknown>).counted;
    expect(cells.map(yardstickOf(experiment))).toEqual([1, 2].map(() => ({ share: null, stuck: null })));
    expect(cells.map(yardstick)).toEqual([1, 2].map(() => ({ share: 1, stuck: 1 })));
  });

  it("is unknown where no run completed, and where no arm is better", () => {
    const alike = { environment: "stochastic", alpha: 2, arms: [constant(1), constant(1)] };
    const experiment = completeExperiment({ ...document, environments: { alike } });
    const runs = runsOf(experiment).filter(({ policy }) => policy === "a");
    const yardstick = yardstickOf(experiment);
    const unknown = [{ share: null, stuck: null }];
    expect(cellsOf(runs, new Map()).map(yardstick)).toEqual(unknown);
    expect(cellsOf(runs, new Map(runs.map((run) => [run.id, completed(run, traceOf([1, 80, 100], 0, 0, 0))]))).map(yardstick)).toEqual(unknown);
  });
});

describe("end to end", () => {
  const experiment = completeExperiment({
    name: "stuck",
    horizon: 2000,
    seeds: 30,
    checkpoints: 30,
    environments: {
      coins: { environment: "stochastic", alpha: 2, arms: [bernoulli(0.7), bernoulli(0.3), bernoulli(0.7)], rotate: true },
      alike: { environment: "stochastic", alpha: 2, arms: [bernoulli(0.5), bernoulli(0.5)] },
    },
    policies: { leader: { policy: "follow-the-leader" }, uniform: { policy: "uniform" }, careful: { policy: "ucb1" } },
  });
  const frozen = freezeExperiment(experiment);
  const played = runExperiment(frozen, { directory: folder, executor: inlineExecutor, signal: new AbortController().signal });

  it("uniform play is stuck, UCB1 is not, and follow the leader is stuck where its plays say so", async () => {
    const { rows, rankings } = await played;
    const { results } = readResults(folder);
    const stuck = runsOf(experiment).filter((run) => {
      const result = results.get(run.id)!;
      if (run.environment !== "coins" || run.policy !== "leader" || result.status !== "completed") return false;
      // Gaps of 0.4 on two of three arms: half of uniform play's regret is a third of the rounds off the best arm.
      const { round, plays } = result.trace;
      const better = plays![1]!;
      return 400 - (better.at(-1)! - better[round.indexOf(1600)]!) > 400 / 3;
    }).length;
    expect(stuck).toBeGreaterThan(2);
    expect(stuck).toBeLessThan(28);
    const shares = (environment: string) =>
      Object.fromEntries(rows.filter((row) => row.environment === environment).map((row) => [row.policy, row.stuck]));
    expect(shares("coins")).toEqual({ leader: stuck / 30, uniform: 1, careful: 0 });
    const uniform = rows.find((row) => row.environment === "coins" && row.policy === "uniform")!;
    // 2000 rounds with a standard deviation of 0.19 each, 30 times: 0.004 of the expected 533; five of these.
    expect(Math.abs(uniform.share! - 1)).toBeLessThan(0.02);
    expect(shares("alike")).toEqual({ leader: null, uniform: null, careful: null });
    expect(rankings[0]!.entries.map(({ policy, stuck: share }) => [policy, share])).toContainEqual(["leader", stuck / 30]);
    const lines = readFileSync(join(folder, "ranking.csv"), "utf8")
      .split("\r\n")
      .map((line) => line.split(","));
    const column = lines[0]!.indexOf("stuck");
    expect(lines.filter(([, , , , , policy]) => policy === "uniform").map((line) => line[column])).toEqual(["1", ""]);
  });

  it("a folder that is read back says the same, and so does a comparison", async () => {
    const { rows } = await played;
    const before = readFileSync(join(folder, "summary.json"), "utf8");
    const { frozen: again, results } = readResults(folder);
    expect((await writeResults(folder, again, results)).rows).toEqual(rows);
    expect(readFileSync(join(folder, "summary.json"), "utf8")).toBe(before);
    const outcome = { frozen: again, runs: runsOf(again.experiment), results };
    const { cells } = compareOutcomes(outcome, outcome);
    expect(cells.find(({ id }) => id === "coins/uniform")!.stuck).toEqual([1, 1]);
    expect(resolveRun(experiment, outcome.runs[0]!).rotation).toBe(1);
  });
});

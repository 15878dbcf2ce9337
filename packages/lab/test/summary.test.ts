import { createEnvironment, type PolicySpec } from "tsallis";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analysis/analysis.js";
import type { Run } from "../src/document/run.js";
import { summaryJson } from "../src/export/summaryJson.js";
import type { RunResult } from "../src/run/runResult.js";
import { applicableBounds } from "../src/theory/applicableBounds.js";
import { completed, DOCUMENT, failed, makeOutcome, makeTrace, pareto, ROUNDS } from "./outcomes.js";

describe("summary", () => {
  const { frozen, runs, results } = makeOutcome(DOCUMENT, ({ policy, seed }) => (policy === "uniform" && seed < 4 ? null : 1));
  const { rows } = analyse(frozen, results);

  it("has the keys of the contract, in their order", () => {
    expect(Object.keys(rows[0]!)).toEqual([
      ...["environment", "policy", "seeds", "failed", "horizon", "checkpoints", "share", "stuck", "bound", "boundId", "note", "exponent"],
    ]);
    expect(Object.keys(rows[0]!.checkpoints[0]!)).toEqual([
      ...["round", "mean", "low", "high", "median", "q10", "q90", "realizedMean", "skipRate", "bestArmShare", "dynamicMean"],
    ]);
    expect(Object.keys(rows[0]!.exponent!)).toEqual(["estimate", "low", "high", "theory"]);
  });

  it("has a row per cell, sorted by id, and counts failures", () => {
    expect(rows.map(({ environment, policy }) => `${environment}/${policy}`)).toEqual([
      ...["steady/adatinf", "steady/htinf", "steady/uniform", "turning/adatinf", "turning/htinf", "turning/uniform"],
    ]);
    expect(rows.map((row) => [row.seeds, row.failed])).toEqual([20, 20, 17, 20, 20, 17].map((seeds) => [seeds, 20 - seeds]));
    expect(rows.every(({ horizon }) => horizon === 10_000)).toBe(true);
  });

  it("agrees with naive definitions", () => {
    const finals = runs
      .filter(({ environment, policy }) => environment === "steady" && policy === "htinf")
      .map(({ id }) => {
        const result = results.get(id)!;
        return result.status === "completed" ? result.trace.pseudoRegret.at(-1)! : Number.NaN;
      })
      .sort((a, b) => a - b);
    const last = rows[1]!.checkpoints.at(-1)!;
    expect(last.round).toBe(10_000);
    expect(last.mean).toBeCloseTo(finals.reduce((a, b) => a + b) / 20, 9);
    expect(last.realizedMean).toBeCloseTo(last.mean - 1, 9);
    expect(last.median).toBeCloseTo((finals[9]! + finals[10]!) / 2, 9);
    expect(last.q10).toBeCloseTo(finals[1]! + 0.9 * (finals[2]! - finals[1]!), 9);
    expect(last.q90).toBeCloseTo(finals[17]! + 0.1 * (finals[18]! - finals[17]!), 9);
    expect(last.low).toBeLessThan(last.mean);
    expect(last.high).toBeGreaterThan(last.mean);
    expect(last.skipRate).toBeCloseTo(0.1, 12);
    expect(last.bestArmShare).toBeCloseTo(0.5, 12);
    expect(rows[1]!.exponent!.estimate).toBeCloseTo(0.6, 12);
  });

  it("carries the smallest bound and exponent that apply, or says why none does", () => {
    const row = (environment: string, policy: string) => rows.find((r) => r.environment === environment && r.policy === policy)!;
    // Fixed gaps: the logarithmic bound has exponent 0, though the other one is smaller at this horizon.
    expect(row("steady", "htinf").exponent!.theory).toBe(0);
    expect(row("steady", "htinf").boundId).toBe("htinf/adversarial");
    expect(row("turning", "htinf").exponent!.theory).toBeCloseTo(1 / 1.5, 15);
    expect(row("turning", "adatinf").boundId).toBe("adatinf/adversarial");
    expect(row("turning", "adatinf").bound).toBeGreaterThan(0);
    expect(row("turning", "adatinf").note).toBeNull();
    expect(row("steady", "uniform")).toMatchObject({ bound: null, boundId: null, note: "no bound is known for this policy" });
    expect(row("steady", "uniform").exponent!.theory).toBeNull();
  });

  it("keeps the curves of the first 20 seeds behind a mean, outside of sweeps", () => {
    const document = { ...DOCUMENT, seeds: 25 };
    const many = makeOutcome(document, ({ policy, seed }) => (policy === "uniform" && seed < 4 ? null : seed));
    const { groups } = analyse(many.frozen, many.results);
    const [htinf, , uniform] = groups[0]!.members;
    expect(htinf!.seedCurves.map(({ seed }) => seed)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(uniform!.seedCurves.map(({ seed }) => seed)).toEqual(Array.from({ length: 20 }, (_, i) => i + 4));
    expect(htinf!.seedCurves[6]!.values).toHaveLength(ROUNDS.length);
    const swept = makeOutcome({ ...DOCUMENT, sweep: { path: "horizon", values: [100, 1000] } });
    expect(analyse(swept.frozen, swept.results).groups.flatMap(({ members }) => members.flatMap(({ seedCurves }) => seedCurves))).toEqual([]);
  });

  it("does not depend on the order of the results", () => {
    const again = analyse(frozen, new Map([...results].reverse()));
    expect(JSON.stringify(again.rows)).toBe(JSON.stringify(rows));
    expect(JSON.stringify(summaryJson(again))).toBe(JSON.stringify(summaryJson(analyse(frozen, results))));
  });

  it("is safe JSON at the edges: one seed, zero and huge regret, no completed run", () => {
    const cell = runs.filter(({ environment, policy }) => environment === "steady" && policy === "htinf");
    const all = [
      [completed(cell[0]!, makeTrace(1, 0.5))],
      cell.map((run) => completed(run, makeTrace(0, 1))),
      cell.map((run) => completed(run, makeTrace(1.7e304, 1))),
      cell.map((run, i) => completed(run, makeTrace(i % 2 === 0 ? 1.7e304 : -1.7e304, 1))),
      cell.map((run) => completed(run, makeTrace(0.1, 0))),
      cell.map(failed),
    ];
    const rowOf = (list: readonly RunResult[]) => analyse(frozen, new Map(list.map((result) => [result.id, result]))).rows[0];
    for (const list of all) {
      const row = rowOf(list);
      expect(JSON.parse(JSON.stringify(row))).toEqual(row);
      for (const point of row!.checkpoints) {
        expect(Object.values(point).every(Number.isFinite)).toBe(true);
        expect(point.low <= point.mean && point.mean <= point.high).toBe(true);
      }
    }
    const none = rowOf(cell.map(failed));
    expect(none).toMatchObject({ seeds: 0, failed: 20, horizon: 10_000, checkpoints: [], exponent: null });
    const one = rowOf(all[0]!);
    expect(one).toMatchObject({ seeds: 1, failed: 0, exponent: null });
  });

  it("in a sweep has a row per value, with the axis and the value's own horizon", () => {
    const swept = makeOutcome({ ...DOCUMENT, sweep: { path: "horizon", values: [1000, 10_000] } });
    const short = new Map(
      swept.runs.map((run: Run) => [
        run.id,
        completed(
          run,
          makeTrace(
            1,
            0.5,
            ROUNDS.filter((round) => round <= Number(run.sweep!.value)),
          ),
        ),
      ]),
    );
    const found = analyse(swept.frozen, short).rows;
    expect(found.length).toBe(12);
    expect(Object.keys(found[0]!).slice(0, 4)).toEqual(["environment", "policy", "sweep", "seeds"]);
    for (const { sweep, horizon } of found) expect(horizon).toBe(sweep!.value);
    const htinf = found.filter(({ environment, policy }) => environment === "turning" && policy === "htinf");
    expect(htinf[1]!.bound! / htinf[0]!.bound!).toBeCloseTo((10_001 / 1001) ** (1 / 1.5), 9);
  });
});

describe("applicable bounds", () => {
  const world = createEnvironment({ environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2)] }, 1);
  const sigma = world.sigma();
  const judge = (environment: object | typeof world, policy: PolicySpec, horizon = 1000, delayed = false, rescaled = false) =>
    applicableBounds({ environment: "loss" in environment ? environment : createEnvironment(environment, 1), policy, horizon, delayed, rescaled });
  const bernoulli = (p: number) => ({ distribution: "bernoulli", p });
  const coins = { environment: "stochastic", alpha: 2, arms: [bernoulli(0.4), bernoulli(0.6)] };

  it("needs the truth about sigma: more is allowed, less is not", () => {
    expect(judge(world, { policy: "htinf", alpha: 1.5, sigma }).bounds.map(({ id }) => id)).toEqual([
      "htinf/adversarial",
      "htinf/stochastically-constrained",
    ]);
    const told = judge(world, { policy: "htinf", alpha: 1.5, sigma: 2 * sigma });
    expect(told.bounds[0]!.value! / judge(world, { policy: "htinf", alpha: 1.5, sigma }).bounds[0]!.value!).toBeCloseTo(2, 12);
    const less = judge(world, { policy: "htinf", alpha: 1.5, sigma: sigma / 2 });
    expect(less.bounds).toEqual([]);
    expect(less.note).toMatch(/^outside its guarantee here: the policy is given sigma .* below the .* of the losses at alpha 1.5$/);
  });

  it("applies the theorem at the alpha that the policy is told, if that moment exists", () => {
    const lower = judge(world, { policy: "htinf", alpha: 1.2, sigma: world.sigma(1.2) });
    expect(lower.bounds[0]!.exponent).toBeCloseTo(1 / 1.2, 15);
    const higher = judge(world, { policy: "htinf", alpha: 1.9, sigma: 1e6 });
    expect(higher.note).toBe("outside its guarantee here: E|X|^1.9 is infinite");
    expect(judge(world, { policy: "htinf" }).note).toMatch(/does not know alpha/);
  });

  it("needs truncated non-negativity, a unique best arm, gaps and feedback at once", () => {
    const left = { distribution: "negated", of: pareto(1) };
    const broken = judge({ environment: "stochastic", alpha: 1.5, arms: [left, pareto(1)] }, { policy: "ada2tinf" });
    expect(broken.note).toMatch(/truncated non-negativity fails/);
    const twins = judge({ environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(1)] }, { policy: "opttinf" });
    expect(twins.bounds.map(({ id }) => id)).toEqual(["opttinf/adversarial"]);
    expect(twins.outside[0]!.reasons.join()).toMatch(/unique best arm/);
    expect(twins.note).toBeNull();
    expect(judge(world, { policy: "opttinf" }, 1000, true).note).toMatch(/late/);
    expect(judge(world, { policy: "opttinf", halfLife: 100 }).note).toMatch(/forgets/);
    const median = { policy: "robust-ucb", estimator: "median-of-means", alpha: 1.5, sigma: 4 * sigma };
    expect(judge(world, median).bounds).toHaveLength(2);
    expect(judge(world, { ...median, variant: "published" }).note).toMatch(/deviation lemma/);
    expect(judge(world, { policy: "ada2tinf", variant: "published", cost: "absolute" }).bounds).toHaveLength(1);
  });

  it("needs the horizon that the run has; before it the bound does not shrink", () => {
    const right = judge(world, { policy: "adatinf", horizon: 1000 });
    expect(right.bounds[0]!.at(10)).toBe(right.bounds[0]!.value);
    expect(judge(world, { policy: "adatinf", horizon: 2000 }).note).toMatch(/given the horizon 2000, not 1000/);
    const anytime = judge(world, { policy: "opttinf" }).bounds[0]!;
    expect(anytime.at(1000)).toBe(anytime.value);
    expect(anytime.at(10)).toBeLessThan(anytime.value!);
  });

  it("needs losses in [0, 1] in every round of the run", () => {
    const iw = { policy: "tsallis-inf", estimator: "iw" };
    expect(judge(coins, iw).bounds.length).toBeGreaterThan(0);
    expect(judge(world, iw).note).toMatch(/losses leave \[0, 1\]/);
    const bomb = { ...coins, environment: "scale-bomb", from: 500, until: 501, factor: 3 };
    expect(judge(bomb, iw, 499).bounds.length).toBeGreaterThan(0);
    expect(judge(bomb, iw, 500).note).toMatch(/losses leave \[0, 1\]/);
    const drift = { ...coins, environment: "drifting", alternate: [bernoulli(0.4), { distribution: "uniform", low: 0, high: 2 }], rounds: 300 };
    expect(judge(drift, iw, 1).bounds.length).toBeGreaterThan(0);
    expect(judge(drift, iw, 2).bounds).toEqual([]);
  });

  it("keeps the regimes apart and trusts no broken proof", () => {
    const ucb = { policy: "robust-ucb", estimator: "truncated", alpha: 1.5, sigma };
    expect(judge(world, ucb).bounds.length).toBeGreaterThan(0);
    const turning = { environment: "switching", alpha: 1.5, period: 10, arms: [pareto(1), pareto(2)], alternate: [pareto(2), pareto(1)] };
    expect(judge(turning, { ...ucb, sigma: 100 }).note).toMatch(/the environment is adversarial, and the bound covers stochastic ones/);
    expect(judge(world, { policy: "no-such-policy" }).note).toBe("no bound is known for this policy");
  });

  it("allows an order without a value", () => {
    const { bounds, bound, exponent } = judge(coins, { policy: "ape2", alpha: 2 });
    expect(bounds.length).toBe(2);
    expect(bound).toBeNull();
    expect(exponent).toBe(0);
  });
});

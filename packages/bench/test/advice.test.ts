// The harness itself, on hand-made runs and on short ones. What following the advice costs is in advice.long.test.ts.
import { createDistribution, POLICIES, type PolicySpec } from "tsallis";
import { describe, expect, it } from "vitest";
import { type AdviceResult, adviceResult } from "../src/advice/adviceResult.js";
import { adviceTable } from "../src/advice/adviceTable.js";
import { HELD_OUT, KINDS } from "../src/advice/kinds.js";
import { type AdviceRun, adviceOn, playAdvice } from "../src/advice/playAdvice.js";
import { knowledgeOf, rivalsOf } from "../src/advice/rivals.js";

const [CLICKS] = KINDS;
const LATENCY = KINDS.find(({ name }) => name.startsWith("latency, log-normal"))!;

describe("kinds of data sets", () => {
  it("are at least 12, and 5 set aside, each with one best arm whose mean exists", () => {
    expect(KINDS.length).toBeGreaterThanOrEqual(12);
    expect(HELD_OUT.length).toBeGreaterThanOrEqual(5);
    const names = [...KINDS, ...HELD_OUT].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, arms } of [...KINDS, ...HELD_OUT]) {
      const means = arms.map((arm) => createDistribution(arm).mean);
      expect(means.every(Number.isFinite), name).toBe(true);
      expect(
        means.filter((mean) => mean === Math.min(...means)),
        name,
      ).toHaveLength(1);
    }
  });
});

describe("rivals", () => {
  it("are all policies except those that require the horizon, with what the data give", () => {
    const advice = adviceOn(LATENCY, 1);
    const rivals = rivalsOf(advice);
    const without = Object.keys(POLICIES).filter((policy) => !POLICIES[policy]!.needs.includes("horizon"));
    expect([...rivals.values()].map(({ policy }) => policy)).toEqual(expect.arrayContaining(without));
    expect(rivals.get("htinf")).toEqual({ policy: "htinf", ...advice.pooled.moment });
    expect(rivals.get("thompson")).toEqual({ policy: "thompson", sigma: advice.pooled.deviation });
  });

  it("leave out what requires a moment that the data do not bound", () => {
    const advice = adviceOn(LATENCY, 1);
    const rivals = rivalsOf({ ...advice, pooled: { ...advice.pooled, moment: null } });
    expect(["htinf", "ape2", "robust-ucb", "thompson"].map((policy) => rivals.has(policy))).toEqual([false, false, false, true]);
  });

  it("know what their table says; that losses lie in [0, 1] counts only where they do not", () => {
    expect(knowledgeOf({ policy: "htinf" }, false)).toEqual(["alpha", "sigma"]);
    expect(knowledgeOf({ policy: "ucb1" }, false)).toEqual(["bounded-losses"]);
    expect(knowledgeOf({ policy: "ucb1" }, true)).toEqual([]);
    expect(knowledgeOf({ policy: "thompson" }, false)).toEqual(["sigma"]);
    expect(knowledgeOf({ policy: "matched-tinf", rarest: 100 }, false)).toEqual(["rarest"]);
  });
});

describe("following advice", () => {
  it("gives the same again; uniform play has a share of 1", () => {
    const task = { kind: LATENCY, seed: 3, rounds: 2000 };
    const run = playAdvice(task);
    expect(playAdvice(task)).toEqual(run);
    // Five arms of which four are worse: the standard error of 2,000 rounds is 0.02.
    expect(Math.abs(run.rivals.uniform!.share - 1)).toBeLessThan(0.1);
    expect(run.recommended).toEqual(run.rivals[run.recommended.spec.policy]);
    expect(playAdvice({ ...task, only: ["htinf"] })).toEqual({ ...run, rivals: { htinf: run.rivals.htinf } });
  });

  const run = (recommended: PolicySpec, share: number, rivals: Record<string, number>, alternatives: AdviceRun["alternatives"] = []): AdviceRun => ({
    recommended: { spec: recommended, share },
    alternatives,
    rivals: Object.fromEntries(Object.entries(rivals).map(([policy, each]) => [policy, { spec: { policy }, share: each }])),
  });

  it("is compared with the best that requires no more, picked on the other seeds", () => {
    const spec = { policy: "matched-tinf" };
    const picking = [run(spec, 0.1, { "matched-tinf": 0.1, forcemom: 0.05, htinf: 0.01, ucb1: 0.02, opttinf: 0.2 })];
    const judging = [
      run(spec, 0.1, { "matched-tinf": 0.1, forcemom: 0.3, htinf: 0.4, ucb1: 0.2, opttinf: 0 }),
      run(spec, 0.3, { "matched-tinf": 0.3, forcemom: 0.5, htinf: 0.6, ucb1: 0.2 }, [{ spec: { policy: "htinf" }, share: 0.6 }]),
    ];
    expect(adviceResult(LATENCY, picking, judging)).toEqual({
      kind: LATENCY.name,
      recommended: { "matched-tinf": 3 },
      share: expect.closeTo(0.2, 12),
      worst: 0.3,
      best: { policy: "forcemom", share: expect.closeTo(0.4, 12) },
      bestOfAll: { policy: "htinf", share: expect.closeTo(0.5, 12) },
      alternatives: [{ policy: "htinf", share: 0.6, named: 1, behind: expect.closeTo(0.3, 12) }],
      shares: {
        "matched-tinf": expect.closeTo(0.2, 12),
        forcemom: expect.closeTo(0.4, 12),
        htinf: expect.closeTo(0.5, 12),
        ucb1: expect.closeTo(0.2, 12),
      },
    } satisfies AdviceResult);
    // Clicks lie in [0, 1]: there UCB1 requires nothing that is not known.
    expect(adviceResult(CLICKS!, picking, judging).best.policy).toBe("ucb1");
  });

  it("is printed: what it costs, and every policy in every kind", () => {
    const spec = { policy: "matched-tinf" };
    const other = { policy: "forcemom" };
    const results = [LATENCY, CLICKS!].map((kind) =>
      adviceResult(kind, [run(spec, 0.125, { forcemom: 0.0625 })], [run(kind === LATENCY ? spec : other, 0.25, { forcemom: 0.5, htinf: 1 })]),
    );
    const text = adviceTable(results);
    expect(text).toMatch(/│ 1 latency, log-normal, ms +│ +matched-tinf │ 0\.250 │ +0\.250 │ +forcemom 0\.500 │ +-0\.250 │/);
    expect(text).toMatch(/│ 2 clicks, 30 to 45 % +│ +matched-tinf 1, forcemom 1 │/);
    expect(text).toMatch(/│ forcemom +│ 0\.500 │ 0\.500 │/);
    expect(text).not.toContain("NaN");
  });
});

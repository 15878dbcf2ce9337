import { describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { runsOf } from "../src/document/runs.js";
import { executeRun } from "../src/run/executeRun.js";
import { resultProblem } from "../src/run/resultProblem.js";

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });
const experimentOf = (more: object = {}) =>
  completeExperiment({
    name: "x",
    horizon: 300,
    seeds: 2,
    checkpoints: 9,
    environments: { a: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2)] } },
    policies: { htinf: { policy: "htinf", alpha: 1.5, sigma: 3 }, adatinf: { policy: "adatinf" } },
    ...more,
  });
const played = (experiment = experimentOf()) => {
  const run = runsOf(experiment)[0]!;
  return { experiment, run, result: JSON.parse(JSON.stringify(executeRun(experiment, run, () => {}))) as Loose };
};
// biome-ignore lint/suspicious/noExplicitAny: what comes from outside has any shape
type Loose = any;

describe("the result of a run", () => {
  test.each([
    ["plain", {}],
    ["with anatomy", { anatomy: true }],
    ["with a run hash", { runHash: true }],
    ["of a sweep over the horizon", { sweep: { path: "horizon", values: [10, 1000] } }],
    ["of more arms than are recorded", { environments: { a: { environment: "lower-bound", alpha: 2, arms: 33, gap: 0.1 } } }],
  ])("%s is one after its way through JSON", (_, more) => {
    const experiment = experimentOf(more);
    for (const run of runsOf(experiment)) {
      expect(resultProblem(experiment, run, JSON.parse(JSON.stringify(executeRun(experiment, run, () => {}))))).toBeNull();
    }
  });

  test("that failed is one too", () => {
    const { experiment, run } = played();
    for (const code of [null, "ERR_TRACE"]) {
      expect(resultProblem(experiment, run, { id: run.id, status: "failed", error: { code, message: "" }, seconds: 0 })).toBeNull();
    }
  });

  test.each<[what: string, change: (result: Loose) => unknown]>([
    ["null", () => null],
    ["{}", () => ({})],
    ["a list", () => []],
    ["another id", (result) => ({ ...result, id: "a/htinf/2" })],
    ["no id", ({ id: _, ...rest }) => rest],
    ["a strange status", (result) => ({ ...result, status: "aborted" })],
    ["a negative time", (result) => ({ ...result, seconds: -1 })],
    ["no time", ({ seconds: _, ...rest }) => rest],
    ["a time that is not finite", (result) => ({ ...result, seconds: Number.POSITIVE_INFINITY })],
    ["something more", (result) => ({ ...result, more: 1 })],
    ["no trace", (result) => ({ ...result, trace: null })],
    ["an error for a trace", ({ trace: _, ...rest }) => ({ ...rest, error: { code: null, message: "" } })],
    ["a failure with a trace", (result) => ({ ...result, status: "failed" })],
    ["a failure without a message", ({ trace: _, ...rest }) => ({ ...rest, status: "failed", error: { code: null } })],
    ["a failure with a strange code", ({ trace: _, ...rest }) => ({ ...rest, status: "failed", error: { code: 1, message: "" } })],
  ])("is not %s", (_, change) => {
    const { experiment, run, result } = played();
    expect(resultProblem(experiment, run, change(result))).toEqual(expect.any(String));
  });

  test.each<[what: string, change: (trace: Loose) => unknown]>([
    ["a shortened trace", (trace) => Object.fromEntries(Object.entries<Loose>(trace).map(([key, value]) => [key, value?.slice?.(1) ?? value]))],
    ["another grid", (trace) => ({ ...trace, round: trace.round.with(3, trace.round[3] + 1) })],
    ["a longer column", (trace) => ({ ...trace, best: [...trace.best, 1] })],
    ["a column with null", (trace) => ({ ...trace, pseudoRegret: trace.pseudoRegret.with(0, null) })],
    ["a column with text", (trace) => ({ ...trace, skipped: trace.skipped.with(0, "0") })],
    ["a column less", ({ dynamicRegret: _, ...rest }) => rest],
    ["a column more", (trace) => ({ ...trace, regret: trace.best })],
    ["plays of no arm", (trace) => ({ ...trace, plays: [] })],
    ["plays without a list", (trace) => ({ ...trace, plays: {} })],
    ["shorter plays", (trace) => ({ ...trace, plays: [trace.plays[0], trace.plays[1].slice(1)] })],
    ["plays of an arm more", (trace) => ({ ...trace, plays: [...trace.plays, trace.plays[0]] })],
    ["plays of nobody", (trace) => ({ ...trace, plays: null })],
    ["no details", ({ details: _, ...rest }) => rest],
    ["a shorter detail", (trace) => ({ ...trace, details: { epoch: [1] } })],
    ["an anatomy that nobody asked for", (trace) => ({ ...trace, anatomy: {} })],
    ["a run hash that was not asked for", (trace) => ({ ...trace, runHash: "0123456789abcdef" })],
  ])("is not one with %s", (_, change) => {
    const { experiment, run, result } = played();
    expect(resultProblem(experiment, run, { ...result, trace: change(result.trace) })).toEqual(expect.any(String));
  });

  test("has the anatomy and the run hash that the document asks for", () => {
    const { experiment, run, result } = played(experimentOf({ anatomy: true, runHash: true }));
    for (const change of [{ anatomy: null }, { anatomy: { a: [1] } }, { runHash: undefined }, { runHash: "0123" }]) {
      expect(resultProblem(experiment, run, { ...result, trace: { ...result.trace, ...change } })).toEqual(expect.any(String));
    }
  });

  test("names what is wrong", () => {
    const { experiment, run, result } = played();
    const trace = { ...result.trace, details: { epoch: [1] } };
    expect(resultProblem(experiment, run, { ...result, trace })).toBe("trace.details.epoch is not a list of 9 numbers");
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, isSkipped, type PolicySpec } from "tsallis";
import { afterAll, describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";
import { ARMS, asLines, makeLog, replayOf, SPECS } from "./logs.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-replay-"));
afterAll(() => rmSync(folder, { recursive: true }));

const log = makeLog(300);
const UNIFORM = { policy: "uniform" };

/** The output lines, from the library called directly. */
function expected(spec: PolicySpec, records: readonly { arm: number; loss: number }[]): string[] {
  const policy = createPolicy(spec, ARMS);
  return records.map(({ arm, loss }) => {
    const x = policy.probabilities();
    const probabilities = x && [...x];
    const choice = policy.force(arm);
    const details = policy.details();
    policy.update(choice, loss);
    const { round, probability, threshold } = choice;
    return JSON.stringify({ round, arm, loss, probability, probabilities, threshold, skipped: isSkipped(choice, loss), ...details });
  });
}

describe("replay", () => {
  it.each(SPECS.map((spec) => [JSON.stringify(spec), spec] as const))("%s prints what the library says", async (_, spec) => {
    const { code, stdout, stderr } = await tsallis(replayOf(spec), asLines(log));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([...expected(spec, log), ""]);
  });

  it.each([
    [UNIFORM, []],
    [{ policy: "opttinf" }, []],
    [{ policy: "adatinf", horizon: 9 }, ["epoch"]],
    [{ policy: "ada2tinf" }, ["superEpoch", "epoch"]],
  ] as const)("%j has its keys in order", async (spec, details) => {
    const { stdout } = await tsallis(replayOf(spec), asLines(log.slice(0, 1)));
    expect(Object.keys(JSON.parse(stdout))).toEqual([
      ...["round", "arm", "loss", "probability", "probabilities", "threshold", "skipped"],
      ...details,
    ]);
  });

  it("prints null if the probabilities are unknown", async () => {
    const spec = { policy: "thompson", sigma: 1 };
    const { code, stdout } = await tsallis(replayOf(spec), asLines(log));
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([...expected(spec, log), ""]);
    expect(JSON.parse(stdout.split("\n")[9]!)).toMatchObject({ round: 10, probability: null, probabilities: null, threshold: null });
  });

  it("shows the first round as in the paper", async () => {
    const { stdout } = await tsallis(replayOf({ policy: "htinf", alpha: 2, sigma: 1 }), '{"arm":2,"loss":0.37}');
    const third = 1 / 3;
    const { threshold, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ round: 1, arm: 2, loss: 0.37, probability: third, probabilities: [third, third, third], skipped: true });
    // Algorithm 1: Theta_2 * sigma * 1^(1/2) * x^(1/2).
    expect(threshold).toBeCloseTo((1 - 2 ** (-1 / 3)) * Math.sqrt(third), 14);
  });

  it("epochs change within the log, so that the comparison above covers them", () => {
    const last = (spec: PolicySpec) => JSON.parse(expected(spec, log).at(-1)!);
    expect(last({ policy: "adatinf", horizon: 300 }).epoch).toBeGreaterThan(0);
    expect(last({ policy: "ada2tinf" }).superEpoch).toBe(8);
    expect(JSON.parse(expected({ policy: "ada2tinf" }, log)[0]!).superEpoch).toBe(1);
  });

  it("reads a file, and - as stdin", async () => {
    const file = join(folder, "log.jsonl");
    writeFileSync(file, asLines(log));
    const whole = expected(UNIFORM, log).join("\n");
    expect((await tsallis(replayOf(UNIFORM, file))).stdout.trim()).toBe(whole);
    expect((await tsallis(replayOf(UNIFORM, "-"), asLines(log))).stdout.trim()).toBe(whole);
  });

  it("accepts a byte-order mark, CRLF, blank lines, any order of keys, and a last line without a line feed", async () => {
    const text = '\uFEFF{"arm":0,"loss":1}\r\n\r\n  \n{"loss":2,"\\u0061rm":1}';
    const { code, stdout } = await tsallis(replayOf(UNIFORM), text);
    expect(code).toBe(0);
    const records = [
      { arm: 0, loss: 1 },
      { arm: 1, loss: 2 },
    ];
    expect(stdout.trim().split("\n")).toEqual(expected(UNIFORM, records));
  });

  it("accepts an empty log", async () => {
    expect(await tsallis(replayOf(UNIFORM))).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("accepts 200,000 lines", async () => {
    const { code, stdout } = await tsallis(replayOf(UNIFORM), '{"arm":1,"loss":0.5}\n'.repeat(200_000));
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(200_000);
    expect(JSON.parse(lines.at(-1)!).round).toBe(200_000);
  });
});

describe("replay --reward", () => {
  const spec = { policy: "htinf", alpha: 1.5, sigma: 2.5 };

  it("turns rewards into negative losses, and warns once", async () => {
    const rewards = [
      { arm: 0, reward: 1.5 },
      { arm: 1, reward: -2 },
      { arm: 2, reward: 0 },
    ];
    const { code, stdout, stderr } = await tsallis(replayOf(spec, "--reward"), asLines(rewards));
    expect(code).toBe(0);
    const losses = [
      { arm: 0, loss: -1.5 },
      { arm: 1, loss: 2 },
      { arm: 2, loss: 0 },
    ];
    expect(stdout.trim().split("\n")).toEqual(expected(spec, losses));
    expect(stderr).toMatch(/^tsallis: warning: .*truncated non-negativity.*\n$/);
  });

  it.each([
    ['{"arm":0,"loss":1}', /ERR_UNKNOWN_KEY: .*leave --reward out/],
    ['{"arm":0}', /ERR_MISSING: reward is missing/],
    ['{"arm":0,"reward":1e999}', /ERR_LOSS: reward must be .* got Infinity/],
    ['{"arm":0,"reward":null}', /ERR_LOSS: reward must be .* got null/],
  ])("refuses %s", async (line, message) => {
    const { code, stdout, stderr } = await tsallis(replayOf(spec, "--reward"), line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.split("\n")[1]).toMatch(message);
  });
});

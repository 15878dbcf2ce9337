import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { POLICIES } from "tsallis";
import { afterAll, describe, expect, it } from "vitest";
import { didYouMean } from "../src/text/didYouMean.js";
import { experimentText } from "./experiments.js";
import { tsallis } from "./inProcess.js";

describe("the nearest name", () => {
  const names = Object.keys(POLICIES);
  it.each([
    ["htimf", "htinf"],
    ["HTINF", "htinf"],
    ["htifn", "htinf"],
    ["ucb", "ucb1"],
    ["matchedtinf", "matched-tinf"],
    ["tompson", "thompson"],
    ["robust", "robust-ucb"],
  ])("%s: %s", (given, meant) => {
    expect(didYouMean(given, names)).toBe(`; did you mean ${meant}?`);
  });

  it.each(["", "x", "greedy", "gradient-boosting", "h".repeat(100_000)])("there is none for %s", (given) => {
    expect(didYouMean(given, names)).toBe("");
  });
});

describe("an error ends with what was meant", () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-mean-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const document = (from: string, to: string) => {
    const file = join(folder, `${to.replaceAll(/\W/g, "")}.yaml`);
    const text = experimentText().replace(from, to);
    expect(text).not.toBe(experimentText());
    writeFileSync(file, text);
    return ["run", file];
  };
  it.each([
    ["an environment", document("environment: switching", "environment: my-storms")],
    ["a policy", document("policy: ada2tinf", "policy: my-policy")],
    ["--policy", ["run", "showdown", "--policy", "my-policy"]],
  ])("or, where no name of %s is near, with the option for modules of one's own", async (_, args) => {
    const { code, stderr } = await tsallis(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/ERR_UNKNOWN_NAME: .*; if it is in a module of your own, give that with --import\n$/);
  });

  it.each([
    ["an experiment", ["run", "shwodown"], "showdown"],
    ["an experiment to show", ["show", "zimmert-seldin"], "zimmert-seldin-2019"],
    ["a policy", document("policy: htinf", "policy: htimf"), "htinf"],
    ["a policy of a replay", ["replay", "--policy", '{"policy":"htimf"}', "--arms", "2"], "htinf"],
    ["a policy's key", document("sigma: promised", "sigam: promised"), "sigma"],
    ["an environment", document("environment: switching", "environment: swiching"), "switching"],
    ["an environment's key", document("period: 100", "periods: 100"), "period"],
    ["a distribution", document("distribution: lomax, shape: 1.6, scale: 0.5", "distribution: lomacs, shape: 1.6, scale: 0.5"), "lomax"],
    ["a distribution's key", document("scale: 0.5", "scael: 0.5"), "scale"],
    ["a key of the document", document("seeds: 2", "seed: 2"), "seeds"],
    ["a command", ["rnu"], "run"],
    ["a choice of an argument", ["list", "polices"], "policies"],
    ["a shell", ["completion", "bsh"], "bash"],
    ["a choice of an option", ["keys", "add", "ada", "--role", "raed"], "read"],
    ["an option", ["run", "--sedes", "3"], "--seeds"],
  ])("%s", async (_, args, meant) => {
    const { code, stderr } = await tsallis(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`[Dd]id you mean ${meant}\\?`));
  });
});

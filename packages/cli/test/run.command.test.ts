import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ended, tsallis as startedTsallis, startIn } from "./command.js";
import { experimentText, lastingFiles } from "./experiments.js";
import { tsallis } from "./inProcess.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-run-"));
afterAll(() => rmSync(root, { recursive: true }));

const MINE = fileURLToPath(new URL("fixtures/mine.mjs", import.meta.url));
const WEAK = fileURLToPath(new URL("fixtures/weak.mjs", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

const write = (text: string) => writeFileSync(join(folder, "small.yaml"), text);
const run = (...args: string[]) => tsallis(["run", ...args], "", folder);
const rowsIn = (directory: string) => JSON.parse(readFileSync(join(folder, directory, "summary.json"), "utf8")).rows;

describe("run", () => {
  it("writes results/NAME-HASH, prints a ranking per environment and the path of the report", async () => {
    write(experimentText());
    const { code, stdout, stderr } = await run("small.yaml");
    expect(code).toBe(0);
    const [name] = readdirSync(join(folder, "results"));
    expect(name).toMatch(/^small-[0-9a-f]{8}$/);
    expect(stderr).toBe(`tsallis: small: 12 runs into results/${name}\n`);
    expect(stdout).toMatch(/^still: pseudo-regret after 300 rounds\n┌/);
    expect(stdout).toMatch(/^moving: pseudo-regret after 300 rounds\n┌/m);
    for (const policy of ["told", "ada2tinf", "uniform"]) expect(stdout.match(new RegExp(`^│ ${policy} `, "gm"))).toHaveLength(2);
    expect(stdout).toMatch(new RegExp(`^Report: results/${name}/report.html\n$`, "m"));
    expect(readdirSync(join(folder, "results", name!)).sort()).toEqual(
      [
        "experiment.json",
        "figures",
        "journal.jsonl",
        "ranking.csv",
        "ranking.tex",
        "report.html",
        "summary.json",
        "timing.json",
        "traces.parquet",
      ].sort(),
    );

    const again = await run("small.yaml", "--csv");
    expect(again).toEqual({ code: 0, stdout, stderr: `tsallis: small: 12 runs into results/${name}, all of them already there\n` });
    expect(existsSync(join(folder, "results", name!, "traces.csv"))).toBe(true);
  });

  it("gives the same bytes with one worker and with two", async () => {
    write(experimentText({ seeds: 3 }));
    await run("small.yaml", "--workers", "1", "--out", "one");
    await run("small.yaml", "--workers", "2", "--out", "two");
    expect(lastingFiles(join(folder, "two"))).toEqual(lastingFiles(join(folder, "one")));
    expect(rowsIn("one")).toHaveLength(6);
  });

  it("accepts a built-in name, and seeds and horizon in place of the document's", async () => {
    const { code } = await run("anatomy", "--seeds", "2", "--horizon", "200", "--out", "out", "--only", "*/htinf/*");
    expect(code).toBe(0);
    for (const { policy, seeds, horizon } of rowsIn("out")) expect([policy, seeds, horizon]).toEqual(["htinf", 2, 200]);
  });

  it("--json prints the summary and nothing else; --quiet leaves stderr empty", async () => {
    write(experimentText());
    const { code, stdout, stderr } = await run("small.yaml", "--json", "--quiet", "--out", "out");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(readFileSync(join(folder, "out/summary.json"), "utf8"));
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, verdicts: { claim: { verdict: null } } });
    expect(JSON.parse(stdout).rows).toHaveLength(6);
  });

  it("--only plays some runs; the rest can be played later as if it had not been given", async () => {
    write(experimentText());
    const { code, stdout } = await run("small.yaml", "--only", "still/*/1", "--out", "parts");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^9 runs of the experiment are still to play\.$/m);
    expect(rowsIn("parts").map(({ environment, seeds }: { environment: string; seeds: number }) => [environment, seeds])).toEqual([
      ["still", 1],
      ["still", 1],
      ["still", 1],
    ]);
    expect((await run("small.yaml", "--out", "parts")).stderr).toMatch(/12 runs into parts, 3 of them already there/);
    await run("small.yaml", "--out", "whole");
    expect(lastingFiles(join(folder, "parts"))).toEqual(lastingFiles(join(folder, "whole")));
  });

  it("plays damaged lines of the journal again, keeps the others and says how many of each", async () => {
    write(experimentText());
    await run("small.yaml", "--out", "out");
    const before = lastingFiles(join(folder, "out"));
    const journal = join(folder, "out", "journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    lines[3] = lines[3]!.replace(/\d(?=\],"skipped)/, (digit) => String((Number(digit) + 1) % 10));
    lines.splice(5, 0, "garbage");
    writeFileSync(journal, lines.join("\n"));
    expect(await tsallis(["report", "out"], "", folder)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/ERR_RESULTS: out\/journal\.jsonl has 2 damaged lines, the first at 4 .*tsallis run/),
    });
    const { code, stderr } = await run("small.yaml", "--out", "out", "--quiet");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "tsallis: journal: 2 damaged lines removed; 11 runs kept, 1 to play\n" });
    expect(lastingFiles(join(folder, "out"))).toEqual(before);
    expect((await run("small.yaml", "--out", "out", "--quiet")).stderr).toBe("");
  });

  it.skipIf(process.platform !== "linux")("needs less than 300 MB, however long the horizon", async () => {
    write(experimentText({ horizon: 3_000_000, seeds: 2, policies: "  told: { policy: htinf, alpha: promised, sigma: promised }\n" }));
    const child = startIn(folder, "run", "small.yaml", "--only", "still/*", "--workers", "2", "--quiet");
    const all = ended(child);
    let peak = 0;
    while (child.exitCode === null) {
      peak = Math.max(peak, peakMegabytes(child.pid!));
      await setTimeout(20);
    }
    expect(await all).toMatchObject({ code: 0, stderr: "" });
    expect(peak).toBeGreaterThan(50);
    expect(peak).toBeLessThan(300);
  });
});

/** The peak resident memory of a process so far; 0 if the process is gone. */
function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe("an error", () => {
  it.each([
    ["an unknown key", experimentText().replace("claim:", "clam:"), "small.yaml:2: ERR_UNKNOWN_KEY: unknown key clam; known keys: name, claim"],
    ["missing seeds", experimentText().replace(/seeds: .*\n/, ""), "small.yaml:1: ERR_MISSING: seeds is missing: it must be"],
    [
      "a bad parameter of a policy",
      experimentText().replace("alpha: promised", "alpha: 3"),
      "small.yaml:21: ERR_PARAMETER: policies.told.alpha must be in (1, 2], got 3",
    ],
    [
      "an unknown key of a policy",
      experimentText().replace("{ policy: uniform }", "{ policy: uniform, alpha: 2 }"),
      "small.yaml:23: ERR_UNKNOWN_KEY: unknown key policies.uniform.alpha",
    ],
    [
      "a bad parameter of a distribution",
      experimentText().replace("shape: 1.6", "shape: -1"),
      "small.yaml:10: ERR_PARAMETER: environments.still.arms[0].shape must be in [0.1, 1000], got -1",
    ],
    [
      "an unknown environment",
      experimentText().replace("environment: switching", "environment: moody"),
      "small.yaml:13: ERR_UNKNOWN_NAME: environments.moving.environment must be one of stochastic, ",
    ],
    ["no YAML", "name: a\nseeds: [1\nhorizon: 3\n", "small.yaml:3: ERR_DOCUMENT: not YAML or JSON: "],
    ["a list", "- 1\n", "small.yaml:1: ERR_PARAMETER: the document must be an object, got [1]"],
  ])("%s: one line with its place, exit code 2, nothing written", async (_, text, message) => {
    write(text);
    const { code, stdout, stderr } = await run("small.yaml", "--out", "out");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
    expect(stderr).toMatch(/^.+\n$/);
    expect(readdirSync(folder)).toEqual(["small.yaml"]);
  });

  it("a folder that holds another experiment is refused, and stays as it was", async () => {
    write(experimentText());
    await run("small.yaml", "--out", "out");
    const before = lastingFiles(join(folder, "out"));
    const { code, stdout, stderr } = await run("small.yaml", "--seeds", "3", "--out", "out");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /^tsallis: ERR_DIRECTORY: out holds the results of another experiment \(hash \w{8}, not \w{8}\): the document differs in seeds; give another/,
    );
    expect(lastingFiles(join(folder, "out"))).toEqual(before);
  });

  it.each([
    ["is a file", "small.yaml"],
    ["lies in a file", "small.yaml/deep/out"],
  ])("a folder that %s is refused before anything is played", async (_, out) => {
    write(experimentText());
    const { code, stdout, stderr } = await run("small.yaml", "--out", out);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: ERR_DIRECTORY: small\.yaml\S* cannot take results: ENOTDIR.*; give a folder that can be written with --out\n$/);
    expect(readdirSync(folder)).toEqual(["small.yaml"]);
  });
});

describe("--import", () => {
  // A module registers its policies once per process, so each of these tests has its own process.
  const spawned = (...args: string[]) => startedTsallis(args, "", folder);
  const policies = "  zero: { policy: arm-zero }\n  uniform: { policy: uniform }\n";

  it("registers policies of the user's own, in every thread", async () => {
    write(experimentText({ policies }));
    const { code, stdout } = await spawned("run", "small.yaml", "--import", MINE, "--workers", "2", "--out", "out");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^│ zero /m);
    const still = rowsIn("out").find(({ environment, policy }: Record<string, string>) => environment === "still" && policy === "zero");
    expect(still.checkpoints.at(-1)).toMatchObject({ mean: expect.closeTo(0, 10), bestArmShare: 1 });
  });

  it("a policy that throws makes failed rows; the rest continues; the exit code is 1", async () => {
    write(experimentText({ policies: `${policies}  tired: { policy: thrower }\n` }));
    const { code, stdout, stderr } = await spawned("run", "small.yaml", "--import", MINE, "--out", "out", "--quiet");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tsallis: ERR_RUNS: 4 of 12 runs failed, first still\/tired\/1: ERR_CONFORMANCE: in round 51, choose of the policy thrower threw Error: tired after 50 rounds \(at ArmZero\.force \(mine\.mjs:18:\d+\)\); --retry-failed reruns failed runs \(an edited module is another experiment\)\n$/,
    );
    expect(stdout).toMatch(/^│ tired \(2 failed\) /m);
    const failed = rowsIn("out").map(({ policy, seeds, failed }: { policy: string; seeds: number; failed: number }) => [policy, seeds, failed]);
    expect(failed).toEqual([
      ["tired", 0, 2],
      ["uniform", 2, 0],
      ["zero", 2, 0],
      ["tired", 0, 2],
      ["uniform", 2, 0],
      ["zero", 2, 0],
    ]);
    expect((await spawned("run", "small.yaml", "--import", MINE, "--out", "out", "--quiet")).code).toBe(1);
  });

  it("--retry-failed reruns failed runs, and ends in the bytes of a folder in which none failed", async () => {
    write(experimentText({ policies: "  moody: { policy: moody }\n  uniform: { policy: uniform }\n" }));
    const weak = (...args: string[]) => spawned("run", "small.yaml", "--import", WEAK, ...args);
    vi.stubEnv("MOODY", "1");
    expect((await weak("--out", "out", "--quiet")).stderr).toMatch(
      /4 of 8 runs failed.*: in round 1, choose of the policy moody threw Error: not today \(at .*weak\.mjs:30:\d+\)\); --retry-failed reruns failed runs \(an edited module is another experiment\)\n$/,
    );
    vi.unstubAllEnvs();
    expect(await weak("--out", "out", "--quiet")).toMatchObject({ code: 1, stderr: expect.stringContaining("4 of 8 runs failed") });
    expect(await weak("--out", "out", "--only", "still/*", "--retry-failed")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/4 runs into out, 2 of them already there\n[\s\S]*2 of 8 runs failed, first moving\/moody\/1/),
    });
    expect((await weak("--out", "out", "--retry-failed", "--quiet")).code).toBe(0);
    expect((await weak("--out", "whole", "--quiet")).code).toBe(0);
    expect(lastingFiles(join(folder, "out"))).toEqual(lastingFiles(join(folder, "whole")));
    expect((await spawned("verify", "out", "--import", WEAK)).code).toBe(0);
  });

  it("a thread that runs out of memory says so, with what to do; the rest continues", async () => {
    write(experimentText({ seeds: 1, policies: "  hungry: { policy: hungry }\n  uniform: { policy: uniform }\n" }));
    vi.stubEnv("NODE_OPTIONS", "--max-old-space-size=120");
    const { code, stderr } = await spawned("run", "small.yaml", "--import", WEAK, "--only", "still/*", "--workers", "1", "--out", "out", "--quiet");
    vi.unstubAllEnvs();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tsallis: ERR_RUNS: 1 of 2 runs failed, still\/hungry\/1: ERR_MEMORY: the thread that played it ran out of memory; play fewer runs at once/,
    );
    expect(rowsIn("out").map(({ policy, failed }: { policy: string; failed: number }) => [policy, failed])).toEqual([
      ["hungry", 1],
      ["uniform", 0],
    ]);
  });

  it("report asks for the same modules, and loads none by itself", async () => {
    write(experimentText({ policies }));
    await spawned("run", "small.yaml", "--import", MINE, "--out", "out");
    const before = lastingFiles(join(folder, "out"));
    const refused = await spawned("report", "out");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      /^tsallis: ERR_IMPORT: these results were made with \S+mine\.mjs; give that module, unchanged with all that it loads, with --import\n$/,
    );
    expect((await spawned("report", "out", "--import", MINE)).code).toBe(0);
    expect(lastingFiles(join(folder, "out"))).toEqual(before);
  });

  it("verify prints remedies that can be given as they stand, modules included", async () => {
    write(experimentText({ policies }));
    await spawned("run", "small.yaml", "--import", MINE, "--out", "my out");
    appendFileSync(join(folder, "my out", "ranking.tex"), " ");
    const found = await spawned("verify", "my out", "--import", MINE);
    expect(found.stderr).toContain(`; write these files again with: tsallis report 'my out' --import ${MINE}\n`);
    expect((await spawned("report", "my out", "--import", MINE)).code).toBe(0);
    const journal = join(folder, "my out", "journal.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").replace(/\n.*\n$/, "\n"));
    const { stderr } = await spawned("verify", "my out", "--import", MINE);
    expect(stderr).toContain(`: tsallis run ... --import ${MINE} --out 'my out'\n`);
  });
});

import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimentText } from "./experiments.js";
import { tsallis } from "./inProcess.js";

describe("run --dry-run", () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-dry-"));
  const dry = (...args: string[]) => tsallis(["run", "small.yaml", "--dry-run", ...args], "", folder);
  beforeAll(() => writeFileSync(join(folder, "small.yaml"), experimentText()));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("says what it would play, and where it would write, and writes nothing", async () => {
    const { code, stdout, stderr } = await dry("--workers", "2");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^small, a dry run: nothing was written\nruns {4}12\nrounds {2}3,600\ntime {4}about \d+ s with 2 threads, \d+ s of one core\n/,
    );
    expect(stdout).toMatch(
      /^memory {2}about \d+ MB\nfolder {2}results\/small-[0-9a-f]{8}\nTime and memory are estimates: one run of each of the 6 cells /m,
    );
    expect(readdirSync(folder)).toEqual(["small.yaml"]);
  });

  it("of one cell says so", async () => {
    expect((await dry("--only", "still/told/1")).stdout).toMatch(
      / estimates: one run of the one cell \(environment, policy, swept value\) was begun, in /,
    );
  });

  it("--json prints one object", async () => {
    const { code, stdout, stderr } = await dry("--json", "--only", "still/*", "--out", "there", "--workers", "3");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      name: "small",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      directory: "there",
      runs: 6,
      found: 0,
      rounds: 1800,
      threads: 3,
      coreSeconds: expect.any(Number),
      seconds: expect.any(Number),
      bytes: expect.any(Number),
      sample: { cells: 3, begun: 3, seconds: expect.any(Number), coreSeconds: expect.any(Number) },
      failed: [],
    });
    expect(existsSync(join(folder, "there"))).toBe(false);
  });

  it("with a queue tells the time of one core, and does not look for the queue", async () => {
    const { code, stdout } = await dry("--queue", "redis://nowhere.invalid:1/0");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^time {4}about \d+ s of one core, to be divided by the cores of the workers$/m);
  });

  it("refuses what the real run refuses", async () => {
    writeFileSync(join(folder, "note.txt"), "mine");
    expect(await dry("--out", ".")).toMatchObject({ code: 2, stderr: expect.stringContaining("ERR_DIRECTORY: . holds files other than results") });
    expect(await dry("--only", "nobody")).toMatchObject({ code: 2, stderr: expect.stringContaining("ERR_NO_RUNS") });
  });
});

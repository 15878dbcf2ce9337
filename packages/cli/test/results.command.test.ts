import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { experimentText, lastingFiles } from "./experiments.js";
import { tsallis } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-results-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (...args: string[]) => tsallis(args, "", folder);

beforeAll(async () => {
  const text = experimentText({ seeds: 10 });
  writeFileSync(join(folder, "first.yaml"), text);
  writeFileSync(join(folder, "second.yaml"), text.replace("{ policy: htinf, alpha: promised, sigma: promised }", "{ policy: uniform }"));
  for (const name of ["first", "second"]) expect((await at("run", `${name}.yaml`, "--only", "still/*", "--out", name)).code).toBe(0);
});

describe("report", () => {
  it("writes everything again from the journal, and prints the rankings", async () => {
    const before = lastingFiles(join(folder, "first"));
    expect((await at("run", "first.yaml", "--only", "still/told/*", "--out", "part", "--csv")).code).toBe(0);
    expect((await at("run", "first.yaml", "--only", "still/*", "--out", "part")).code).toBe(0);
    for (const file of readdirSync(join(folder, "first"))) {
      if (!["experiment.json", "journal.jsonl"].includes(file)) rmSync(join(folder, "first", file), { recursive: true });
    }
    const { code, stdout, stderr } = await at("report", "first", "--csv");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^still: pseudo-regret after 300 rounds\n┌[\s\S]*^Report: first\/report\.html\n$/m);
    expect(lastingFiles(join(folder, "first"))).toEqual(before);
    // A table that was once requested is updated with later runs.
    expect(readFileSync(join(folder, "part", "traces.csv"), "utf8")).toBe(readFileSync(join(folder, "first", "traces.csv"), "utf8"));
  });

  it("leaves a folder alone while a process plays into it, and does not report a failing disk as a bug", async () => {
    const lock = join(folder, "second", "lock");
    // The lock of another live process: a process does not respect its own.
    writeFileSync(lock, JSON.stringify({ pid: process.ppid, start: 0, token: randomUUID() }));
    expect(await at("report", "second")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("is held by process") });
    rmSync(lock);
    rmSync(join(folder, "second", "report.html"));
    mkdirSync(join(folder, "second", "report.html"));
    expect(await at("report", "second")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("second: ERR_FILE: cannot be written"),
    });
    rmSync(join(folder, "second", "report.html"), { recursive: true });
    expect((await at("report", "second")).code).toBe(0);
  });
});

describe("compare", () => {
  it("finds nothing between results and themselves", async () => {
    expect(await at("compare", "first", "first")).toEqual({
      code: 0,
      stdout: "None of 3 cells changed beyond noise.\nWithin noise: 3\n",
      stderr: "",
    });
  });

  it("shows what changed, for people and for programs", async () => {
    const { stdout } = await at("compare", "first", "second");
    expect(stdout).toMatch(/^1 of 3 cells changed beyond noise\.\n┌/);
    expect(stdout).toMatch(/^│ still\/told /m);
    const { cells } = JSON.parse((await at("compare", "first", "second", "--json")).stdout);
    expect(cells.map(({ id, changed }: { id: string; changed: boolean }) => [id, changed])).toEqual([
      ["still/ada2tinf", false],
      ["still/told", true],
      ["still/uniform", false],
    ]);
  });
});

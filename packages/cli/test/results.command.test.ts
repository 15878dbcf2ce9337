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
    writeFileSync(lock, String(process.ppid));
    expect(await at("report", "second")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ERR_BUSY: second is being written") });
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

describe("report --open", () => {
  const openers = join(folder, "openers");
  /** Runs with a program of that text, or none, as the only one that can be found. */
  const opening = async (script: string | null) => {
    rmSync(openers, { recursive: true, force: true });
    mkdirSync(openers);
    if (script !== null) writeFileSync(join(openers, process.platform === "darwin" ? "open" : "xdg-open"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { PATH } = process.env;
    process.env.PATH = openers;
    try {
      return await at("report", "first", "--open");
    } finally {
      process.env.PATH = PATH;
    }
  };

  it("prints the path and opens the report in what the user has chosen", async () => {
    const told = join(folder, "opened.txt");
    const { code, stdout, stderr } = await opening(`echo "$1" > ${told}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Report: first\/report\.html\n$/m);
    expect(readFileSync(told, "utf8")).toBe(`${join(folder, "first", "report.html")}\n`);
  });

  it.each([
    [
      "there is no such program",
      null,
      /^tsallis: first\/report\.html: ERR_OPEN: no browser could be started: there is no \S+ here; open the file yourself\n$/,
    ],
    ["it fails", "exit 3", /^tsallis: first\/report\.html: ERR_OPEN: no browser could be started: \S+ ended with 3; open the file yourself\n$/],
  ])("says so if %s; the report is written all the same", async (_name, script, message) => {
    const { code, stdout, stderr } = await opening(script);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout).toContain("Report: first/report.html");
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

  it("writes a page that stands alone, the same every time", async () => {
    const { code, stdout } = await at("compare", "first", "second", "--html", "page.html");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 of 3 cells changed[\s\S]*^Page: page\.html\n$/m);
    const page = readFileSync(join(folder, "page.html"), "utf8");
    for (const text of [
      "1 of 3 cells changed beyond noise.",
      '<th scope="row">still/told</th><td><span class="verdict clear">changed</span>',
      "<b>first</b>",
      "<b>second</b>",
    ])
      expect([text, page.includes(text)]).toEqual([text, true]);
    expect(page.match(/https?:[^"'\s<]*|url\([^)]*\)|@import|\ssrc=|<link|NaN|undefined/g)).toBe(null);
    expect((await at("compare", "first", "second", "--html", "again.html", "--json")).stdout).toMatch(/^\{"cells":/);
    expect(readFileSync(join(folder, "again.html"), "utf8")).toBe(page);
    expect(await at("compare", "first", "second", "--html", "nowhere/page.html")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("nowhere/page.html: ERR_FILE: cannot be written: ENOENT"),
    });
  });
});

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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

describe("verify", () => {
  const hash = () => JSON.parse(readFileSync(join(folder, "verified", "experiment.json"), "utf8")).hash as string;
  beforeAll(async () => {
    expect((await at("run", "first.yaml", "--seeds", "1", "--out", "verified", "--csv")).code).toBe(0);
  });

  it("finds nothing in a folder that is whole, and says what it has looked at", async () => {
    const files = readdirSync(join(folder, "verified"), { recursive: true }).length - 3;
    expect(await at("verify", "verified")).toEqual({
      code: 0,
      stdout: `verified: small, hash ${hash().slice(0, 8)}, 6 runs\nIntact: every line of the journal is valid, and ${files} files made from it are the same, byte for byte.\n`,
      stderr: "",
    });
    const { stdout } = await at("verify", "verified", "--json");
    expect(JSON.parse(stdout)).toEqual({
      name: "small",
      version: expect.any(String),
      hash: hash(),
      runs: 6,
      completed: 6,
      failed: 0,
      compared: files,
      findings: [],
    });
  });

  it("names what is not as it must be, and what to do; the exit code is 1", async () => {
    writeFileSync(join(folder, "verified", "figures", "stray.svg"), "");
    appendFileSync(join(folder, "verified", "ranking.tex"), " ");
    const { code, stdout, stderr } = await at("verify", "verified");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}ranking\.tex: differs: .+\n {2}figures\/stray\.svg: foreign: .+\n$/m);
    expect(stderr).toBe(
      "tsallis: verified: ERR_RESULTS: 2 findings, the first: ranking.tex: it is not what follows from the journal; write these files again with: tsallis report verified\n",
    );
    expect(JSON.parse((await at("verify", "verified", "--json")).stdout).findings.map(({ file }: { file: string }) => file)).toEqual([
      "ranking.tex",
      "figures/stray.svg",
    ]);
    expect((await at("report", "verified")).code).toBe(0);
    expect((await at("verify", "verified")).code).toBe(0);
  });

  it("names a damaged line of the journal, which the command that made the folder plays again", async () => {
    const journal = join(folder, "verified", "journal.jsonl");
    const text = readFileSync(journal, "utf8");
    writeFileSync(
      journal,
      text.replace(/\d(?=\],"skipped)/, (digit) => String((Number(digit) + 1) % 10)),
    );
    const { code, stdout, stderr } = await at("verify", "verified");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}journal\.jsonl: damaged: line 2: its checksum does not fit\n/m);
    expect(stderr).toContain("; repair it with the command that made the folder: tsallis run ... --out verified\n");
    const again = await at("run", "first.yaml", "--seeds", "1", "--out", "verified", "--quiet");
    expect(again).toMatchObject({ code: 0, stderr: "tsallis: journal: 1 damaged line removed; 5 runs kept, 1 to play\n" });
    expect((await at("verify", "verified")).code).toBe(0);
  });

  it.each<[string, (text: string) => string]>([
    ["garbage at the end", (text) => `${text}garbage\n`],
    ["a damaged first line", (text) => text.replace("journal", "Journal")],
  ])("%s is taken out, and nothing is played for it", async (_, damage) => {
    const journal = join(folder, "verified", "journal.jsonl");
    writeFileSync(journal, damage(readFileSync(journal, "utf8")));
    const again = await at("run", "first.yaml", "--seeds", "1", "--out", "verified", "--quiet");
    expect(again).toMatchObject({ code: 0, stderr: "tsallis: journal: 1 damaged line removed; 6 runs kept, 0 to play\n" });
    expect((await at("verify", "verified")).code).toBe(0);
  });

  it("does not call a folder whole in which runs are missing: first they are to be played, whatever else differs", async () => {
    const journal = join(folder, "verified", "journal.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, lines.filter((_, i) => i !== 3).join("\n"));
    const lost = await at("verify", "verified");
    expect(lost.code).toBe(1);
    expect(lost.stdout).toMatch(
      /^verified: small, hash \w{8}, 6 runs\n {2}journal\.jsonl: incomplete: 1 run has no line\n( {2}[^\n]+: differs: [^\n]+\n)+5 of 6 runs are there, 1 still to play; continue with the command that made the folder\.\n$/,
    );
    const remedy = "journal.jsonl: 1 run has no line; continue with the command that made the folder: tsallis run ... --out verified\n";
    expect(lost.stderr).toMatch(/^tsallis: verified: ERR_RESULTS: \d+ findings, the first: /);
    expect(lost.stderr).toContain(remedy);
    // A report of the runs that are left does not make the folder whole.
    expect((await at("report", "verified")).code).toBe(0);
    expect(await at("verify", "verified")).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^verified: .+\n {2}journal\.jsonl: incomplete: 1 run has no line\n5 of 6 runs are there, 1 still to play; continue with the command that made the folder\.\n\d+ files made from the journal are the same, byte for byte\.\n$/,
      ),
      stderr: `tsallis: verified: ERR_RESULTS: ${remedy}`,
    });
    expect((await at("run", "first.yaml", "--seeds", "1", "--out", "verified", "--quiet")).code).toBe(0);
    expect((await at("verify", "verified")).code).toBe(0);
  });

  it("refuses a folder without results, or whose experiment was changed", async () => {
    expect(await at("verify", ".")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ERR_RESULTS: . holds no results") });
    const path = join(folder, "verified", "experiment.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"shape": 1.6', '"shape": 1.7'));
    expect(await at("verify", "verified")).toMatchObject({ code: 2, stderr: expect.stringContaining("experiment.json is damaged: its hash is") });
    rmSync(path);
    const lost = "verified has a journal, but no experiment.json; restore it from a copy";
    expect(await at("verify", "verified")).toMatchObject({ code: 2, stderr: expect.stringContaining(`ERR_RESULTS: ${lost}`) });
    expect(await at("run", "first.yaml", "--seeds", "1", "--out", "verified")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`ERR_DIRECTORY: ${lost}`),
    });
    for (const command of ["verify", "report"]) {
      expect(await at(command, "nowhere")).toMatchObject({
        code: 2,
        stderr: "tsallis: ERR_RESULTS: nowhere does not exist; name a folder that tsallis run has written\n",
      });
    }
  });
});

describe("report while the same folder is played", () => {
  it("tells of all runs that are there when it writes", async () => {
    // While the module is imported for the report, another process plays what is left.
    const bin = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
    const rest = JSON.stringify([bin, "run", "raced.yaml", "--import", "raced.mjs", "--out", "raced", "--quiet", "--workers", "1"]);
    writeFileSync(
      join(folder, "raced.mjs"),
      `import { execFileSync } from "node:child_process";
import { isMainThread } from "node:worker_threads";
if (isMainThread && process.env.TSALLIS_RACE === "yes") execFileSync(process.execPath, ${rest}, { cwd: ${JSON.stringify(folder)}, env: { ...process.env, TSALLIS_RACE: "" } });
export const environments = { raced: { description: "d", parameters: {}, create: () => ({ arms: 2, alpha: 1.5, loss: (round, arm) => arm, mean: (round, arm) => arm }) } };
`,
    );
    writeFileSync(
      join(folder, "raced.yaml"),
      "name: raced\nhorizon: 50\nseeds: 3\nenvironments: { a: { environment: raced } }\npolicies: { uniform: { policy: uniform } }\n",
    );
    const inProcess = (env: string, ...args: string[]) =>
      spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: "utf8", env: { ...process.env, TSALLIS_RACE: env } });
    expect(inProcess("", "run", "raced.yaml", "--import", "raced.mjs", "--only", "*/1", "--out", "raced", "--quiet").status).toBe(0);
    expect(inProcess("yes", "report", "raced", "--import", "raced.mjs").status).toBe(0);
    const { rows } = JSON.parse(readFileSync(join(folder, "raced", "summary.json"), "utf8"));
    expect(rows[0].seeds).toBe(3);
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
      /^tsallis: first\/report\.html: ERR_BROWSER: no browser could be started: there is no \S+ here; open the file yourself\n$/,
    ],
    ["it fails", "exit 3", /^tsallis: first\/report\.html: ERR_BROWSER: no browser could be started: \S+ ended with 3; open the file yourself\n$/],
  ])("says so if %s; the report is written all the same", async (_name, script, message) => {
    const { code, stdout, stderr } = await opening(script);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stdout).toContain("Report: first/report.html");
  });
});

it("report --pdf names the browser that is not there; the report is written all the same", async () => {
  const { CHROMIUM = "" } = process.env;
  process.env.CHROMIUM = join(folder, "no-browser");
  const { code, stdout, stderr } = await at("report", "first", "--pdf", "printed");
  process.env.CHROMIUM = CHROMIUM;
  expect(stderr).toMatch(/^tsallis: --pdf: ERR_BROWSER: no browser could be started: there is no \S+no-browser; install Chromium, or name it in /);
  expect([code, stdout.includes("Report: first/report.html")]).toEqual([1, true]);
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
    expect(stdout).toMatch(/^1 of 3 cells changed beyond noise: 0 better, 1 worse\.\n┌/);
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
      "1 of 3 cells changed beyond noise: 0 better, 1 worse.",
      '<th scope="row">still/told</th><td><span class="verdict fails">worse</span>',
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

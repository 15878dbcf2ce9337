import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soak } from "../../../test/soak.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { FrozenExperiment } from "../src/document/experiment.js";
import { freezeExperiment, hashOf } from "../src/document/freezeExperiment.js";
import { inlineExecutor } from "../src/executors/inlineExecutor.js";
import { StoredResults } from "../src/journal/storedResults.js";
import { LabError } from "../src/labError.js";
import { verifyResults } from "../src/report/verifyResults.js";
import { writeResults } from "../src/report/writeResults.js";
import type { RunResult } from "../src/run/runResult.js";
import { runExperiment } from "../src/runExperiment.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-damage-"));
afterAll(() => rmSync(root, { recursive: true }));
const whole = join(root, "whole");
const out = join(root, "out");

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });
const frozenWith = (more: object = {}) =>
  freezeExperiment(
    completeExperiment({
      name: "small",
      horizon: 60,
      seeds: 2,
      checkpoints: 8,
      environments: { a: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2)] } },
      policies: { ada: { policy: "ada2tinf" }, uniform: { policy: "uniform" } },
      ...more,
    }),
    // It is not loaded here: whoever reads a folder does that, or not.
    [{ file: "mine.mjs", hash: "0".repeat(64) }],
  );
const frozen = frozenWith();

/** Plays into a folder what is not there yet; returns how many lines of its journal were damaged. */
async function run(directory: string, of: FrozenExperiment = frozen): Promise<number> {
  let damaged = 0;
  const onDamage = (lines: number) => {
    damaged = lines;
  };
  await runExperiment(of, { directory, executor: inlineExecutor, signal: new AbortController().signal, csv: true, onDamage });
  return damaged;
}

/** All files of a folder and in it, from it. */
const filesIn = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((file) => statSync(join(directory, file)).isFile())
    .sort();
const read = (directory: string, file: string) => readFileSync(join(directory, file));
/** The files that a folder does not have as the whole one does. Wall time is in the journal and in timing.json, and runs that were played again took another. */
const changedIn = (directory: string) =>
  [...new Set([...filesIn(whole), ...filesIn(directory)])].filter(
    (file) =>
      !["journal.jsonl", "timing.json"].includes(file) &&
      !(filesIn(directory).includes(file) && filesIn(whole).includes(file) && read(directory, file).equals(read(whole, file))),
  );
const fresh = () => {
  rmSync(out, { recursive: true, force: true });
  cpSync(whole, out, { recursive: true });
};
const linesOf = (directory: string) => read(directory, "journal.jsonl").toString().trimEnd().split("\n");
const writeLines = (lines: readonly string[]) => writeFileSync(join(out, "journal.jsonl"), lines.map((line) => `${line}\n`).join(""));
const found = async (directory = out) => (await verifyResults(directory)).findings.map(({ file, problem }) => `${file} ${problem}`);

beforeAll(() => run(whole));

describe("verify", () => {
  test("finds nothing in a whole folder, and leaves it as it is", async () => {
    const before = filesIn(whole).map((file) => [file, statSync(join(whole, file)).mtimeMs]);
    expect(await verifyResults(whole)).toMatchObject({ frozen, runs: 4, completed: 4, failed: 0, compared: filesIn(whole).length - 2, findings: [] });
    expect(filesIn(whole).map((file) => [file, statSync(join(whole, file)).mtimeMs])).toEqual(before);
  });

  test("finds a folder that was played in part incomplete, and everything missing in one that was interrupted", async () => {
    const part = join(root, "part");
    await runExperiment(frozen, { directory: part, executor: inlineExecutor, signal: new AbortController().signal, only: "ada" });
    const incomplete = { file: "journal.jsonl", problem: "incomplete", detail: "2 runs have no line" };
    expect(await verifyResults(part)).toMatchObject({ runs: 4, completed: 2, compared: filesIn(part).length - 2, findings: [incomplete] });
    for (const file of readdirSync(part)) if (!/^(?:experiment|journal)/.test(file)) rmSync(join(part, file), { recursive: true });
    const { findings } = await verifyResults(part);
    expect(findings[0]).toEqual(incomplete);
    expect(new Set(findings.slice(1).map(({ problem }) => problem))).toEqual(new Set(["missing"]));
  });

  test("names what differs, is missing or does not belong there", async () => {
    fresh();
    appendFileSync(join(out, "report.html"), " ");
    rmSync(join(out, "summary.json"));
    writeFileSync(join(out, "figures", "stray.svg"), "");
    mkdirSync(join(out, "stray", "deep"), { recursive: true });
    writeFileSync(join(out, "lock"), "");
    rmSync(join(out, "ranking.csv"));
    mkdirSync(join(out, "ranking.csv"));
    expect(await found()).toEqual([
      "ranking.csv differs",
      "report.html differs",
      "summary.json missing",
      "figures/stray.svg foreign",
      "lock foreign",
      "stray foreign",
    ]);
  });

  test("names every line of the journal that is damaged, and a last one without an end", async () => {
    fresh();
    const [head, first, ...rest] = linesOf(whole);
    writeLines([head!, first!.replace("seconds", "Seconds"), "garbage", ...rest]);
    appendFileSync(join(out, "journal.jsonl"), "{");
    const { findings, completed } = await verifyResults(out);
    expect(findings.map(({ file, detail }) => `${file} ${detail}`)).toEqual([
      "journal.jsonl line 2: its checksum does not fit",
      "journal.jsonl line 3: its checksum does not fit",
      "journal.jsonl its last line has no end",
      "journal.jsonl 1 run has no line",
    ]);
    expect(completed).toBe(3);
  });

  test("says of a folder of another version that only this one can compare it", async () => {
    const other = { ...frozen, version: "0.0.9", hash: hashOf({ ...frozen, version: "0.0.9" }) };
    const old = join(root, "old");
    await run(old, other);
    expect(await found(old)).toEqual(["experiment.json other-version"]);
  });

  test("refuses a folder without a journal, without a run, or with a changed experiment", async () => {
    fresh();
    writeLines(linesOf(whole).slice(0, 1));
    await expect(verifyResults(out)).rejects.toThrow(/no finished run/);
    rmSync(join(out, "journal.jsonl"));
    await expect(verifyResults(out)).rejects.toThrow(/no journal\.jsonl/);
    writeFileSync(join(out, "experiment.json"), read(whole, "experiment.json").toString().replace('"shape": 1.8', '"shape": 1.7'));
    await expect(verifyResults(out)).rejects.toThrow(/experiment\.json is damaged: its hash is/);
  });
});

describe("a run into a folder", () => {
  const nextDigit = (digit: string) => String((Number(digit) + 1) % 10);
  test.each<[string, (lines: string[]) => string[], number]>([
    ["without a line of the journal", ([head, a, , ...rest]) => [head!, a!, ...rest], 0],
    ["without the first line of the journal", ([, ...rest]) => rest, 1],
    ["with two lines swapped", ([head, a, b, ...rest]) => [head!, b!, a!, ...rest], 0],
    ["with a line twice", ([head, a, ...rest]) => [head!, a!, ...rest, a!], 0],
    ["with a changed digit", ([head, a, ...rest]) => [head!, a!.replace(/\d(?=\],"skipped)/, nextDigit), ...rest], 1],
    ["with a shortened trace", ([head, a, ...rest]) => [head!, a!.replace(/("pseudoRegret":\[)[^,]+,/, "$1"), ...rest], 1],
    ["with garbage in the middle", ([head, a, ...rest]) => [head!, a!, "garbage", ...rest], 1],
  ])("%s ends in the same bytes", async (_, change, damaged) => {
    fresh();
    const lines = linesOf(whole);
    const changed = change(lines);
    expect(changed).not.toEqual(lines);
    writeLines(changed);
    expect(await run(out)).toBe(damaged);
    expect(changedIn(out)).toEqual([]);
    expect(await found()).toEqual([]);
    expect(linesOf(out)).toHaveLength(lines.length);
  });

  test("with the lines of an experiment with the same runs and rounds, but other losses, plays its own", async () => {
    const other = join(root, "other");
    await run(other, frozenWith({ environments: { a: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(3)] } } }));
    fresh();
    const lines = linesOf(whole);
    writeLines([lines[0]!, ...linesOf(other).slice(1, 3), ...lines.slice(3)]);
    expect(await run(out)).toBe(2);
    expect(changedIn(out)).toEqual([]);
    writeLines(linesOf(other));
    await expect(run(out)).rejects.toThrow(expect.objectContaining({ code: "ERR_RESULTS" }));
  });

  test("whose results cannot be written leaves the files that are there as they are", async () => {
    fresh();
    writeFileSync(join(out, "summary.json"), "of an earlier time");
    const results = StoredResults.read(join(out, "journal.jsonl"), frozen);
    // Nothing that a journal or a worker could bring.
    const broken = (id: string): RunResult | undefined => {
      const result = results.get(id);
      if (id !== "a/ada/2" || result?.status !== "completed") return result;
      return { ...result, trace: { ...result.trace, realizedRegret: result.trace.realizedRegret.slice(0, -1) } };
    };
    const writing = writeResults(out, frozen, { size: results.size, has: (id) => results.has(id), get: broken }).then(
      () => "written",
      () => "failed",
    );
    expect(await writing).toBe("failed");
    expect(changedIn(out)).toEqual(["summary.json"]);
    expect(read(out, "summary.json").toString()).toBe("of an earlier time");
  });

  test(`no change of one byte of a folder is taken silently: ${soak(40, 1000)} of them`, async () => {
    const random = stream(16, "damage");
    const derived = filesIn(whole).filter((file) => !["experiment.json", "journal.jsonl", "timing.json"].includes(file));
    const anyOf = (files: readonly string[]) => files[Math.floor(random.uniform() * files.length)]!;
    const counts = { seen: 0, refused: 0, replayed: 0, rewritten: 0 };
    for (let i = 0; i < soak(40, 1000); i++) {
      // Half of them where everything else follows from.
      const file = anyOf(i % 2 === 0 ? ["experiment.json", "journal.jsonl"] : derived);
      fresh();
      const bytes = read(out, file);
      const place = Math.floor(random.uniform() * bytes.length);
      bytes[place]! ^= 1 + Math.floor(random.uniform() * 255);
      writeFileSync(join(out, file), bytes);
      const what = `byte ${place} of ${file}`;
      const verified = await found().catch((error: unknown) => {
        expect(error, what).toBeInstanceOf(LabError);
        return ["refused"];
      });
      expect(verified, what).not.toEqual([]);
      counts.seen++;
      try {
        const damaged = await run(out);
        // The last line without its end is one that was never finished.
        if (file === "journal.jsonl") expect(damaged > 0 || place === bytes.length - 1, what).toBe(true);
        if (file === "journal.jsonl") counts.replayed++;
        else counts.rewritten++;
        expect(changedIn(out), what).toEqual([]);
        expect(await found(), what).toEqual([]);
      } catch (error) {
        expect(error, what).toBeInstanceOf(LabError);
        counts.refused++;
      }
    }
    expect(counts.refused + counts.replayed + counts.rewritten).toBe(counts.seen);
    if (process.env.SOAK !== undefined) console.log(counts);
  });
});

import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { Journal } from "../src/journal/journal.js";
import { readResults } from "../src/journal/readResults.js";
import { claimDirectory } from "../src/journal/resultsDirectory.js";
import type { RunResult } from "../src/run/runResult.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsallis-lab-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failed = (id: string): RunResult => ({ id, status: "failed", error: { code: null, message: "ä\n" }, seconds: 0.1 });
const frozen = (horizon = 10) =>
  freezeExperiment(
    completeExperiment({
      name: "x",
      horizon,
      seeds: 1,
      environments: { a: { environment: "lower-bound", alpha: 2, arms: 2, gap: 0.1 } },
      policies: { uniform: { policy: "uniform" } },
    }),
  );

describe("the journal", () => {
  const path = () => join(folder, "journal.jsonl");

  test("gives back what was appended, also by another process before", () => {
    for (const id of ["a", "b", "c"]) {
      const { journal, results } = Journal.open(path());
      expect([...results.keys()]).toEqual(["a", "b", "c"].slice(0, results.size));
      journal.append(failed(id));
      journal.close();
    }
    expect([...Journal.read(path()).values()]).toEqual([failed("a"), failed("b"), failed("c")]);
  });

  test("lines may be of any length: it is read by blocks of 16 MB", () => {
    const large = (id: string, size: number): RunResult => ({ id, status: "failed", error: { code: null, message: "ä".repeat(size) }, seconds: 0 });
    // Three to a block, one over two, one over three blocks.
    const all = [large("a", 3e6), large("b", 2e6), failed("c"), large("d", 9e6), large("e", 2e7), failed("f")];
    const { journal } = Journal.open(path());
    for (const result of all) journal.append(result);
    journal.close();
    const read = Journal.read(path());
    expect([...read.keys()]).toEqual(["a", "b", "c", "d", "e", "f"]);
    for (const result of all) expect(JSON.stringify(read.get(result.id)) === JSON.stringify(result)).toBe(true);
  });

  test("cut anywhere, it keeps the whole lines before, and goes on from there", () => {
    const lines = ["a", "bb", "ccc"].map((id) => `${JSON.stringify(failed(id))}\n`);
    const text = Buffer.from(lines.join(""));
    for (let length = 0; length <= text.length; length++) {
      writeFileSync(path(), text);
      truncateSync(path(), length);
      const whole = lines.filter((_, i) => Buffer.byteLength(lines.slice(0, i + 1).join("")) <= length).length;
      const { journal, results } = Journal.open(path());
      expect(results.size).toBe(whole);
      journal.append(failed("d"));
      journal.close();
      expect(readFileSync(path(), "utf8")).toBe(`${lines.slice(0, whole).join("")}${JSON.stringify(failed("d"))}\n`);
    }
  });

  test.each(["\0\0\0\0\n", "{}\n", "null\n", '{"id":"b","status":"completed","trace":null}\n', '{"id":1,"status":"failed"}\n'])(
    "drops everything from a damaged line on: %j",
    (damage) => {
      writeFileSync(path(), `${JSON.stringify(failed("a"))}\n${damage}${JSON.stringify(failed("b"))}\n`);
      expect([...Journal.read(path()).keys()]).toEqual(["a"]);
    },
  );
});

describe("a folder of results", () => {
  test("is made, taken, given back and taken again", () => {
    const directory = join(folder, "deep", "er");
    claimDirectory(directory, frozen())();
    claimDirectory(directory, frozen())();
    expect(readdirSync(directory)).toEqual(["experiment.json"]);
    expect(JSON.parse(readFileSync(join(directory, "experiment.json"), "utf8"))).toEqual(frozen());
  });

  test("that holds another experiment is refused and left as it is", () => {
    claimDirectory(folder, frozen())();
    expect(() => claimDirectory(folder, frozen(11))).toThrow(expect.objectContaining({ code: "ERR_DIRECTORY" }));
    expect(readdirSync(folder)).toEqual(["experiment.json"]);
  });

  test("that holds something else is refused and left as it is", () => {
    writeFileSync(join(folder, "thesis.tex"), "");
    expect(() => claimDirectory(folder, frozen())).toThrow(expect.objectContaining({ code: "ERR_DIRECTORY" }));
    expect(readdirSync(folder)).toEqual(["thesis.tex"]);
  });

  test("that a living process holds is refused; that of a dead one is taken over", () => {
    writeFileSync(join(folder, "lock"), String(process.ppid));
    expect(() => claimDirectory(folder, frozen())).toThrow(expect.objectContaining({ code: "ERR_BUSY" }));
    // The largest process id of Linux is 2^22.
    for (const dead of [String(2 ** 30), "", "nonsense"]) {
      writeFileSync(join(folder, "lock"), dead);
      claimDirectory(folder, frozen())();
    }
  });

  test("is held against a second writer in the same process, too", () => {
    const release = claimDirectory(folder, frozen());
    expect(() => claimDirectory(folder, frozen())).toThrow(expect.objectContaining({ code: "ERR_BUSY" }));
    release();
    // A process number that came back, as in a container that was started again.
    writeFileSync(join(folder, "lock"), String(process.pid));
    claimDirectory(folder, frozen())();
  });

  test("that was held when the machine lost its power is taken over, whoever has the number now", () => {
    const path = join(folder, "lock");
    writeFileSync(path, String(process.ppid));
    const beforeStart = Date.now() / 1000 - uptime() - 60;
    utimesSync(path, beforeStart, beforeStart);
    claimDirectory(folder, frozen())();
  });

  test("without results says so", () => {
    expect(() => readResults(folder)).toThrow(expect.objectContaining({ code: "ERR_RESULTS" }));
    claimDirectory(folder, frozen())();
    expect(() => readResults(folder)).toThrow(/no finished run/);
    appendFileSync(join(folder, "journal.jsonl"), `${JSON.stringify(failed("a"))}\n`);
    expect(readResults(folder).results.size).toBe(1);
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "experiment.json"), "{}");
    expect(() => readResults(folder)).toThrow(/damaged/);
    writeFileSync(join(folder, "experiment.json"), '{"hash":"a","experiment":null}');
    expect(() => readResults(folder)).toThrow(/damaged/);
  });
});

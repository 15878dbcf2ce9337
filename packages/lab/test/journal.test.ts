import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { ImportedModule } from "../src/document/experiment.js";
import { freezeExperiment, hashOf } from "../src/document/freezeExperiment.js";
import { runsOf } from "../src/document/runs.js";
import { Journal } from "../src/journal/journal.js";
import { LineReader } from "../src/journal/lineReader.js";
import { readResults } from "../src/journal/readResults.js";
import { claimDirectory, readFrozen } from "../src/journal/resultsDirectory.js";
import { seal } from "../src/journal/seal.js";
import { StoredResults } from "../src/journal/storedResults.js";
import { executeRun } from "../src/run/executeRun.js";
import type { Results } from "../src/run/results.js";
import type { RunResult } from "../src/run/runResult.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsallis-lab-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const failed = (id: string, message = "ä\n"): RunResult => ({ id, status: "failed", error: { code: null, message }, seconds: 0.1 });
const frozenWith = (more: object = {}) =>
  freezeExperiment(
    completeExperiment({
      name: "x",
      horizon: 10,
      seeds: 1,
      environments: { a: { environment: "lower-bound", alpha: 2, arms: 2, gap: 0.1 } },
      policies: { uniform: { policy: "uniform" } },
      ...more,
    }),
  );
const frozen = (horizon = 10) => frozenWith({ horizon });

describe("the journal", () => {
  const path = () => join(folder, "journal.jsonl");
  const SEEDS = 12;
  const mine = frozenWith({ seeds: SEEDS });
  const runs = runsOf(mine.experiment);
  const ids = runs.map(({ id }) => id);
  const played = runs.map((run) => executeRun(mine.experiment, run, () => {}));
  const open = (of = mine) => Journal.open(path(), of);
  const read = (of = mine) => StoredResults.read(path(), of);
  const text = () => readFileSync(path(), "utf8");
  /** What it holds, in the order of the document. */
  const held = (results: Results) => ids.flatMap((id) => results.get(id) ?? []);
  const write = (results: readonly RunResult[], of = mine) => {
    rmSync(path(), { force: true });
    const journal = open(of);
    for (const result of results) journal.append(result);
    journal.close();
  };

  test("gives back what was appended, also by another process before", () => {
    for (const [i, result] of played.entries()) {
      const journal = open();
      expect([journal.size, journal.scan.damage]).toEqual([i, []]);
      journal.append(result);
      expect(journal.get(result.id)).toEqual(result);
      journal.close();
    }
    expect(held(read())).toEqual(played);
    expect(read().has("a/uniform/99")).toBe(false);
    expect(read().get("a/uniform/99")).toBeUndefined();
  });

  test("is lines of JSON, each with a checksum; the first names format and experiment", () => {
    write(played.slice(0, 1));
    const lines = text().trimEnd().split("\n");
    const sum = (content: string) => createHash("sha256").update(`${mine.hash}\n${content}`).digest("hex").slice(0, 32);
    const contents = [JSON.stringify({ journal: 1, experiment: mine.hash }), JSON.stringify(played[0])];
    expect(lines).toEqual(contents.map((content) => `{"sha256":"${sum(content)}","content":${content}}`));
  });

  test("lines may be of any length: it is read by blocks of 4 MB", () => {
    // Three to a block, one over two, one over three blocks.
    const sizes = [7e5, 5e5, 1, 2.2e6, 5e6, 1];
    const all = sizes.map((size, i) => failed(ids[i]!, "ä".repeat(size)));
    write(all);
    const results = read();
    expect(results.size).toBe(sizes.length);
    for (const result of all) expect(JSON.stringify(results.get(result.id)) === JSON.stringify(result)).toBe(true);
  });

  test("has in memory only where its lines are: less than 400 bytes per run", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const many = frozenWith({ seeds: 2000 });
    write(
      runsOf(many.experiment).map(({ id }) => failed(id, "x".repeat(10_000))),
      many,
    );
    for (const results of [() => read(many), () => StoredResults.find(path(), many)]) {
      const before = heap();
      const held = results();
      expect((heap() - before) / 2000).toBeLessThan(400);
      expect(held.size).toBe(2000);
    }
  });

  test("cut anywhere, it keeps the whole lines before, goes on from there, and has nothing to report", () => {
    write(ids.slice(0, 3).map((id) => failed(id)));
    const whole = readFileSync(path());
    const ends = [...whole.entries()].flatMap(([i, byte]) => (byte === 10 ? [i + 1] : []));
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path(), whole.subarray(0, length));
      const kept = Math.max(0, ends.filter((end) => end <= length).length - 1);
      const { size, scan } = read();
      expect([size, scan.damage, scan.unfinished]).toEqual([kept, [], length > 0 && !ends.includes(length)]);
      // What waits for the disk is done at the ends of lines, and now and then between them.
      if (length % 40 > 0 && !ends.some((end) => Math.abs(length - end) <= 1)) continue;
      const journal = open();
      expect([journal.size, journal.scan.damage]).toEqual([kept, []]);
      journal.append(played[3]!);
      journal.close();
      expect([read().size, read().scan.damage]).toEqual([kept + 1, []]);
      expect(readFileSync(path()).subarray(0, ends[kept])).toEqual(whole.subarray(0, ends[kept]));
    }
  });

  test("property: every change of one byte is noticed, and costs no more than the lines beside it", () => {
    write(played.slice(0, 3));
    const whole = readFileSync(path());
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= change;
        writeFileSync(path(), bytes);
        const results = read();
        // Without its end, the last line is one that was never finished.
        expect(results.scan.damage.length > 0 || at === whole.length - 1).toBe(true);
        expect(results.size).toBeGreaterThanOrEqual(1);
        for (const result of held(results)) expect(result).toEqual(played[ids.indexOf(result.id)]);
      }),
      { numRuns: 1000 },
    );
  });

  test("property: found by a glance, results are those of a scan, and a damaged line is refused in its words when it is read at the latest", () => {
    write(played.slice(0, 3));
    const whole = readFileSync(path());
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at]! ^= change;
        writeFileSync(path(), bytes);
        const { size, scan } = read();
        const found = () => held(StoredResults.find(path(), mine));
        if (scan.damage.length === 0) expect(found()).toEqual(played.slice(0, size));
        else expect(found).toThrow(new RegExp(`damaged lines?,? (the first )?at ${scan.damage[0]!.line} \\(${scan.damage[0]!.problem.slice(0, 20)}`));
      }),
      { numRuns: 1000 },
    );
  });

  test("found by a glance, a result that does not fit its run is refused under a checksum that fits, and so is one that moved", () => {
    const other = frozenWith({ checkpoints: 3 });
    write([executeRun(other.experiment, runsOf(other.experiment)[0]!, () => {}), played[1]!]);
    const found = StoredResults.find(path(), mine);
    expect(found.get(ids[1]!)).toEqual(played[1]);
    expect(() => found.get(ids[0]!)).toThrow(/damaged line at 2 \(trace\.round /);
    write([played[0]!, played[1]!]);
    const before = StoredResults.find(path(), mine);
    write([played[1]!, played[0]!]);
    expect(() => held(before)).toThrow(/was changed while it was in use/);
  });

  test.each([
    ["garbage", "\0\0\0\0"],
    ["an empty line", ""],
    ["an object", "{}"],
    ["null", "null"],
    ["a line without a checksum", JSON.stringify(failed("a/uniform/1"))],
    ["a line of an unknown run", seal(mine.hash, JSON.stringify(failed("b"))).toString()],
    ["a line that is no result", seal(mine.hash, "null").toString()],
    ["a result with a strange status", seal(mine.hash, JSON.stringify({ id: ids[0], status: "odd", seconds: 1 })).toString()],
    ["a line of another experiment", seal(frozen(9).hash, JSON.stringify(failed(ids[0]!))).toString()],
  ])("%s in the middle is taken out, and the lines after it stay", (_, damage) => {
    write([played[1]!, played[2]!]);
    const [head, first, second] = text().split("\n");
    writeFileSync(path(), `${[head, first, damage, second].join("\n")}\n`);
    expect(held(read())).toEqual([played[1], played[2]]);
    const journal = open();
    expect(journal.scan.damage).toEqual([{ line: 3, problem: expect.any(String) }]);
    expect(held(journal)).toEqual([played[1], played[2]]);
    journal.append(played[3]!);
    expect(held(journal)).toEqual([played[1], played[2], played[3]]);
    journal.close();
    expect(text().startsWith(`${[head, first, second].join("\n")}\n`)).toBe(true);
    expect([held(read()), read().scan.damage]).toEqual([[played[1], played[2], played[3]], []]);
    expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
  });

  test("a trace on another grid, under a checksum that fits, does not count", () => {
    const other = frozenWith({ checkpoints: 3 });
    const [run] = runsOf(other.experiment);
    write([executeRun(other.experiment, run!, () => {}), played[1]!]);
    expect([held(read()), read().scan.damage]).toEqual([[played[1]], [{ line: 2, problem: expect.stringContaining("trace.round") }]]);
  });

  test("a line twice is once; two lines that contradict each other are none", () => {
    write([played[0]!, played[1]!, played[0]!]);
    expect([held(read()), read().scan.damage]).toEqual([[played[0], played[1]], []]);
    open().close();
    expect(text().split("\n")).toHaveLength(4);
    const other = { ...played[0]!, seconds: played[0]!.seconds + 1 };
    for (const all of [
      [played[0]!, played[1]!, other],
      [played[0]!, other, played[1]!, played[0]!],
    ]) {
      write(all);
      expect(held(read())).toEqual([played[1]]);
      expect(
        read()
          .scan.damage.map(({ line }) => line)
          .sort(),
      ).toEqual(all.flatMap(({ id }, i) => (id === ids[0] ? [i + 2] : [])));
    }
  });

  test("without its first line it keeps the others and gets a new one", () => {
    write(played);
    const [head, ...rest] = text().split("\n");
    writeFileSync(path(), rest.join("\n"));
    const journal = open();
    expect([journal.size, journal.scan.damage.map(({ line }) => line)]).toEqual([SEEDS, [1]]);
    journal.close();
    expect(text()).toBe([head, ...rest].join("\n"));
  });

  test("of another experiment or of another version is refused, and stays as it is", () => {
    const cases: [Buffer, RegExp][] = [
      [seal(frozen(9).hash, JSON.stringify({ journal: 1, experiment: frozen(9).hash })), /another experiment \(hash \w{8}, not \w{8}\)/],
      [
        seal(mine.hash, JSON.stringify({ journal: 2, experiment: mine.hash })),
        /another build .*\(version 2; .* version 1\); run the experiment again/,
      ],
    ];
    for (const [head, message] of cases) {
      writeFileSync(path(), `${head}\n${seal(mine.hash, JSON.stringify(played[0]))}\n`);
      const before = text();
      for (const act of [read, open]) expect(act).toThrow(expect.objectContaining({ code: "ERR_RESULTS", message: expect.stringMatching(message) }));
      expect(text()).toBe(before);
    }
  });

  test("property: whatever happens to its lines, it holds results that were written, says what was wrong, and is whole once it has been opened", () => {
    write(played);
    const whole = text().trimEnd().split("\n");
    const foreign = seal(frozen(9).hash, JSON.stringify(failed(ids[0]!))).toString();
    const place = fc.nat(SEEDS);
    const act = fc.oneof(
      fc.record({ act: fc.constant("remove"), at: place, to: place }),
      fc.record({ act: fc.constant("swap"), at: place, to: place }),
      fc.record({ act: fc.constant("repeat"), at: place, to: place }),
      fc.record({ act: fc.constant("garbage"), at: place, to: place }),
      fc.record({ act: fc.constant("foreign"), at: place, to: place }),
      fc.record({ act: fc.constant("cut"), at: place, to: place }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 6 }), fc.nat(50), (acts, torn) => {
        let lines = [...whole];
        const hurt = new Set<string>();
        for (const { act, at, to } of acts) {
          const [a, b] = [at % Math.max(1, lines.length), to % Math.max(1, lines.length)];
          if (act === "remove") lines.splice(a, 1);
          if (act === "swap") [lines[a], lines[b]] = [lines[b]!, lines[a]!];
          if (act === "repeat") lines.splice(b, 0, lines[a]!);
          if (act === "garbage") lines.splice(a, 0, "garbage");
          if (act === "foreign") lines.splice(a, 0, foreign);
          if (act === "cut") lines[a] = lines[a]!.slice(0, -1);
        }
        lines = lines.filter((line) => line !== undefined);
        const good = new Set(lines.filter((line) => whole.indexOf(line) > 0));
        for (const line of lines) if (!whole.includes(line)) hurt.add(line);
        // The start of a line that was never finished.
        writeFileSync(path(), `${lines.map((line) => `${line}\n`).join("")}${whole[1]!.slice(0, torn)}`);
        const journal = open();
        expect(journal.size).toBe(good.size);
        if (hurt.size > 0 || (lines.length > 0 && lines[0] !== whole[0])) expect(journal.scan.damage.length).toBeGreaterThan(0);
        journal.close();
        const after = read();
        expect([after.size, after.scan.damage]).toEqual([good.size, []]);
        expect(text().trimEnd().split("\n")).toEqual([whole[0], ...good]);
      }),
      { numRuns: 30 },
    );
  });

  test("a result that is no longer where it was is not another one", () => {
    write(played);
    const results = read();
    writeFileSync(path(), text().replace("{", " {"));
    expect(() => results.get(ids[0]!)).toThrow(expect.objectContaining({ code: "ERR_RESULTS" }));
    writeFileSync(path(), "");
    expect(() => results.get(ids[0]!)).toThrow(expect.objectContaining({ code: "ERR_RESULTS" }));
  });

  test("says why lines could not be taken out, and holds them still", () => {
    write(played);
    const journal = open();
    mkdirSync(`${path()}.part`);
    expect(() => journal.remove([ids[0]!])).toThrow("EISDIR");
    expect(() => journal.close()).not.toThrow();
    expect(held(read())).toEqual(played);
  });

  test("takes results out, and goes on", () => {
    write([failed(ids[0]!), played[1]!, failed(ids[2]!), played[3]!]);
    const journal = open();
    journal.remove([ids[0]!, ids[2]!]);
    expect(held(journal)).toEqual([played[1], played[3]]);
    journal.append(played[0]!);
    journal.close();
    expect([held(journal), held(read()), read().scan.damage]).toEqual([[played[0], played[1], played[3]], [played[0], played[1], played[3]], []]);
  });
});

describe("lines of a file", () => {
  test("property: are the bytes at their places, in whatever order they are read", () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i) % 251));
    const path = join(folder, "lines");
    writeFileSync(path, bytes);
    const file = openSync(path, "r");
    const place = fc.record({ offset: fc.nat(bytes.length), length: fc.nat(100_000) });
    const nearby = fc.record({ offset: fc.nat(70_000), length: fc.nat(4000) });
    fc.assert(
      fc.property(fc.array(fc.oneof(place, nearby)), (places) => {
        const lines = new LineReader(file);
        for (const each of places) expect(lines.read(each).equals(bytes.subarray(each.offset, each.offset + each.length))).toBe(true);
      }),
    );
    closeSync(file);
  });
});

describe("a folder of results", () => {
  test("is made, taken, given back and taken again", () => {
    const directory = join(folder, "deep", "er");
    claimDirectory(directory, frozen())();
    claimDirectory(directory, frozen())();
    expect(readdirSync(directory)).toEqual(["experiment.json"]);
    expect(JSON.parse(readFileSync(join(directory, "experiment.json"), "utf8"))).toEqual(frozen());
  });

  test("loses what a process that died has left half-written", () => {
    claimDirectory(folder, frozen())();
    for (const file of ["summary.json", "traces.csv", "journal.jsonl"]) writeFileSync(join(folder, `${file}.part`), "");
    claimDirectory(folder, frozen())();
    expect(readdirSync(folder)).toEqual(["experiment.json"]);
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

  test.each<[string, () => string]>([
    ["below a file", () => join(folder, "file", "out")],
    ["that is a file", () => join(folder, "file")],
    ["with a name that is too long", () => join(folder, "x".repeat(300))],
    ["with a name that no system takes", () => join(folder, "a\0b")],
    // Node's mkdirSync with recursive: true never returns here.
    ...(process.platform === "linux" ? [["where nothing can be made", () => "/proc/tsallis/out"] as [string, () => string]] : []),
  ])("%s is refused at once, with what to do", (_, pathOf) => {
    writeFileSync(join(folder, "file"), "");
    const refusal = {
      code: "ERR_DIRECTORY",
      message: expect.stringMatching(/cannot take results: .*; give a folder that can be written with --out$/),
    };
    expect(() => claimDirectory(pathOf(), frozen())).toThrow(expect.objectContaining(refusal));
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  const lockOf = (pid: number) => JSON.stringify({ pid, start: 0, token: randomUUID() });

  test("that a living process holds is refused; that of a dead one is taken over", () => {
    writeFileSync(join(folder, "lock"), lockOf(process.ppid));
    expect(() => claimDirectory(folder, frozen())).toThrow(expect.objectContaining({ code: "ERR_BUSY" }));
    // The largest process id of Linux is 2^22.
    for (const dead of [lockOf(2 ** 30), "", "nonsense", "null"]) {
      writeFileSync(join(folder, "lock"), dead);
      claimDirectory(folder, frozen())();
    }
    expect(readdirSync(folder)).toEqual(["experiment.json"]);
  });

  test("is held against a second writer in the same process, too", () => {
    const release = claimDirectory(folder, frozen());
    expect(() => claimDirectory(folder, frozen())).toThrow(expect.objectContaining({ code: "ERR_BUSY" }));
    release();
    // A process number that came back, as in a container that was started again.
    writeFileSync(join(folder, "lock"), lockOf(process.pid));
    claimDirectory(folder, frozen())();
  });

  test("that was held when the machine lost its power is taken over, whoever has the number now", () => {
    const path = join(folder, "lock");
    writeFileSync(path, lockOf(process.ppid));
    const beforeStart = Date.now() / 1000 - uptime() - 60;
    utimesSync(path, beforeStart, beforeStart);
    claimDirectory(folder, frozen())();
  });

  test("says what it was last written from: what the hash leaves out is restored", () => {
    const path = join(folder, "experiment.json");
    claimDirectory(folder, frozen())();
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}\n`);
    claimDirectory(folder, frozen())();
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("whose experiment.json was changed is refused and left as it is", () => {
    const path = join(folder, "experiment.json");
    claimDirectory(folder, frozen())();
    const text = readFileSync(path, "utf8");
    for (const [from, to] of [
      ['"gap": 0.1', '"gap": 0.2'],
      [`"version": "${frozen().version}"`, '"version": "9.9.9"'],
      [/"hash": "./, '"hash": "x'],
      ['"imports": []', '"imports": [null]'],
      ['"imports"', '"reports"'],
    ] as const) {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      writeFileSync(path, changed);
      for (const act of [() => readFrozen(folder), () => claimDirectory(folder, frozen())]) {
        expect(act).toThrow(expect.objectContaining({ code: "ERR_RESULTS", message: expect.stringContaining("experiment.json is damaged") }));
      }
      expect(readFileSync(path, "utf8")).toBe(changed);
    }
    // The names of modules are not hashed, but there must be one: messages show it.
    const nameless = { ...frozen(), imports: [{ fjle: "mine.mjs", hash: "0" }] as unknown as ImportedModule[] };
    writeFileSync(path, JSON.stringify({ ...nameless, hash: hashOf(nameless) }));
    expect(() => readFrozen(folder)).toThrow(/experiment\.json is damaged: it lacks/);
  });

  test("of another version is read if its own hash fits", () => {
    const { experiment } = frozen();
    const other = { experiment, version: "0.0.9", hash: hashOf({ version: "0.0.9", experiment, imports: [] }), imports: [] };
    writeFileSync(join(folder, "experiment.json"), JSON.stringify(other));
    expect(readFrozen(folder)).toEqual(other);
  });

  test("without results says so", () => {
    expect(() => readResults(folder)).toThrow(expect.objectContaining({ code: "ERR_RESULTS" }));
    claimDirectory(folder, frozen())();
    expect(() => readResults(folder)).toThrow(/no finished run/);
    const journal = Journal.open(join(folder, "journal.jsonl"), frozen());
    expect(() => readResults(folder)).toThrow(/no finished run/);
    journal.append(failed("a/uniform/1"));
    journal.close();
    expect(readResults(folder).results.size).toBe(1);
    appendFileSync(join(folder, "journal.jsonl"), "garbage\n");
    expect(() => readResults(folder)).toThrow(/journal\.jsonl has a damaged line at 3/);
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "experiment.json"), "{}");
    expect(() => readResults(folder)).toThrow(/damaged/);
    writeFileSync(join(folder, "experiment.json"), '{"hash":"a","experiment":null}');
    expect(() => readResults(folder)).toThrow(/damaged/);
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { unpacked } from "../src/input/inputLines.js";
import { tsallis } from "./inProcess.js";
import { asLines, makeLog, replayOf } from "./logs.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-packed-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const losses = readFileSync(new URL("../../../docs/guides/losses.csv", import.meta.url), "utf8");
const log = makeLog(300);
const OPT = { policy: "opttinf" };

describe("advise", () => {
  const plain = tsallis(["advise", "--data", file("losses.csv", losses), "--json"]);
  const same = async (data: string, stdin: string | Uint8Array = "") => {
    expect(await tsallis(["advise", "--data", data, "--json"], stdin)).toEqual(await plain);
    expect((await plain).code).toBe(0);
  };
  const tsv = losses.replaceAll(",", "\t");

  it("reads gzip by its first bytes, whatever the name", async () => {
    await same(file("losses.csv.gz", gzipSync(losses)));
    await same(file("misnamed.csv", gzipSync(losses)));
    await same(file("misnamed.gz", losses));
  });

  it("reads tabs in place of commas, quoted or not, with empty cells", async () => {
    await same(file("losses.tsv", tsv));
    await same(file("quoted.tsv", tsv.replaceAll(/[^\t\n]+/g, ' "$&" ')));
  });

  it("reads stdin, packed or not", async () => {
    await same("-", losses);
    await same("-", gzipSync(tsv));
  });

  it.each([
    ["a cell too many", "-", "a\tb\n1\t2\n1\t2\t3\n", "line 3: ERR_DATA: 3 cells below a header of 2"],
    ["the same, packed", "-", gzipSync("a\tb\n1\t2\n1\t2\t3\n"), "line 3: ERR_DATA: 3 cells below a header of 2"],
    ["a header with both", "-", "a,b\tc\n", 'line 1: ERR_DATA: an arm must have a printable name, got "b\\tc"'],
    ["nothing", "-", "", "stdin: ERR_DATA: empty; the first line must name the columns"],
    ["one arm", "-", `arm\tloss\n${"a\t1\n".repeat(200)}`, "stdin: ERR_DATA: the number of arms is 1"],
    [
      "half a file",
      "-",
      gzipSync(losses).subarray(0, 5000),
      "stdin: ERR_FILE: damaged or cut short, it cannot be unpacked (gzip: unexpected end of file)",
    ],
    [
      "garbage after it",
      "-",
      Buffer.concat([gzipSync(losses), Buffer.from("more")]),
      "stdin: ERR_FILE: damaged or cut short, it cannot be unpacked (gzip: incorrect header check)",
    ],
  ])("%s is one line", async (_, data, stdin, message) => {
    const { code, stdout, stderr } = await tsallis(["advise", "--data", data], stdin);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });
});

describe("replay", () => {
  const table = (separator: string) => `arm${separator}loss\n${log.map(({ arm, loss }) => `${arm}${separator}${loss}\n`).join("")}`;
  const plain = tsallis(replayOf(OPT), asLines(log));

  it.each([
    ["JSON lines, packed", gzipSync(asLines(log))],
    ["JSON lines, packed in two parts", Buffer.concat([gzipSync(asLines(log.slice(0, 7))), gzipSync(asLines(log.slice(7)))])],
    ["CSV", table(",")],
    ["CSV with blank lines, quotes and CRLF", `\uFEFF\n\r\n"loss", "arm"\r\n${log.map(({ arm, loss }) => `${loss} ,"${arm}"\r\n`).join("\n")}`],
    ["TSV", table("\t")],
    ["TSV, packed", gzipSync(table("\t"))],
  ])("%s", async (_, stdin) => {
    expect(await tsallis(replayOf(OPT), stdin)).toEqual(await plain);
    expect((await plain).stdout.split("\n")).toHaveLength(301);
  });

  it("a packed file", async () => {
    expect(await tsallis([...replayOf(OPT), file("log", gzipSync(asLines(log)))])).toEqual(await plain);
  });

  it("rewards as a table", async () => {
    const { code, stdout } = await tsallis([...replayOf(OPT), "--reward"], "arm\treward\n1\t0.1\n");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ arm: 1, loss: -0.1 });
  });

  it.each([
    ["a third column", "arm\tloss\ttime\n", 'line 1: ERR_DATA: the columns must be arm and loss, got "arm, loss, time"'],
    ["a column twice", "arm,arm\n", 'line 1: ERR_DATA: the columns must be arm and loss, got "arm, arm"'],
    ["rewards", "arm\treward\n", 'line 1: ERR_UNKNOWN_KEY: unknown key "reward"; give --reward'],
    ["no arm", "a\tloss\n", "line 1: ERR_JSON: not JSON"],
    ["a name for an arm", "arm\tloss\nwest\t1\n", 'line 2: ERR_ARM: arm must be an integer in [0, 2], got "west"'],
    ["no loss", "arm\tloss\n\n1\t\n", "line 3: ERR_LOSS: loss must be a number"],
    ["a cell too few", "arm\tloss\n1\n", "line 2: ERR_DATA: 1 cell below a header of 2"],
    ["an object", 'arm\tloss\n{"arm":1,"loss":2}\n', "line 2: ERR_DATA: "],
    ["half a file", gzipSync(asLines(log)).subarray(0, 2000), "stdin: ERR_FILE: damaged or cut short"],
  ])("%s is refused", async (_, stdin, message) => {
    const { code, stderr } = await tsallis(replayOf(OPT), stdin);
    expect(code).toBe(2);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });
});

describe("bytes", () => {
  const collect = async (bytes: Uint8Array, size: number) => {
    const parts = async function* () {
      for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
    };
    const all: Uint8Array[] = [];
    for await (const chunk of unpacked(parts(), "x")) all.push(chunk);
    return Buffer.concat(all);
  };

  it("property: come out the same, packed or not, in chunks of any size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), async (bytes, size) => {
        fc.pre(!(bytes[0] === 0x1f && bytes[1] === 0x8b));
        expect(await collect(bytes, size)).toEqual(Buffer.from(bytes));
        expect(await collect(gzipSync(bytes), size)).toEqual(Buffer.from(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it("property: a packed file with one byte changed is refused, or only its header differs", async () => {
    const text = Buffer.from(asLines(log));
    const good = gzipSync(text);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const bytes = Buffer.from(good);
        bytes[place]! ^= change;
        const result = await collect(bytes, 1 << 16).catch((error: unknown) => error);
        if (Buffer.isBuffer(result)) expect(result).toEqual(text);
        else expect(result).toMatchObject({ code: "ERR_FILE", place: "x" });
      }),
      { numRuns: 200 },
    );
  });
});

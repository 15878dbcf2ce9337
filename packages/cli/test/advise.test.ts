import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lomax, normal, stream } from "tsallis";
import { afterAll, describe, expect, it } from "vitest";
import { readLosses } from "../src/input/lossFile.js";
import { describe as describeError } from "../src/text/failure.js";
import { tsallis } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-advise-"));
afterAll(() => rmSync(folder, { recursive: true }));

const GUIDE = new URL("../../../docs/guides/losses.csv", import.meta.url);

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The losses of docs/guides/losses.csv: three Lomax distributions of index 1.5, to three decimals. */
function guideLosses(): [name: string, losses: string[]][] {
  const arms = [
    ["north", 1, 1000],
    ["south", 2, 1000],
    ["west", 5, 800],
  ] as const;
  return arms.map(([name, scale, n]) => {
    const distribution = lomax({ shape: 1.5, scale });
    const rng = stream(1, "guide", name);
    return [name, Array.from({ length: n }, () => distribution.sample(rng).toFixed(3))];
  });
}

function wide(arms: [name: string, losses: string[]][]): string {
  const rows = Array.from({ length: Math.max(...arms.map(([, { length }]) => length)) }, (_, i) =>
    arms.map(([, losses]) => losses[i] ?? "").join(","),
  );
  return `${[arms.map(([name]) => name).join(","), ...rows].join("\n")}\n`;
}

async function advice(path: string) {
  const { code, stdout, stderr } = await tsallis(["advise", "--data", path, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("advise", () => {
  it("the guide's data are what the guide says", () => {
    expect(readFileSync(GUIDE, "utf8")).toBe(wide(guideLosses()));
  });

  it("reads one column per arm, and arm and loss in either order, with the same result", async () => {
    const columns = await advice(GUIDE.pathname);
    expect(columns.arms.map(({ name, losses }: { name: string; losses: number }) => [name, losses])).toEqual([
      ["north", 1000],
      ["south", 1000],
      ["west", 800],
    ]);
    const pairs = guideLosses().flatMap(([name, losses]) => losses.map((loss) => [name, loss]));
    expect(await advice(file("long.csv", `arm,loss\n${pairs.map(([name, loss]) => `${name},${loss}\n`).join("")}`))).toEqual(columns);
    const quoted = pairs.map(([name, loss]) => `"${loss}", "${name}"\r\n`).join("\r\n");
    expect(await advice(file("crlf.csv", `\uFEFFloss,arm\r\n${quoted}`))).toEqual(columns);
  });

  it("finds the tail, and recommends a policy that replay accepts", async () => {
    const { pooled, recommendation } = await advice(GUIDE.pathname);
    expect(pooled.index.low).toBeLessThan(1.5);
    expect(pooled.index.high).toBeGreaterThan(1.5);
    expect(recommendation.spec).toEqual({ policy: "matched-tinf" });
    for (const { spec } of [recommendation, ...recommendation.alternatives]) {
      const { code } = await tsallis(["replay", "--policy", JSON.stringify(spec), "--arms", "3"], '{"arm":0,"loss":1}\n');
      expect(code).toBe(0);
    }
  });

  it("writes infinity as null", async () => {
    const draw = (seed: number) => {
      const rng = stream(seed, "advise", "normal");
      const distribution = normal({ mean: 1, deviation: 1 });
      return Array.from({ length: 1000 }, () => distribution.sample(rng).toFixed(4));
    };
    const { pooled } = await advice(
      file(
        "normal.csv",
        wide([
          ["a", draw(1)],
          ["b", draw(2)],
        ]),
      ),
    );
    expect(pooled.pareto.index.high).toBeNull();
    expect(pooled.moment.alpha).toBe(2);
  });

  it("prints tables, and draws the Hill plot", async () => {
    const plot = join(folder, "hill.svg");
    const { code, stdout, stderr } = await tsallis(["advise", "--data", GUIDE.pathname, "--plot", plot]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const words of [
      "3 arms, 2,800 losses",
      "all arms",
      "Hill plot",
      "Pareto fit",
      "alpha 1.75",
      "plausible",
      'Recommended: {"policy":"matched-tinf"}',
    ]) {
      expect(stdout).toContain(words);
    }
    expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
    expect(readFileSync(plot, "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it("lists the first twenty of many arms", async () => {
    const rng = stream(1, "advise", "many");
    const arms = Array.from({ length: 30 }, (_, i): [string, string[]] => [`arm ${i}`, Array.from({ length: 100 }, () => String(1 / rng.open()))]);
    const { code, stdout } = await tsallis(["advise", "--data", file("many.csv", wide(arms))]);
    expect(code).toBe(0);
    expect(stdout).toContain("The tables list the first 20");
    expect(stdout).toContain("arm 19");
    expect(stdout).not.toContain("arm 20");
  });

  it("says that zeros have no tail", async () => {
    const zeros = Array.from({ length: 100 }, () => "0");
    const { code, stderr, stdout } = await tsallis([
      "advise",
      "--data",
      file(
        "zeros.csv",
        wide([
          ["a", zeros],
          ["b", zeros],
        ]),
      ),
      "--plot",
      join(folder, "none.svg"),
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("none was written");
    expect(stdout).toContain('Recommended: {"policy":"matched-tinf"}');
  });
});

describe("bad data", () => {
  const ONE = file("one.csv", `arm,loss\n${"a,1\n".repeat(200)}`);
  const FEW = file("few.csv", `a,b\n,2\n${"1,2\n".repeat(99)}`);

  it.each([
    ["empty", "", "%: ERR_DATA: empty; the first line must name the columns"],
    ["blank", "\n\n", "%: ERR_DATA: empty"],
    ["headless", "1,2\n3,4\n", "line 1: ERR_DATA: only numbers; the first line must name the columns"],
    ["one column", "\na\n1\n", 'line 2: ERR_DATA: only one column, "a"; the first line must name the columns'],
    ["semicolons", "a;b\n1;2\n", 'line 1: ERR_DATA: only one column, "a;b"'],
    ["a third column", "round,arm,loss\n1,0,2\n", "line 1: ERR_DATA: only the columns arm and loss are read"],
    ["a name twice", "a,b,a\n", 'line 1: ERR_DATA: two columns are named "a"'],
    ["no name", "a,\n1,2\n", 'line 1: ERR_DATA: an arm must have a printable name, got ""'],
    ["no name below", "arm,loss\na,1\n,2\n", "line 3: ERR_DATA: an arm must have a printable name"],
    ["an escape", "arm,loss\n\u001b[2Ja,1\n", "line 2: ERR_DATA: an arm must have a printable name"],
    ["text", "a,b\n1,2\n1,n/a\n", 'line 3: ERR_LOSS: the loss in column 2 must be a number of size at most 1e300, got "n/a"'],
    ["NaN", "a,b\nNaN,2\n", "line 2: ERR_LOSS: the loss in column 1"],
    ["Infinity", "arm,loss\na,Infinity\n", 'line 2: ERR_LOSS: loss must be a number of size at most 1e300, got "Infinity"'],
    ["too large", "arm,loss\na,1e301\n", "line 2: ERR_LOSS: loss must be"],
    ["hexadecimal", "arm,loss\na,0x10\n", "line 2: ERR_LOSS: loss must be"],
    ["no loss", "arm,loss\na,\n", 'line 2: ERR_LOSS: loss must be a number of size at most 1e300, got ""'],
    ["more cells", "a,b\n\n1,2,3\n", "line 3: ERR_DATA: 3 cells below a header of 2"],
    ["fewer cells", "a,b\n1\n", "line 2: ERR_DATA: 1 cell below a header of 2"],
    ["an open quote", 'a,b\n"1,2\n', "line 2: ERR_DATA: a quote is misplaced or not closed"],
    ["a long line", `a,b\n${" ".repeat(1_100_000)}\n`, "line 2: ERR_DATA: longer than 1048576 characters"],
  ])("%s", async (name, text, message) => {
    const path = file(`${name}.csv`, text);
    const error = await readLosses(path, new AbortController().signal).catch((reason: unknown) => reason);
    const { line, exitCode } = describeError(error);
    expect(exitCode).toBe(2);
    expect(line.startsWith(`tsallis: ${message.replace("%", path)}`), line).toBe(true);
  });

  it.each([
    [["advise", "--data", file("text.csv", "a,b\n1,2\n1,n/a\n")], "line 3: ERR_LOSS: the loss in column 2"],
    [["advise", "--data", ONE], `${ONE}: ERR_DATA: the number of arms is 1; at least two are needed`],
    [["advise", "--data", FEW], `${FEW}: ERR_DATA: arm "a" has 99 losses; each arm needs at least 100`],
    [["advise"], "ERR_USAGE: required option '--data <file>' not specified"],
    [["advise", "--data", "absent.csv"], "absent.csv: ERR_FILE: cannot be read: ENOENT"],
    [
      ["advise", "--data", GUIDE.pathname, "--plot", join(folder, "absent", "x.svg")],
      `${join(folder, "absent", "x.svg")}: ERR_FILE: cannot be written: ENOENT`,
    ],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await tsallis(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });
});

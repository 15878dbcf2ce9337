import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pareto, stream } from "tsallis";
import { Evaluation } from "tsallis/evidence";
import { afterAll, describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";
import { asLines } from "./logs.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const evaluate = (args: readonly string[], stdin?: string | Uint8Array) => tsallis(["evaluate", ...args], stdin, folder);
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);

interface Row {
  readonly arm: string;
  readonly loss: number | null;
  readonly holdout: boolean;
}

/** Two arms of Pareto 1.6, the second six times as costly, with a holdout of one in five. */
function rowsOf(count: number, label: string, factor = 6): Row[] {
  const rng = stream(1, "evaluate", label);
  const distribution = pareto({ shape: 1.6, scale: 0.375 });
  return Array.from({ length: count }, () => {
    const holdout = rng.uniform() < 0.2;
    const arm = holdout ? (rng.uniform() < 0.5 ? "a" : "b") : rng.uniform() < 0.8 ? "a" : "b";
    return { arm, loss: distribution.sample(rng) * (arm === "a" ? 1 : factor), holdout };
  });
}

const ROWS = rowsOf(3000, "log");
const LINES = asLines(ROWS);
const asTable = (separator: string, head: readonly string[], rows: readonly (readonly unknown[])[]) =>
  `${[head, ...rows].map((cells) => cells.join(separator)).join("\n")}\n`;
const cellsOf = (rows: readonly Row[]) => rows.map(({ arm, loss, holdout }) => [arm, loss ?? "", holdout]);

/** The only log of a command's JSON. */
async function answersOf(args: readonly string[], stdin?: string | Uint8Array) {
  const { code, stdout, stderr } = await evaluate([...args, "--json"], stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const logs = JSON.parse(stdout);
  expect(logs).toHaveLength(1);
  return logs[0];
}

describe("answers", () => {
  it("are those of tsallis/evidence, to the last bit", async () => {
    const evaluation = new Evaluation({ arms: 2, cap: 20, holdout: 0.5 });
    const places = [...new Set(ROWS.map(({ arm }) => arm))];
    for (const { arm, loss, holdout } of ROWS) evaluation.add({ arm: places.indexOf(arm), loss, holdout });
    const found = await answersOf(["-", "--cap", "20"], LINES);
    for (const { name, low, high, mean, plays } of found.arms) {
      const own = evaluation.arm(places.indexOf(name));
      expect({ low, high, mean, plays }).toEqual({ ...own.interval(), mean: own.mean, plays: own.count });
    }
    expect(found.saved).toMatchObject(evaluation.savings());
    expect(found.uniform).toMatchObject(evaluation.uniform());
    expect(found.verdict).toMatchObject({ answer: "yes", best: "a", evidence: evaluation.verdict().evidence[places.indexOf("b")] });
    expect(found).toMatchObject({ name: "stdin", segment: null, decisions: 3000, feedback: 3000, missing: 0, unit: "loss", cap: 20, floor: 0 });
  });

  it("come first, then the table", async () => {
    const { code, stdout, stderr } = await evaluate(["-", "--cap", "20"], LINES);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first, second, third, fourth] = stdout.split("\n");
    expect(first).toBe("stdin: 3,000 decisions, 3,000 with feedback");
    expect(second).toBe("May I stop? Yes: a is the best arm.");
    expect(third).toMatch(/^A decision saves 0\.\d+ to \d\.\d+ against the holdout\.$/);
    expect(fourth).toMatch(/^Losses above 20 count as 20: \d+ decisions \(0\.\d+ %\), [\d.]+ % of what was paid lies beyond\.$/);
    for (const row of ["a ", "b ", "the policy", "the holdout", "always uniform", "saved per decision"]) expect(stdout).toContain(`│ ${row}`);
  });

  it.each([
    [
      "CSV with quotes and carriage returns",
      () => asTable(",", ["arm", "loss", "holdout"], cellsOf(ROWS)).replaceAll("a,", '"a",').replaceAll("\n", "\r\n"),
    ],
    ["TSV with a byte-order mark", () => `\uFEFF${asTable("\t", ["arm", "loss", "holdout"], cellsOf(ROWS))}`],
    ["gzip", () => gzipSync(LINES)],
    ["without its last line feed", () => LINES.trimEnd()],
  ])("are the same from %s", async (_, content) => {
    write("log", content());
    const { name: _name, ...expected } = await answersOf(["-", "--cap", "20"], LINES);
    expect(await answersOf(["log", "--cap", "20"])).toEqual({ name: "log", ...expected });
  });

  it("take columns by other names, and leave others alone", async () => {
    const cells = ROWS.map(({ arm, loss, holdout }, i) => [i, holdout ? 1 : 0, loss, arm]);
    write("own.csv", asTable(",", ["n", "control", "latency_ms", "variant"], cells));
    const { name: _, ...expected } = await answersOf(["-", "--cap", "20"], LINES);
    expect(await answersOf(["own.csv", "--columns", "arm=variant, loss=latency_ms,holdout=control", "--cap", "20"])).toEqual({
      name: "own.csv",
      ...expected,
    });
  });

  it("of a log in two files are those of the whole", async () => {
    write("one.jsonl", asLines(ROWS.slice(0, 1000)));
    write("two.jsonl", asLines(ROWS.slice(1000)));
    const { name: _, ...expected } = await answersOf(["-", "--cap", "20"], LINES);
    expect(await answersOf(["one.jsonl", "two.jsonl", "--cap", "20"])).toEqual({ name: "one.jsonl, two.jsonl", ...expected });
  });

  it("of rewards are mirrored", async () => {
    const rewards = asLines(ROWS.map(({ arm, loss, holdout }) => ({ arm, reward: loss, holdout })));
    const found = await answersOf(["-", "--cap", "20"], rewards);
    const losses = await answersOf(["-", "--cap", "20"], LINES);
    expect(found).toMatchObject({ unit: "reward", cap: 20, floor: 0, verdict: { answer: "yes", best: "b" } });
    for (const arm of found.arms) {
      const other = losses.arms.find(({ name }: { name: string }) => name === arm.name);
      expect([arm.low, arm.high]).toEqual([expect.closeTo(other.low, 9), expect.closeTo(other.high, 9)]);
    }
    expect(found.saved.mean).toBeCloseTo(-losses.saved.mean, 9);
    expect((await evaluate(["-", "--cap", "20"], rewards)).stdout).toContain("more than the holdout.");
  });

  it("of both signs need a floor", async () => {
    const signed = asLines(ROWS.map(({ arm, loss }) => ({ arm, loss: loss! - 2 })));
    const found = await answersOf(["-", "--cap", "20", "--floor", "-20"], signed);
    expect(found).toMatchObject({ floor: -20, beyond: { paid: null } });
    expect(found.arms[0].low).toBeLessThan(0);
  });

  it("by segment, or of one", async () => {
    const rows = ROWS.map((row, i) => ({ ...row, segment: i % 2 === 0 ? "new" : "old" }));
    const { stdout } = await evaluate(["-", "--cap", "20", "--json"], asLines(rows));
    expect(JSON.parse(stdout).map(({ segment, decisions }: { segment: string; decisions: number }) => [segment, decisions])).toEqual([
      ["new", 1500],
      ["old", 1500],
    ]);
    expect(await answersOf(["-", "--cap", "20", "--segment", "old"], asLines(rows))).toMatchObject({ segment: "old", decisions: 1500 });
  });

  it("of a router's log: upstreams are arms, and each route has its own", async () => {
    const line = ({ arm, loss }: Row, i: number) => {
      const route = i % 3 === 0 ? "/pay" : "/";
      const end = { probability: 0.5, loss: i % 50 === 0 ? null : loss, unit: "s", outcome: i % 50 === 0 ? "abandoned" : "done", seconds: loss };
      return { time: 1.79e12 + i, id: `run-${i}`, route, upstream: `http://${arm}${route === "/" ? "" : "-pay"}`, ...end };
    };
    const { stdout } = await evaluate(["-", "--cap", "20", "--json"], asLines(ROWS.map(line)));
    const logs = JSON.parse(stdout) as { segment: string; missing: number; verdict: { leader: string }; arms: { name: string }[] }[];
    expect(logs.map(({ segment, verdict, arms }) => [segment, verdict.leader, arms.length])).toEqual([
      ["/pay", "http://a-pay", 2],
      ["/", "http://a", 2],
    ]);
    expect(logs.reduce((sum, { missing }) => sum + missing, 0)).toBe(60);
  });

  it("of a mix, and of uncapped losses if somebody vouches for the tail", async () => {
    write("mix.json", '{"a":1}');
    const found = await answersOf(["-", "--cap", "20", "--mix", "mix.json", "--index", "1.5"], LINES);
    const [a] = found.arms;
    // A mix with all weight on one arm is that arm.
    expect(found.mix).toEqual({ mean: a.mean, low: a.low, high: a.high });
    expect(a.uncapped.low).toBe(a.low);
    expect(a.uncapped.high).toBeGreaterThan(a.high);
    const moment = await answersOf(["-", "--cap", "20", "--alpha", "1.5", "--sigma", "2"], LINES);
    expect(moment.arms[0].uncapped.high).toBeCloseTo(a.high + (2 ** 1.5 * 20 ** -0.5 * 0.5 ** 0.5) / 1.5 ** 1.5, 9);
    expect((await evaluate(["-", "--cap", "20", "--index", "1.5"], LINES)).stdout).toContain("the same, uncapped");
  });

  it("on one decision, on one arm, and on losses that are all equal", async () => {
    expect((await evaluate(["-", "--cap", "1"], '{"arm":"a","loss":0.5}\n')).stdout).toContain("There is only one arm, a.");
    const equal = asLines(Array.from({ length: 600 }, (_, i) => ({ arm: i % 2, loss: 3 })));
    const found = await answersOf(["-", "--cap", "20"], equal);
    expect(found).toMatchObject({ verdict: { answer: "not yet" }, beyond: { decisions: 0 } });
    expect(found.arms[0]).toMatchObject({ mean: expect.closeTo(3, 12) });
  });

  it("of 200 arms list the first 20, and name those without an outcome", async () => {
    const rng = stream(1, "many");
    const rows = Array.from({ length: 20_000 }, (_, i) => ({
      arm: `arm ${i % 200}`,
      loss: i % 200 === 7 ? null : rng.uniform() + (i % 200 === 3 ? 0 : 4),
    }));
    const { stdout } = await evaluate(["-", "--cap", "6"], asLines(rows));
    expect(stdout).toContain("The table lists the first 20 of 200 arms; --json has all.");
    expect(stdout).toContain("Without an outcome, and so anything from 0 to 6: arm 7.");
    expect(stdout).toContain("│ arm 3 ");
  });

  it("of arms with dangerous names", async () => {
    const rows = ROWS.map(({ arm, loss }) => ({ arm: arm === "a" ? "__proto__" : "con\u001b[2Jstructor", loss }));
    const { stdout } = await evaluate(["-", "--cap", "20"], asLines(rows));
    expect(stdout).toContain("Yes: __proto__ is the best arm.");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("what is not as it should be is said", () => {
  it("missing losses: the verdict does not take them to be like the rest", async () => {
    // Of the losses of a, those above 0.7 are missing, which makes the two arms look different.
    const rows = rowsOf(4000, "missing", 1).map(({ arm, loss }) => ({ arm, loss: arm === "a" && loss! > 0.7 ? null : loss }));
    const { stdout } = await evaluate(["-", "--cap", "20"], asLines(rows));
    expect(stdout).toMatch(
      /May I stop\? Yes, if the missing are like the rest: then a is the best arm\. If the [\d,]+ missing may be anything, not yet\./,
    );
    expect(stdout).toMatch(/[\d,]+ decisions \([\d.]+ %\) have no feedback and are left out\. If they may cost anything from 0 to 20: /);
    const [out, range] = await Promise.all(["out", "range"].map((missing) => answersOf(["-", "--cap", "20", "--missing", missing], asLines(rows))));
    const armOf = (found: typeof out) => found.arms.find(({ name }: { name: string }) => name === "a");
    expect([armOf(out).high < 0.96, armOf(range).high > 0.96]).toEqual([true, true]);
    expect(armOf(out).range).toEqual({ low: armOf(range).low, high: armOf(range).high });
  });

  it("all losses missing", async () => {
    const rows = asLines(ROWS.slice(0, 50).map(({ arm }) => ({ arm, loss: null })));
    const { code, stdout } = await evaluate(["-", "--cap", "20"], rows);
    expect(code).toBe(0);
    expect(stdout).toContain("50 decisions, 0 with feedback");
    expect(stdout).toContain("Without an outcome, and so anything from 0 to 20:");
  });

  it("doubled ids count once", async () => {
    const rows = ROWS.slice(0, 300).map((row, i) => ({ ...row, id: `d${i}` }));
    const found = await answersOf(["-", "--cap", "20"], asLines([...rows, ...rows.slice(0, 7)]));
    expect(found).toMatchObject({ decisions: 300, log: { doubled: 7 } });
    expect((await evaluate(["-", "--cap", "20"], asLines([...rows, rows[0]]))).stdout).toContain("1 line repeats an id and does not count.");
  });

  it("lines out of order are put into the order of their times", async () => {
    const rows = ROWS.slice(0, 500).map((row, i) => ({ ...row, time: new Date(1.7e12 + 1000 * i).toISOString() }));
    const mixed = rows
      .map((row, i) => [(i * 7919) % 500, row] as const)
      .sort(([a], [b]) => a - b)
      .map(([, row]) => row);
    const found = await answersOf(["-", "--cap", "20"], asLines(mixed));
    expect(found.log.outOfOrder).toBeGreaterThan(100);
    const sorted = await answersOf(["-", "--cap", "20"], asLines(rows));
    expect(sorted.settledUpTo).toBe("2023-11-14T22:21:39.000Z");
    expect({ ...found, log: null }).toEqual({ ...sorted, log: null });
    // A time that is too far behind cannot be put into order any more.
    const { code, stderr } = await evaluate(["-", "--cap", "20", "--max-open", "10"], asLines(mixed));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^tsallis: line \d+: ERR_DATA: its time is before that of lines already counted, .* raise --max-open\n$/),
    });
  });

  it("a last line that is cut off", async () => {
    const cut = LINES.slice(0, -20);
    expect((await evaluate(["-", "--cap", "20"], cut)).stdout).toContain("2,999 decisions");
    expect((await evaluate(["-", "--cap", "20"], cut)).stdout).toContain("The last line is cut off and does not count.");
    const table = asTable(",", ["arm", "loss", "holdout"], cellsOf(ROWS));
    expect((await evaluate(["-", "--cap", "20"], table.slice(0, -8))).stdout).toContain("The last line is cut off and does not count.");
  });

  it("in a moving world the holdout compares the arms", async () => {
    // a is better by a third at every moment; all losses double halfway, and the policy plays b before and a after.
    const rng = stream(1, "evaluate", "moving");
    const rows = Array.from({ length: 12_000 }, (_, i) => {
      const holdout = rng.uniform() < 0.2;
      const arm = holdout ? (rng.uniform() < 0.5 ? "a" : "b") : i < 6000 ? "b" : "a";
      return { arm, holdout, loss: (i < 6000 ? 1 : 2) * (arm === "a" ? 1 : 1.5) * (0.5 + rng.uniform()) };
    });
    expect((await answersOf(["-", "--cap", "10"], asLines(rows))).verdict).toMatchObject({ answer: "yes", best: "b" });
    const found = await answersOf(["-", "--cap", "10", "--moving", "--holdout", "0.2"], asLines(rows));
    expect(found).toMatchObject({ source: "holdout", verdict: { answer: "yes", best: "a" } });
    expect((await evaluate(["-", "--cap", "10", "--moving", "--holdout", "0.2"], asLines(rows))).stdout).toContain(
      "Yes: a is the best arm, by the holdout.",
    );
  });

  it("what another policy would have cost carries no guarantee", async () => {
    const { stdout } = await evaluate(["-", "--cap", "20", "--against", "uniform"], LINES);
    const [, mean, low, high] =
      /"uniform"} would have cost ([\d.]+) per decision \(middle 80 % of 20 runs of 3,000 rounds on redrawn losses: ([\d.]+) to ([\d.]+)\); the logged policy cost [\d.]+\. This carries no guarantee\./
        .exec(stdout)!
        .map(Number);
    const { uniform } = await answersOf(["-", "--cap", "20"], LINES);
    // Uniform play on redrawn losses is the mean of the arms' means, within the spread of the runs.
    expect([low! < uniform.mean, high! > uniform.mean, Math.abs(mean! - uniform.mean) < 0.1]).toEqual([true, true, true]);
  });
});

describe("refused", () => {
  it.each<[string, readonly string[], string | Uint8Array, string | RegExp]>([
    ["no cap", ["-"], LINES, "--cap: ERR_MISSING: give the largest loss that matters; no interval for a mean is valid without it"],
    [
      "a loss below the floor",
      ["-", "--cap", "200"],
      `${'{"arm":"a","loss":1}\n'.repeat(16)}{"arm":"a","loss":-3}\n`,
      "line 17: ERR_LOSS: loss -3 is below the floor 0; with --floor -200 losses count from -200 to the cap",
    ],
    [
      "a reward below the floor",
      ["-", "--cap", "9"],
      '{"arm":"a","reward":-3}\n',
      "line 1: ERR_LOSS: reward -3 is below the floor 0; with --floor -9 rewards count from -9 to the cap",
    ],
    [
      "--moving without a holdout",
      ["-", "--cap", "20", "--moving"],
      '{"arm":"a","loss":1}\n',
      "--moving: ERR_DATA: arms that change are compared by a holdout only; this log has none",
    ],
    ["--moving without its share", ["-", "--cap", "20", "--moving"], LINES, /^--holdout: ERR_MISSING: with --moving, say the share of decisions/],
    [
      "an index of 1",
      ["-", "--cap", "20", "--index", "1"],
      LINES,
      "--index: ERR_PARAMETER: index must be above 1, got 1; the losses may have no mean; the capped figures stand",
    ],
    [
      "--against with too few losses",
      ["-", "--cap", "20", "--against", "uniform"],
      `${LINES}${'{"arm":"wallet","loss":1}\n'.repeat(41)}`,
      "--against: ERR_DATA: wallet has 41 losses; 100 are needed",
    ],
    [
      "--against a policy that is not known",
      ["-", "--cap", "20", "--against", "htinv"],
      LINES,
      /^--against: ERR_UNKNOWN_NAME: .*did you mean htinf\?/,
    ],
    ["a cap of 0", ["-", "--cap", "0"], LINES, "--cap: ERR_PARAMETER: cap must be a number above 0, got 0"],
    ["a cap that is text", ["-", "--cap", "much"], LINES, '--cap: ERR_PARAMETER: cap must be a number above 0, got "much"'],
    ["a cap that is infinite", ["-", "--cap", "Infinity"], LINES, '--cap: ERR_PARAMETER: cap must be a number above 0, got "Infinity"'],
    ["a floor above 0", ["-", "--cap", "1", "--floor", "1"], LINES, "--floor: ERR_PARAMETER: floor must be a number of at most 0, got 1"],
    ["an error of 1", ["-", "--cap", "1", "--error", "1"], LINES, "--error: ERR_PARAMETER: error must be above 0 and below 1, got 1"],
    [
      "a negative tolerance",
      ["-", "--cap", "1", "--tolerance", "-1"],
      LINES,
      "--tolerance: ERR_PARAMETER: tolerance must be a number of at least 0, got -1",
    ],
    ["alpha without sigma", ["-", "--cap", "1", "--alpha", "1.5"], LINES, /^--alpha: ERR_USAGE: --alpha needs --sigma/],
    [
      "index with alpha",
      ["-", "--cap", "1", "--index", "2", "--alpha", "1.5", "--sigma", "1"],
      LINES,
      /^--index: ERR_USAGE: give --index, or --alpha and --sigma/,
    ],
    ["an empty file", ["-", "--cap", "1"], "", /^stdin: ERR_DATA: empty; a log has lines such as/],
    ["blank lines alone", ["-", "--cap", "1"], "\n\n", /ERR_DATA: there is no decision in it/],
    ["a header alone", ["-", "--cap", "1"], "arm,loss\n", "stdin: ERR_DATA: there is no decision in it"],
    ["a file that is not there", ["nothing.csv", "--cap", "1"], "", /^nothing\.csv: ERR_FILE: cannot be read: ENOENT/],
    ["bytes that are no text", ["-", "--cap", "1"], Uint8Array.from({ length: 999 }, (_, i) => (i * 37) % 256), /^line 1: ERR_DATA: /],
    ["damaged gzip", ["-", "--cap", "1"], gzipSync(LINES).subarray(0, 500), /^stdin: ERR_FILE: damaged or cut short/],
    [
      "NaN in a table",
      ["-", "--cap", "1"],
      "arm,loss\na,NaN\n",
      'line 2: ERR_LOSS: loss must be a number of size at most 1e300, or empty if there is none, got "\\"NaN\\""',
    ],
    [
      "a loss of 1e308",
      ["-", "--cap", "1"],
      '{"arm":"a","loss":1e308}\n',
      "line 1: ERR_LOSS: loss must be a number of size at most 1e300, or empty if there is none, got 1e+308",
    ],
    [
      "a loss of 1e999",
      ["-", "--cap", "1"],
      '{"arm":"a","loss":1e999}\n',
      "line 1: ERR_LOSS: loss must be a number of size at most 1e300, or empty if there is none, got Infinity",
    ],
    ["NaN in JSON", ["-", "--cap", "1"], '{"arm":"a","loss":NaN}\n{"arm":"a","loss":1}\n', /^line 1: ERR_JSON: not a JSON object: /],
    ["a line that is no object", ["-", "--cap", "1"], '{"arm":"a","loss":1}\n[1]\n', /^line 2: ERR_JSON: not a JSON object: "\[1\]"/],
    ["a line that is null", ["-", "--cap", "1"], '{"arm":"a","loss":1}\nnull\n', /^line 2: ERR_JSON: /],
    [
      "no arm",
      ["-", "--cap", "1"],
      "variant,loss\na,1\n",
      'line 1: ERR_DATA: no column is named "arm"; there are "variant, loss"; say which one it is, such as --columns arm=variant',
    ],
    [
      "no loss",
      ["-", "--cap", "1"],
      "arm,latency_ms\na,1\n",
      /^line 1: ERR_DATA: no column is named "loss"; there are "arm, latency_ms"; .* --columns loss=latency_ms/,
    ],
    ["no loss in JSON", ["-", "--cap", "1"], '{"arm":"a","ms":1}\n', /^ERR_DATA: no column is named "loss"; there are "arm, ms"/],
    [
      "a column that is not there",
      ["-", "--cap", "1", "--columns", "loss=los"],
      "arm,loss\na,1\n",
      /^line 1: ERR_DATA: no column is named "los"; .*did you mean loss\?/,
    ],
    ["two columns of one name", ["-", "--cap", "1"], "arm,loss,loss\na,1,2\n", 'line 1: ERR_DATA: two columns are named "loss"'],
    [
      "a role that does not exist",
      ["-", "--cap", "1", "--columns", "arms=a"],
      LINES,
      /^--columns: ERR_UNKNOWN_NAME: no column can be "arms"; .*did you mean arm\?/,
    ],
    ["a role twice", ["-", "--cap", "1", "--columns", "arm=a,arm=b"], LINES, "--columns: ERR_USAGE: arm is given twice"],
    [
      "columns without a name",
      ["-", "--cap", "1", "--columns", "arm"],
      LINES,
      '--columns: ERR_USAGE: each part must be like loss=latency_ms, got "arm"',
    ],
    [
      "losses and rewards",
      ["-", "--cap", "1"],
      "arm,loss,reward\na,1,2\n",
      /^line 1: ERR_DATA: there are both loss and reward; say which one counts/,
    ],
    [
      "a reward among losses",
      ["-", "--cap", "1"],
      '{"arm":"a","loss":1}\n{"arm":"a","reward":1}\n',
      "line 2: ERR_DATA: a reward, and lines before it have a loss; a log has one of them",
    ],
    ["a row that is too short", ["-", "--cap", "1"], "arm,loss\na\nb,1\n", "line 2: ERR_DATA: 1 cell below a header of 2"],
    ["an open quote", ["-", "--cap", "1"], 'arm,loss\n"a,1\nb,1\n', "line 2: ERR_DATA: a quote is misplaced or not closed"],
    ["an arm without a name", ["-", "--cap", "1"], "arm,loss\n,1\n", /^line 2: ERR_DATA: arm must be a name or a number, got/],
    ["a holdout that is neither", ["-", "--cap", "1"], "arm,loss,holdout\na,1,maybe\n", /^line 2: ERR_DATA: holdout must be true or false, got/],
    ["a time that is none", ["-", "--cap", "1"], "arm,loss,time\na,1,soon\n", /^line 2: ERR_DATA: time must be a number or a date such as/],
    [
      "times in some lines only",
      ["-", "--cap", "1"],
      '{"arm":"a","loss":1}\n{"arm":"a","loss":1,"time":3}\n',
      "line 2: ERR_DATA: time must be in every line, or in none",
    ],
    ["a segment that is not there", ["-", "--cap", "20", "--segment", "x"], LINES, '--segment: ERR_DATA: no decision is of the segment "x"'],
    [
      "a bandit of a log that has none",
      ["-", "--cap", "20", "--bandit", "x"],
      LINES,
      "--bandit: ERR_USAGE: stdin is not a service's log; leave --bandit out",
    ],
    [
      "a segment for every line",
      ["-", "--cap", "20"],
      asLines(ROWS.map((row, i) => ({ ...row, segment: i }))),
      "line 1001: ERR_DATA: more than 1,000 segments; choose one with --segment, or name another column as the segment, with --columns",
    ],
    [
      "an arm for every line",
      ["-", "--cap", "20"],
      asLines(Array.from({ length: 10_002 }, (_, arm) => ({ arm, loss: 1 }))),
      "line 10001: ERR_DATA: more than 10,000 arms; is that column what was chosen between?",
    ],
    ["a mix of arms that are not there", ["-", "--cap", "20", "--mix", "stray.json"], LINES, '--mix: ERR_UNKNOWN_NAME: the log has no arm "zz"'],
    [
      "a mix that does not sum to 1",
      ["-", "--cap", "20", "--mix", "half.json"],
      LINES,
      /^half\.json: ERR_PARAMETER: the probabilities must be at least 0 and sum to 1/,
    ],
    ["a folder as a report", ["-", "--cap", "20", "--report", "."], LINES, /^\.: ERR_FILE: cannot be written: EISDIR/],
  ])("%s", async (_, args, stdin, message) => {
    write("stray.json", '{"zz":1}');
    write("half.json", '{"a":0.5}');
    const { code, stdout, stderr } = await evaluate(args, stdin);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith("tsallis: ")).toBe(true);
    const line = stderr.slice("tsallis: ".length, -1);
    if (typeof message === "string") expect(line).toBe(message);
    else expect(line).toMatch(message);
  });
});

describe("--report", () => {
  it("writes one page that loads nothing", async () => {
    const { code } = await evaluate(["-", "--cap", "20", "--report", "page.html"], LINES);
    expect(code).toBe(0);
    const page = readFileSync(join(folder, "page.html"), "utf8");
    expect(page).toContain("May I stop? Yes: a is the best arm.");
    for (const title of ["What each arm is known to be, decision by decision", "The race of the arms", "the line that ends the race"])
      expect(page).toContain(title);
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/);
    expect(page).toContain("default-src &#39;none&#39;");
  });

  it.each([
    ["one decision", '{"arm":"a","loss":0.5}\n'],
    ["markup as names", asLines(ROWS.slice(0, 100).map(({ arm, loss }) => ({ arm: `<script>${arm}</script>`, loss, segment: "<b>" })))],
    ["nothing but missing losses", asLines(ROWS.slice(0, 100).map(({ arm }) => ({ arm, loss: null })))],
  ])("also of %s", async (_, log) => {
    const { code, stderr } = await evaluate(["-", "--cap", "20", "--report", "odd.html"], log);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const page = readFileSync(join(folder, "odd.html"), "utf8");
    expect(page).not.toContain("<script>a");
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent } from "../../service/src/log/event.js";
import { eventText, headerText } from "../../service/src/log/logText.js";
import { genesis, toRow } from "../../service/src/log/storedEvent.js";
import { tsallis } from "./inProcess.js";
import { logOf, served } from "./served.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-evaluate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const evaluate = (args: readonly string[], stdin?: string) => tsallis(["evaluate", ...args], stdin, folder);
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);

/** The log of checkout: 30 rounds of 12 decisions, of which the first is in a segment; four of the last round are open. */
let log = "";
beforeAll(async () => {
  const store = join(folder, "shop.db");
  await served(store, { bandit: "search", daysAgo: 1, rounds: 2 });
  await served(store, { bandit: "checkout", daysAgo: 1, rounds: 30, perRound: 12, open: 4 });
  log = await logOf(store, "checkout");
});

type Found = {
  name: string;
  segment: string | null;
  decisions: number;
  feedback: number;
  missing: number;
  log: { open: number; earlier: number; late: number };
};
const foundBy = async (args: readonly string[], stdin?: string): Promise<Found[]> => {
  const { code, stdout, stderr } = await evaluate([...args, "--json"], stdin);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};

describe("a service's log", () => {
  it("is evaluated by segment, with the decisions that are open", async () => {
    const found = await foundBy(["-", "--cap", "5"], log);
    expect(found.map(({ name, segment, decisions, feedback, log: { open } }) => [name, segment, decisions, feedback, open])).toEqual([
      ["checkout", "web", 30, 30, 0],
      ["checkout", "", 326, 326, 4],
    ]);
    const { stdout } = await evaluate(["-", "--cap", "5"], log);
    expect(stdout).toMatch(/^checkout, segment web: 30 decisions, 30 with feedback; settled up to 20\d\d-\d\d-\d\d \d\d:\d\d\n/);
    expect(stdout).toContain("4 decisions of the log wait for the oldest one without an outcome, and do not count yet.");
  });

  it("gives the same from the store, from files, compressed, and without the chain", async () => {
    const expected = await foundBy(["-", "--cap", "5"], log);
    const lines = log.trimEnd().split("\n");
    const { document, ...header } = JSON.parse(lines[0]!);
    const second = JSON.stringify({ ...header, after: 100, before: JSON.parse(lines[100]!).hash, document });
    write("one.ndjson", `${lines.slice(0, 101).join("\n")}\n`);
    write("two.ndjson.gz", gzipSync(`${[second, ...lines.slice(101)].join("\n")}\n`));
    expect(await foundBy(["--db", "shop.db", "--bandit", "checkout", "--cap", "5"])).toEqual(expected);
    expect(await foundBy(["one.ndjson", "two.ndjson.gz", "--cap", "5"])).toEqual(expected);
    expect(await foundBy(["one.ndjson", "--db", "shop.db", "--bandit", "checkout", "--cap", "5"])).toEqual(expected);
    expect(await foundBy(["-", "--cap", "5", "--no-chain"], log)).toEqual(expected);
    expect((await foundBy(["--db", "shop.db", "--cap", "5"])).map(({ name }) => name)).toEqual(["checkout", "checkout", "search", "search"]);
  });

  it("that was changed is noticed as by audit", async () => {
    const changed = log.replace('"loss":0.1,', '"loss":0.2,');
    expect(changed).not.toBe(log);
    const { code, stdout, stderr } = await evaluate(["-", "--cap", "5"], changed);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^tsallis: ERR_REPLAY: event \d+ is not as it was written: its hash is \w+, its content gives \w+; restore the store from a backup\n$/,
    );
    const audited = await tsallis(["audit", "-"], changed, folder);
    expect(audited.code).toBe(1);
    expect(audited.stderr).toContain(stderr.slice("tsallis: ERR_REPLAY: ".length));
  });

  it.each<[string, (lines: string[]) => string[], number, RegExp]>([
    ["a line that is missing", (lines) => lines.filter((_, i) => i !== 20), 1, /ERR_REPLAY: event 20 is missing: event 21 stands in its place/],
    [
      "a line that is twice there with another hash",
      (lines) => [...lines.slice(0, 20), lines[20]!.replace(/"hash":"\w+"/, `"hash":"${"0".repeat(32)}"`), ...lines.slice(20)],
      1,
      /ERR_REPLAY: event 20 is not as it was written/,
    ],
    [
      "a last line that is cut off",
      (lines) => [...lines.slice(0, -1), lines.at(-1)!.slice(0, 40)],
      2,
      /ERR_LOG: stdin: line \d+ is not a line of a log/,
    ],
    [
      "a log without its beginning",
      (lines) => [lines[0]!.replace('"after":0', '"after":7'), ...lines.slice(8)],
      2,
      /ERR_LOG: stdin: the log of checkout begins after event 7; give the file that ends there first/,
    ],
  ])("refuses %s", async (_, change, exit, message) => {
    const { code, stdout, stderr } = await evaluate(["-", "--cap", "5"], change(log.trimEnd().split("\n")).join("\n"));
    expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it.each([
    [["-"], "tsallis: --cap: ERR_MISSING: give the largest loss that matters; no interval for a mean is valid without it\n"],
    [["-", "--cap", "5", "--moving"], "tsallis: --moving: ERR_DATA: arms that change are compared by a holdout only; this log has none\n"],
    [["-", "--cap", "5", "--columns", "arm=x"], "tsallis: --columns: ERR_USAGE: a service's log has fixed columns; leave --columns out\n"],
    [["-", "--cap", "5", "--segment", "mobile"], 'tsallis: --segment: ERR_DATA: no decision is of the segment "mobile"\n'],
    [["-", "--cap", "5", "--bandit", "nope"], "tsallis: --bandit: ERR_UNKNOWN_BANDIT: there is no log of nope\n"],
    [["-", "--cap", "5", "--against", "uniform", "--segment", "web"], /^tsallis: --against: ERR_DATA: \w has \d+ losses; 100 are needed\n$/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await evaluate(args, log);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    if (typeof message === "string") expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });
});

describe("a log of a service that was written for the test", () => {
  const created = {
    name: "shop",
    version: "0.1.0",
    bits: "x",
    createdAt: 1.7e12,
    document: JSON.stringify({ arms: ["a", "b"], holdout: 0.2, cap: 8 }),
  };
  type Fields = { [Kind in LogEvent["kind"]]: Omit<Extract<LogEvent, { kind: Kind }>, "seq" | "at" | "origin"> }[LogEvent["kind"]];
  /** The log with these events, hashed as the service does. */
  const logWith = (events: readonly Fields[], bandit = created) => {
    let hash = genesis(bandit);
    const rows = events.map((event, i) => {
      const row = toRow({ ...event, seq: i + 1, at: 1.7e12 + i, origin: "decision" in event ? "salt" : null } as LogEvent, hash);
      hash = row.hash;
      return eventText(row);
    });
    return headerText(bandit, 0, "") + rows.join("");
  };
  const decision = (id: string, number: number, holdout = false): Fields => ({
    kind: "decision",
    decision: id,
    segment: "",
    arm: "ab"[number]!,
    number,
    round: 1,
    probability: 0.5,
    threshold: null,
    holdout,
    expires: 2e12,
  });
  const feedback = (id: string, loss: number, reward = false): Fields => ({
    kind: "feedback",
    decision: id,
    segment: "",
    loss,
    status: "applied",
    ...(reward && { reward: true as const }),
  });
  const some = (count: number, label: string, arms = 2) =>
    Array.from({ length: count }, (_, i) => [decision(`${label}${i}`, i % arms), feedback(`${label}${i}`, (i % 2) + 1)] as const);

  it("has its cap in its document; --cap is stronger", async () => {
    const text = logWith(some(50, "d").flat());
    expect(await foundBy(["-"], text)).toMatchObject([{ name: "shop", segment: null, cap: 8, decisions: 50 }]);
    expect(await foundBy(["-", "--cap", "3"], text)).toMatchObject([{ cap: 3 }]);
  });

  it("counts in the order of decisions, whatever the order of arrival", async () => {
    const pairs = some(60, "d");
    const late = [...pairs.map(([decided]) => decided), ...pairs.map(([, ended]) => ended).reverse()];
    const [{ log: _, settledUpTo: __, ...one }] = (await foundBy(["-"], logWith(pairs.flat()))) as [Found & { settledUpTo: unknown }];
    const [{ log: ___, settledUpTo: ____, ...other }] = (await foundBy(["-"], logWith(late))) as [Found & { settledUpTo: unknown }];
    expect(other).toEqual(one);
  });

  it("counts an expiry as missing unless the owner said what it costs, and says what came too late", async () => {
    const expired = (id: string, loss: number | null): Fields => ({ kind: "expiry", decision: id, segment: "", loss });
    const events = [
      ...some(40, "d").flat(),
      decision("x", 0),
      decision("y", 1),
      expired("x", null),
      expired("y", 4),
      { kind: "late", decision: "x", segment: "", loss: 7 } as const,
    ];
    const [found] = await foundBy(["-"], logWith(events));
    expect(found).toMatchObject({ decisions: 42, missing: 1, feedback: 41, log: { late: 1 } });
    expect((await evaluate(["-"], logWith(events))).stdout).toContain("Feedback came too late for 1 decision: it counts as missing.");
  });

  it("begins a new claim where the arms change", async () => {
    const change: Fields = {
      kind: "change",
      arms: [
        { name: "b", number: 1 },
        { name: "c", number: 2 },
      ],
    };
    const [found] = await foundBy(["-"], logWith([...some(40, "d").flat(), change, decision("n", 2), feedback("n", 1)]));
    expect(found).toMatchObject({ decisions: 1, log: { earlier: 40 } });
    expect((found as unknown as { arms: { name: string }[] }).arms.map(({ name }) => name).sort()).toEqual(["b", "c"]);
  });

  it("may have rewards, but not both", async () => {
    const events = [decision("d1", 0), decision("d2", 1), feedback("d1", -2, true), feedback("d2", -3, true)];
    expect(await foundBy(["-"], logWith(events))).toMatchObject([{ unit: "reward", cap: 8, verdict: { leader: "b" } }]);
    const { code, stderr } = await evaluate(["-"], logWith([...events, decision("d3", 0), feedback("d3", 1)]));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "tsallis: event 6: ERR_DATA: a loss, and feedback before it was a reward; a log has one of them\n",
    });
  });

  it("refuses a loss below the floor, by its event", async () => {
    const { code, stderr } = await evaluate(["-"], logWith([decision("d1", 0), feedback("d1", -3)]));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "tsallis: event 2: ERR_LOSS: loss -3 is below the floor 0; with --floor -8 losses count from -8 to the cap\n",
    });
    expect(await foundBy(["-", "--floor", "-8"], logWith([decision("d1", 0), feedback("d1", -3)]))).toMatchObject([{ floor: -8, decisions: 1 }]);
  });

  it("lets the oldest open decision end without feedback if too many wait", async () => {
    const events = [decision("open", 0), ...some(30, "d").flat()];
    expect(await foundBy(["-"], logWith(events))).toMatchObject([{ decisions: 0, log: { open: 31 } }]);
    expect(await foundBy(["-", "--max-open", "10"], logWith(events))).toMatchObject([{ decisions: 31, missing: 1, log: { dropped: 1 } }]);
  });
});

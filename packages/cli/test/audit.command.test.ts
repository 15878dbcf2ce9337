import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { openStore } from "@tsallis/service";
import Database from "libsql";
import { createPolicy, stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chained, genesis } from "../../service/src/log/storedEvent.js";
import { ended, startIn } from "./command.js";
import { tsallis as run } from "./inProcess.js";
import { logOf, served } from "./served.js";

const COMMAND = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tsallis-audit-"));
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const audit = (args: readonly string[], stdin?: string) => run(["audit", ...args], stdin, folder);
const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
const HEAD = String.raw`\(head [0-9a-f]{32}\)`;

/** The log of checkout: a line about it, and 44 events. */
let log = "";
beforeAll(async () => {
  const store = join(folder, "shop.db");
  await served(store, { bandit: "search", daysAgo: 1, rounds: 1 });
  await served(store, { bandit: "checkout", daysAgo: 1, rounds: 2, perRound: 12, open: 4 });
  log = await logOf(store, "checkout");
});

describe("a store", () => {
  it("is as recorded: a line for each bandit, by name", async () => {
    const { code, stdout, stderr } = await audit(["--db", "shop.db"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(
        `^checkout: 44 events, 24 decisions: all as recorded, bit for bit ${HEAD}\nsearch: 20 events, 10 decisions: all as recorded, bit for bit ${HEAD}\n$`,
      ),
    );
  });

  it("as JSON, and one bandit of it", async () => {
    const { stdout } = await audit(["--db", "shop.db", "--bandit", "search", "--json"]);
    const head = /\(head (\w+)\)\n$/.exec((await audit(["--db", "shop.db"])).stdout)?.[1];
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ name: "search", after: 0, events: 20, decisions: 10, unproved: 0, versions: [], segments: 1, erased: 0, repairs: [] },
        ...{ head, heads: [], differs: null },
      },
    ]);
  });

  it("has the events whose heads were kept elsewhere, or exit code 1", async () => {
    const heads = log
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line).hash as string);
    const found = await audit(["--db", "shop.db", "--head", heads[19]!, "--head", heads.at(-1)!]);
    expect({ code: found.code, stderr: found.stderr }).toEqual({ code: 0, stderr: "" });
    expect(found.stdout).toContain(`; ${heads[19]} is event 20; ${heads.at(-1)} is event 44\n`);
    // The end is cut off, and the rest follows from itself.
    write("cut-off.ndjson", `${log.split("\n").slice(0, 41).join("\n")}\n`);
    expect((await audit(["cut-off.ndjson"])).code).toBe(0);
    expect((await audit(["cut-off.ndjson", "--head", heads[19]!])).code).toBe(0);
    const lost = await audit(["cut-off.ndjson", "--head", heads.at(-1)!]);
    expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining(`--head: ERR_REPLAY: no log has an event with the hash ${heads.at(-1)}`) });
    expect(await audit(["--head", "abc"])).toMatchObject({ code: 2, stderr: expect.stringContaining("head must be 32 hexadecimal digits") });
  });

  it.skipIf(process.getuid?.() !== 0)("can be audited by a user who may only read it, open or not; only root can become one", async () => {
    const own = mkdtempSync(join(tmpdir(), "tsallis-readable-"));
    try {
      copyFileSync(join(folder, "shop.db"), join(own, "shop.db"));
      const asNobody = () =>
        spawnSync(process.execPath, [COMMAND, "audit", "--db", join(own, "shop.db")], { uid: 65_534, gid: 65_534, encoding: "utf8" });
      chmodSync(own, 0o555);
      chmodSync(join(own, "shop.db"), 0o444);
      for (const isOpen of [false, true]) {
        const store = isOpen ? await openStore(join(own, "shop.db")) : null;
        const { status, stdout, stderr } = asNobody();
        await store?.close();
        expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
        expect(stdout).toMatch(/^checkout: 44 events, 24 decisions: all as recorded, bit for bit/);
      }
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  it("that the environment names", async () => {
    vi.stubEnv("TSALLIS_DB", join(folder, "shop.db"));
    expect((await audit([])).stdout).toContain("checkout: 44 events");
    // It says nothing about files.
    write("whole.ndjson", log);
    expect((await audit(["whole.ndjson"])).stdout).not.toContain("search");
    vi.unstubAllEnvs();
  });

  it("without bandits is as it should be", async () => {
    expect((await run(["keys", "add", "--role", "read", "--db", "empty.db"], "", folder)).code).toBe(0);
    expect(await audit(["--db", "empty.db"])).toEqual({ code: 0, stdout: "no bandits yet\n", stderr: "" });
  });
});

describe("files", () => {
  const lines = () => log.trimEnd().split("\n");
  /** A part of the log as the service would give it away: events after one and up to another. */
  const part = (after: number, upTo: number) => {
    const { document, ...header } = JSON.parse(lines()[0]!);
    const before = after === 0 ? "" : JSON.parse(lines()[after]!).hash;
    return `${[JSON.stringify({ ...header, after, before, document }), ...lines().slice(after + 1, upTo + 1)].join("\n")}\n`;
  };

  it.each([
    ["as it came", () => log],
    ["compressed", () => gzipSync(log)],
    ["compressed in two pieces", () => Buffer.concat([gzipSync(log.slice(0, 1000)), gzipSync(log.slice(1000))])],
    ["with carriage returns and without its last line feed", () => log.trimEnd().replaceAll("\n", "\r\n")],
  ])("%s", async (_, content) => {
    write("one.log", content());
    const { code, stdout, stderr } = await audit(["one.log"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^checkout: 44 events, 24 decisions: all as recorded, bit for bit ${HEAD}\n$`));
  });

  it("from stdin", async () => {
    expect(await audit(["-"], log)).toEqual(await audit(["whole.ndjson"]));
  });

  it("several in order, one of them compressed, that may repeat what the one before has", async () => {
    write("a.log", part(0, 13));
    write("b.log.gz", gzipSync(part(13, 30)));
    write("overlap.log", part(20, 44));
    write("c.log", part(30, 44));
    const whole = await audit(["whole.ndjson"]);
    expect(await audit(["a.log", "b.log.gz", "c.log"])).toEqual(whole);
    expect(await audit(["a.log", "b.log.gz", "overlap.log"])).toEqual(whole);
    expect(await audit(["a.log", "b.log.gz", "--db", "shop.db", "--bandit", "checkout"])).toEqual(whole);
    // Of stores, every bandit is audited.
    expect((await audit(["a.log", "--db", "shop.db"])).stdout).toBe(
      `${whole.stdout}${(await audit(["--db", "shop.db", "--bandit", "search"])).stdout}`,
    );
  });

  it.each([
    ["out of order", ["b.log.gz", "a.log"], "ERR_LOG: b.log.gz: the log of checkout begins after event 13; give the file that ends there first"],
    ["with one left out", ["a.log", "c.log"], "ERR_LOG: c.log: the log of checkout goes on after event 30"],
    ["of which one is a piece of another", ["whole.ndjson", "a.log"], "ERR_LOG: a.log: an earlier file has all of it already, up to event 44"],
    ["that are not there", ["nope.log"], "nope.log: ERR_FILE: cannot be read: ENOENT"],
    ["that are empty", ["empty.log"], "ERR_LOG: empty.log: it is empty; a log begins with a line about its bandit"],
    ["that are something else", ["other.log"], "ERR_LOG: other.log: line 1 is not a line of a log: hello"],
    ["that were cut off", ["cut.log"], "ERR_LOG: cut.log: line 3 is not a line of a log: "],
    ["that were cut off, compressed", ["cut.log.gz"], "ERR_LOG: cut.log.gz: the compressed file is damaged or cut off"],
    ["without the bandit", ["a.log", "--bandit", "search"], "--bandit: ERR_UNKNOWN_BANDIT: the files have no log of search"],
    ["of a bandit that the store does not have", ["a.log", "--db", "empty.db"], "ERR_LOG: the files have a log of checkout, which is no bandit of "],
    ["beside a store that is not there", ["a.log", "--db", "nope.db"], "nope.db: ERR_FILE: no such store; name another with --db"],
    ["of another log than the store's", ["rewritten.log", "--db", "shop.db"], "ERR_LOG: event 20 of checkout has the hash "],
  ])("%s: exit code 2", async (_, args, message) => {
    write("empty.log", "");
    write("other.log", "hello\n");
    write("cut.log", part(0, 2).slice(0, -40));
    write("cut.log.gz", gzipSync(log).subarray(0, 900));
    write(
      "rewritten.log",
      rechained(part(0, 20), 20, (body) => ({ ...body, loss: body.loss + 1 })),
    );
    const { code, stdout, stderr } = await audit(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });

  it("a digit that was changed is found: exit code 1, the event, and both hashes", async () => {
    write("changed.log", log.replace(/"loss":0.1(?=\D)/, '"loss":0.2'));
    const seq = lines().findIndex((line) => /"loss":0.1(?=\D)/.test(line));
    const { code, stdout, stderr } = await audit(["changed.log"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`checkout: ${seq - 1} events as recorded; event ${seq} is not\n`);
    expect(stderr).toMatch(
      new RegExp(
        `^tsallis: checkout: ERR_REPLAY: event ${seq} is not as it was written: its hash is [0-9a-f]{32}, its content gives [0-9a-f]{32}; .*\n$`,
      ),
    );
    expect(JSON.parse((await audit(["changed.log", "--json"])).stdout)).toMatchObject([{ events: seq - 1, differs: { seq } }]);
  });

  it("a decision that is not what the policy draws is found, even if all hashes were recomputed: exit code 1, and both values", async () => {
    const seq = lines()
      .map((line) => line.includes('"kind":"decision"'))
      .lastIndexOf(true);
    const { probability } = JSON.parse(lines()[seq]!).body;
    const other = probability + Number.EPSILON / 2;
    expect(other).not.toBe(probability);
    write(
      "forged.log",
      rechained(log, seq, (body) => ({ ...body, probability: other })),
    );
    const { code, stdout, stderr } = await audit(["forged.log"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`checkout: ${seq - 1} events as recorded; event ${seq} is not\n`);
    expect(stderr).toMatch(new RegExp(`^tsallis: checkout: ERR_REPLAY: event ${seq} .+\n$`));
    expect(stderr).toContain(`${probability}`);
    expect(stderr).toContain(`${other}`);
  });

  it("a digit that was changed where a later file repeats an earlier one is found: exit code 2", async () => {
    const [header, ...events] = lines();
    write("first.log", `${[header, ...events.slice(0, 30)].join("\n")}\n`);
    const place = events.findIndex((line) => /"loss":0.1(?=\D)/.test(line));
    expect(place).toBeLessThan(30);
    write("again.log", log.replace(/"loss":0.1(?=\D)/, '"loss":0.2'));
    expect(await audit(["first.log", "again.log"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`again.log: event ${place + 1} of checkout is not as it was written`),
    });
    write("gap.log", `${[header, ...events.slice(5)].join("\n")}\n`);
    expect(await audit(["first.log", "gap.log"])).toMatchObject({ code: 2, stderr: expect.stringContaining("event 1 of checkout is missing") });
  });

  it("with a store that has the same events: those of the store are audited", async () => {
    const changed = (statement: string) => {
      copyFileSync(join(folder, "shop.db"), join(folder, "changed.db"));
      const database = new Database(join(folder, "changed.db"));
      database.exec(statement);
      database.close();
      return audit(["whole.ndjson", "--db", "changed.db", "--bandit", "checkout"]);
    };
    expect(await changed("SELECT 1")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^checkout: 44 events/) });
    expect(await changed("UPDATE event SET body = replace(body, '\"loss\":0.1', '\"loss\":0.2')")).toMatchObject({ code: 1 });
    expect(await changed("DELETE FROM event WHERE seq = 7")).toMatchObject({ code: 1 });
  });

  it.each([
    ["an event", '{"seq":5,', '{"seq":5,"arm":"best",'],
    ["an event, twice", '{"seq":5,', '{"body":{"loss":0},"seq":5,'],
    ["the first line", '"format":1,', '"format":1,"approved":true,'],
  ])("a key that %s does not have is refused, never ignored: exit code 2", async (_, found, forged) => {
    write("keys.log", log.replace(found, forged));
    expect(await audit(["keys.log"])).toMatchObject({ code: 2, stderr: expect.stringMatching(/keys\.log: line \d+ has an unknown key/) });
  });

  it("a state that another version handed over counts as not proved, though nothing was decided from it yet: exit code 3", async () => {
    const [header, first] = lines().map((line) => JSON.parse(line));
    const { arms, policy, seed } = header.document;
    const [rng, holdoutRng] = ["segment", "holdout"].map((label) => stream(seed, label, "", 1).state());
    const state = {
      arms: arms.map((_: string, i: number) => i),
      policy: createPolicy(policy, arms.length).snapshot(),
      rng,
      holdoutRng,
      probabilitiesAt: 0,
    };
    const body = JSON.stringify({ version: header.version, bits: "other bits", state });
    const row = { seq: 1, kind: "version", decision: null, origin: null, segment: "", at: first.at } as const;
    const hash = chained(genesis({ ...header, document: JSON.stringify(header.document) }), { ...row, slot: null, body });
    const { seq, kind, segment, at } = row;
    write("handed-over.log", `${lines()[0]}\n${JSON.stringify({ seq, kind, segment, at, hash }).replace(/\}$/, `,"body":${body}}`)}\n`);
    const { code, stdout } = await audit(["handed-over.log"]);
    expect(stdout).toBe(
      `checkout: 1 event, 0 decisions: all as recorded (head ${hash}); ${header.version} handed over a state, which is not proved; audit with that version\n`,
    );
    expect(code).toBe(3);
  });
});

it("Ctrl-C ends it, with 130 and no line", async () => {
  const child = startIn(folder, "audit", "-");
  const all = ended(child);
  child.stdin.on("error", () => {});
  // So much that it has begun when all of it is taken; the input stays open.
  await new Promise((resolve) => child.stdin.write(log, resolve));
  await new Promise((resolve) => child.stdin.write("\n".repeat(1 << 20), resolve));
  child.kill("SIGINT");
  expect(await all).toEqual({ code: 130, stdout: "", stderr: "" });
});

/** A log in which the body of one event was changed by somebody who knows how to make hashes. */
// biome-ignore lint/suspicious/noExplicitAny: whatever an event has
function rechained(text: string, seq: number, change: (body: any) => object): string {
  const [header, ...events] = text.trimEnd().split("\n");
  let before = JSON.parse(events[seq - 2]!).hash as string;
  const later = events.slice(seq - 1).map((line, i) => {
    const { decision = null, origin = null, segment = null, body, ...event } = JSON.parse(line);
    const row = { ...event, decision, origin, segment, body: JSON.stringify(i === 0 ? change(body) : body) };
    before = chained(before, row);
    return JSON.stringify({ seq: event.seq, kind: event.kind, decision, origin, segment, at: event.at, hash: before }).replace(
      /\}$/,
      `,"body":${row.body}}`,
    );
  });
  return `${[header, ...events.slice(0, seq - 1), ...later].join("\n")}\n`;
}

import { closeSync, copyFileSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, openStore } from "@tsallis/service";
import fc from "fast-check";
import Database from "libsql";
import { type Choice, createPolicy, stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { chained, genesis } from "../dist/log/storedEvent.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SAVED = join(folder, "saved.db");
const UNSAVED = join(folder, "unsaved.db");
const START = 1_789_000_000_000;
let copies = 0;

/** A copy of a store, with what SQL makes of it. */
function damaged(from: string, ...statements: string[]): string {
  const file = join(folder, `${++copies}.db`);
  copyFileSync(from, file);
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
  return file;
}

function query(file: string, sql: string): unknown[][] {
  const database = new Database(file);
  const rows = database.prepare(sql).raw().all([]) as unknown[][];
  database.close();
  return rows;
}

async function audited(file: string) {
  const store = await openStore(file);
  try {
    const results = await auditStore(store);
    return Object.fromEntries(results.map((result) => [result.name, result]));
  } finally {
    await store.close();
  }
}

async function served<T>(file: string, use: (answers: Answers, service: Live) => Promise<T>, clock = { now: START + 2_000_000 }): Promise<T> {
  const service = await live({ store: file, now: () => clock.now });
  try {
    return await use(await Answers.of(service.url), service);
  } finally {
    await service.close();
  }
}

/** Two bandits, with segments, a holdout, late feedback and changes in between; closed well, and the same without its snapshots. */
beforeAll(async () => {
  const clock = { now: START };
  await served(
    SAVED,
    async (answers) => {
      await answers.put("fine", { arms: ["a", "b"], seed: 1 });
      await answers.decide("fine", { id: "f0" });
      await answers.put("hurt", { arms: ["a", "b", "c"], seed: 2, windowSeconds: 60, holdout: 0.2, expired: 3, segments: ["eu", "us"] });
      for (let i = 0; i < 10; i++) {
        clock.now += 15_000;
        await answers.decide("hurt", { id: `d${i}` });
        await answers.decide("hurt", { id: `e${i}`, segment: "eu" });
        if (i % 3 !== 0) await answers.feedback("hurt", `d${i}`, { loss: i / 8 });
        if (i % 2 !== 0) await answers.feedback("hurt", `e${i}`, { loss: -i / 4 });
        if (i === 5) await answers.expect(200, "PATCH", "/v1/bandits/hurt", { body: { arms: ["b", "c", "d"] } });
      }
      expect(await answers.feedback("hurt", "d0", { loss: 9 })).toEqual({ status: "late" });
    },
    clock,
  );
  copyFileSync(SAVED, UNSAVED);
  const database = new Database(UNSAVED);
  database.exec("DELETE FROM snapshot; VACUUM");
  database.close();
}, 300_000);

const HURT = "bandit = (SELECT id FROM bandit WHERE name = 'hurt')";
const OLDEST = `${HURT} AND seq = 1`;
const NEWEST = `${HURT} AND seq = (SELECT max(seq) FROM event WHERE ${HURT})`;
const lastSeq = () => query(SAVED, `SELECT max(seq) FROM event WHERE ${HURT}`)[0]![0] as number;

/** What is asked of every damaged store. Each answer is that of the undamaged one, or an error that says what is wrong. */
const QUESTIONS: readonly [method: string, path: string, body?: object][] = [
  ["POST", "/v1/bandits/hurt/decisions", { id: "d1" }],
  ["POST", "/v1/bandits/hurt/decisions", { id: "e1", segment: "eu" }],
  ["POST", "/v1/bandits/hurt/decisions/d1/feedback", { loss: 0.125 }],
  ["POST", "/v1/bandits/hurt/decisions/d4/feedback", { loss: 0.25 }],
  ["POST", "/v1/bandits/hurt/decisions/d0/feedback", { loss: 9 }],
  ["GET", "/v1/bandits/hurt/decisions/d0"],
  ["GET", "/v1/bandits/hurt/decisions/e8"],
  ["POST", "/v1/bandits/hurt/decisions/e8/feedback", { loss: 2 }],
  ["POST", "/v1/bandits/hurt/decisions", { id: "new1" }],
  ["POST", "/v1/bandits/hurt/decisions", { id: "new2", segment: "eu" }],
  ["POST", "/v1/bandits/hurt/decisions", { id: "new3", segment: "us" }],
  ["POST", "/v1/bandits/hurt/decisions/new1/feedback", { loss: 0.5 }],
  ["POST", "/v1/bandits/hurt/decisions", { id: "new4" }],
];

async function interviewed(file: string): Promise<{ answers: string[]; fine: number }> {
  return served(file, async (service) => {
    const answers: string[] = [];
    for (const [method, path, body] of QUESTIONS) {
      const { status, text, json } = await service.ask(method, path, { body });
      answers.push(status >= 500 || status === 404 ? `${status} ${json?.code}` : `${status} ${text}`);
    }
    const { status } = await service.ask("POST", "/v1/bandits/fine/decisions", { body: { id: "another" } });
    return { answers, fine: status };
  });
}

describe("a log that was changed by SQL, of which SQLite knows nothing", () => {
  const flipped = (column: string, where: string) => `UPDATE event SET ${column} WHERE ${where}`;
  const cases: [name: string, seq: () => number, ...sql: string[]][] = [
    ["the body of the first event", () => 1, flipped("body = replace(body, '1', '3')", OLDEST)],
    ["the body of the last", lastSeq, flipped("body = replace(body, '9', '8')", NEWEST)],
    ["the hash of the first", () => 1, flipped("hash = '0' || substr(hash, 2, 30) || 'x'", OLDEST)],
    ["the hash of the last", lastSeq, flipped("hash = 'z' || substr(hash, 2)", NEWEST)],
    ["the place of the last", lastSeq, flipped("seq = seq + 1", NEWEST)],
    ["the place of the first", () => 1, flipped("seq = 0", OLDEST)],
    ["the kind of the last", lastSeq, flipped("kind = 'feedback'", NEWEST)],
    ["the segment of the first", () => 1, flipped("segment = 'eu'", OLDEST)],
    ["the segment of the last", lastSeq, flipped("segment = 'eu'", NEWEST)],
    ["the id of the first", () => 1, flipped("decision = 'd00'", OLDEST)],
    ["the id of the last", lastSeq, flipped("decision = 'd00'", NEWEST)],
    ["the time of the last", lastSeq, flipped("at = at + 1", NEWEST)],
    ["the slot of the first", () => 1, flipped("slot = NULL", OLDEST)],
    ["the last event deleted", lastSeq, `DELETE FROM event WHERE ${NEWEST}`],
    ["an event in the middle deleted", () => 12, `DELETE FROM event WHERE ${HURT} AND seq = 12`],
    [
      "two events swapped",
      () => 12,
      flipped("seq = -1", `${HURT} AND seq = 12`),
      flipped("seq = 12", `${HURT} AND seq = 13`),
      flipped("seq = 13", `${HURT} AND seq = -1`),
    ],
    ["one event more than there is", () => lastSeq() + 1, "UPDATE bandit SET seq = seq + 1 WHERE name = 'hurt'"],
    ["one event less than there is", lastSeq, "UPDATE bandit SET seq = seq - 1 WHERE name = 'hurt'"],
    ["the seed in the document", () => 1, `UPDATE bandit SET document = replace(document, '"seed":2', '"seed":3') WHERE name = 'hurt'`],
    ["a document that is no JSON", () => 1, "UPDATE bandit SET document = substr(document, 3) WHERE name = 'hurt'"],
    ["a document without arms", () => 1, `UPDATE bandit SET document = replace(document, '"arms"', '"brms"') WHERE name = 'hurt'`],
    ["the policy in the document", () => 1, "UPDATE bandit SET document = replace(document, 'matched', 'watched') WHERE name = 'hurt'"],
    ["the bits of the bandit", () => 1, "UPDATE bandit SET bits = 'x' || substr(bits, 2) WHERE name = 'hurt'"],
    ["the time of the bandit", () => 1, "UPDATE bandit SET created_at = created_at + 1 WHERE name = 'hurt'"],
  ];

  it.each(cases)("%s: the bandit is shut, the other goes on, and audit names the event", async (_, seq, ...sql) => {
    const file = damaged(UNSAVED, ...sql);
    await served(file, async (answers, { events }) => {
      const shut = await answers.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/hurt/decisions", { body: { id: "new" } });
      expect(shut.json.detail).not.toContain("undefined");
      await answers.refused(503, "ERR_REPLAY", "GET", "/v1/bandits/hurt");
      await answers.refused(503, "ERR_REPLAY", "GET", "/v1/bandits/hurt/decisions/d1");
      await answers.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/hurt/decisions/d9/feedback", { body: { loss: 1 } });
      await answers.refused(503, "ERR_REPLAY", "PATCH", "/v1/bandits/hurt", { body: { windowSeconds: 5 } });
      await answers.decide("fine", { id: "f1" });
      const { bandits } = await answers.expect(200, "GET", "/v1/bandits");
      expect(bandits.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
        ["fine", "running"],
        ["hurt", "shut"],
      ]);
      expect(bandits[1].alarms).toEqual(["ERR_REPLAY"]);
      expect(events.filter(({ event }) => event === "problem")).toHaveLength(1);
    });
    expect(query(file, `SELECT count(*) FROM event WHERE decision = 'new'`)).toEqual([[0]]);
    const { hurt, fine } = await audited(file);
    expect(hurt!.differs).toMatchObject({ seq: seq(), message: expect.any(String) });
    expect(fine).toMatchObject({ differs: null, events: 2 });
  });

  it("a damaged snapshot changes no answer: the log tells the same story", async () => {
    const expected = await interviewed(damaged(SAVED));
    expect(expected.fine).toBe(201);
    expect(expected.answers.filter((answer) => answer.startsWith("5"))).toEqual([]);
    for (const change of ["replace(body, '1', '2')", "'x' || body", "substr(body, 1, length(body) / 2)", "''"]) {
      expect(await interviewed(damaged(SAVED, `UPDATE snapshot SET body = ${change}`))).toEqual(expected);
    }
    expect(await interviewed(damaged(SAVED, "UPDATE snapshot SET seq = seq - 1"))).toEqual(expected);
    expect(await interviewed(damaged(SAVED, "UPDATE snapshot SET seq = seq + 1000"))).toEqual(expected);
    expect(await interviewed(damaged(SAVED, "DELETE FROM snapshot"))).toEqual(expected);
  });

  it("property: one changed column of one event, before or after the snapshot: an answer is the right one, or an error", async () => {
    const expected = await interviewed(damaged(SAVED));
    const column = fc.constantFrom("body", "hash", "decision", "segment", "kind", "at", "seq", "slot");
    const change = fc.record({ column, seq: fc.integer({ min: 1, max: lastSeq() }), place: fc.nat({ max: 60 }), saved: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(change, async ({ column, seq, place, saved }) => {
        const bit = `substr(${column}, 1, ${place} % length(${column})) || 'q' || substr(${column}, ${place} % length(${column}) + 2)`;
        const value = column === "at" || column === "seq" ? `${column} + 1000` : column === "slot" ? "iif(slot IS NULL, 0, NULL)" : bit;
        const before = query(SAVED, `SELECT ${column}, ${value} FROM event WHERE ${HURT} AND seq = ${seq}`)[0]!;
        fc.pre(before[0] !== before[1]);
        const file = damaged(saved ? SAVED : UNSAVED, `UPDATE event SET ${column} = ${value} WHERE ${HURT} AND seq = ${seq}`);
        const { hurt } = await audited(file);
        // A missing slot is what prune leaves of an outcome.
        if (column !== "slot") expect(hurt!.differs?.seq).toBe(seq);
        const { answers, fine } = await interviewed(file);
        expect(fine).toBe(201);
        for (const [i, answer] of answers.entries()) expect([expected.answers[i], "503 ERR_REPLAY"]).toContain(answer);
        if (!saved && column !== "slot") expect(new Set(answers)).toEqual(new Set(["503 ERR_REPLAY"]));
      }),
      { numRuns: soak(25, 2_000), endOnFailure: true },
    );
  });
});

describe("a file whose pages were changed", () => {
  /** Whether SQLite itself finds every tree of the file whole: it looks only if it is asked to. */
  function isWhole(file: string): boolean {
    try {
      return Buffer.from(query(file, "SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check")[0]![0] as Uint8Array).toString() === "ok";
    } catch {
      return false;
    }
  }

  function flipped(place: number, bit: number): string {
    const file = damaged(SAVED);
    const handle = openSync(file, "r+");
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, place);
    byte[0]! ^= 1 << bit;
    writeSync(handle, byte, 0, 1, place);
    closeSync(handle);
    return file;
  }

  /**
   * Beside the right answer: the error that says what is wrong. A name that was changed is that of another bandit. Where the tree of an index is broken, which
   * a file without checksums cannot tell by itself, an id may not be found; all that is asked then is that the process lives, and that an audit says so.
   */
  async function answersRightly(place: number, bit: number, expected: readonly string[]): Promise<void> {
    const file = flipped(place, bit);
    const whole = isWhole(file);
    // Whoever asks is told.
    if (!whole) await expect(audited(flipped(place, bit)), `byte ${place}, bit ${bit}`).rejects.toMatchObject({ name: "ServiceError" });
    const found = await interviewed(file).catch((error: { code?: unknown }) => error);
    if ("code" in found) {
      expect(["ERR_STORE", "ERR_SCHEMA"]).toContain(found.code);
      return;
    }
    const errors = ["503 ERR_REPLAY", "503 ERR_STORE", "404 ERR_UNKNOWN_BANDIT", "503 ERR_VERSION"];
    const { answers } = found as { answers: string[] };
    if (whole) for (const [i, answer] of answers.entries()) expect([expected[i], ...errors], `byte ${place}, bit ${bit}`).toContain(answer);
    else for (const answer of answers) expect(answer).not.toMatch(/^500/);
  }

  it("property: one flipped bit anywhere in the file: an answer is the right one, or an error, and the process lives", async () => {
    const { answers } = await interviewed(damaged(SAVED));
    const place = fc.nat({ max: statSync(SAVED).size - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: 7 }), (byte, bit) => answersRightly(byte, bit, answers)),
      { numRuns: soak(40, 5_000), endOnFailure: true },
    );
  });

  it("a text that is not UTF-8 any more does not end the process: the counter-example of the property test", async () => {
    const file = damaged(
      UNSAVED,
      `UPDATE event SET body = CAST(replace(CAST(body AS BLOB), CAST('loss' AS BLOB), x'6cff7373') AS TEXT) WHERE ${NEWEST}`,
    );
    expect(new Set((await interviewed(file)).answers)).toEqual(new Set(["503 ERR_REPLAY"]));
    const document = "UPDATE bandit SET document = CAST(x'ff' || CAST(document AS BLOB) AS TEXT) WHERE name = 'hurt'";
    const { answers, fine } = await interviewed(damaged(SAVED, document));
    expect([new Set(answers), fine]).toEqual([new Set(["503 ERR_REPLAY"]), 201]);
    const expected = await interviewed(damaged(SAVED));
    expect(await interviewed(damaged(SAVED, "UPDATE snapshot SET body = CAST(x'ff' || CAST(body AS BLOB) AS TEXT)"))).toEqual(expected);
  });
});

/** Makes the log of a bandit as another version of the library would have written it, with a chain that holds. */
function rewritten(file: string, version: string, bits: string, change: (body: Record<string, unknown>, kind: string) => void = () => {}): void {
  const database = new Database(file);
  database.prepare("UPDATE bandit SET version = ?, bits = ? WHERE name = 'hurt'").run([version, bits]);
  const [[id, name, document, createdAt]] = database
    .prepare("SELECT id, name, document, created_at FROM bandit WHERE name = 'hurt'")
    .raw()
    .all([]) as [[number, string, string, number]];
  let hash = genesis({ name, document, version, bits, createdAt });
  const rows = database
    .prepare("SELECT seq, kind, decision, origin, slot, segment, at, body FROM event WHERE bandit = ? ORDER BY seq")
    .raw()
    .all([id]) as [number, string, string | null, string | null, 0, string | null, number, string][];
  for (const [seq, kind, decision, origin, slot, segment, at, text] of rows) {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    change(parsed, kind);
    const body = JSON.stringify(parsed);
    hash = chained(hash, { seq, kind: kind as "decision", decision, origin, slot, segment, at, body });
    database.prepare("UPDATE event SET body = ?, hash = ? WHERE bandit = ? AND seq = ?").run([body, hash, id, seq]);
  }
  database.exec(`DELETE FROM snapshot WHERE ${HURT}`);
  database.close();
}

describe("a log of another version of the library", () => {
  /** A bandit without holdout, whose first arm was played always: no version of ours would have done that. */
  async function older(version: string): Promise<string> {
    const file = join(folder, `${++copies}.db`);
    await served(file, async (answers) => {
      await answers.put("hurt", { arms: ["a", "b", "c"], seed: 7, windowSeconds: 3600, segments: ["eu"] });
      for (let i = 0; i < 12; i++) {
        await answers.decide("hurt", { id: `d${i}` });
        if (i < 9) await answers.feedback("hurt", `d${i}`, { loss: 1 + i });
      }
      await answers.put("fine", { arms: ["a", "b"] });
    });
    rewritten(file, version, "other bits", (body, kind) => {
      if (kind !== "decision") return;
      Object.assign(body, { arm: "a", number: 0, probability: 0.25, threshold: body.threshold === null ? null : 100 });
    });
    return file;
  }

  it("its decisions are taken as they are, a version event marks where we go on, and our decisions replay bit for bit", async () => {
    const file = await older("0.0.1");
    const before = (query(file, `SELECT kind, body FROM event WHERE ${HURT} ORDER BY seq`) as [string, string][]).map(([kind, body]) => ({
      kind,
      ...(JSON.parse(body) as Record<string, unknown>),
    }));
    const made = await served(file, async (answers) => {
      const old = await answers.expect(200, "POST", "/v1/bandits/hurt/decisions", { body: { id: "d3" } });
      expect(old).toMatchObject({ arm: "a", probability: 0.25, repeated: true });
      return [
        await answers.decide("hurt", { id: "n0" }),
        await answers.feedback("hurt", "d11", { loss: 0.5 }),
        await answers.decide("hurt", { id: "n1" }),
      ];
    });
    const policy = createPolicy({ policy: "matched-tinf" }, 3);
    const open: Choice[] = [];
    for (const event of before as ({ kind: string } & Choice & { loss: number })[]) {
      if (event.kind === "decision") {
        const { round, probability, threshold } = event;
        open.push({ ...policy.force(0), round, probability, threshold });
      } else policy.update(open.shift()!, event.loss);
    }
    const rows = query(file, `SELECT seq, kind FROM event WHERE ${HURT} AND seq > ${before.length} ORDER BY seq`);
    expect(rows.map(([, kind]) => kind)).toEqual(["version", "decision", "feedback", "decision"]);
    const rng = stream(7, "segment", "", before.length + 1);
    const first = policy.choose(rng);
    policy.update(open[2]!, 0.5);
    const second = policy.choose(rng);
    expect([made[0], made[2]]).toMatchObject([first, second].map(({ arm, round, probability }) => ({ arm: "abc"[arm], round, probability })));
    expect((await audited(file)).hurt).toMatchObject({ differs: null, decisions: 14, unproved: 14, versions: ["0.0.1"] });
    // Once taken over, it is ours: nothing of it is written twice.
    await served(file, (answers) => answers.decide("hurt", { id: "n2" }));
    expect(query(file, `SELECT count(*) FROM event WHERE ${HURT} AND kind = 'version'`)).toEqual([[1]]);
    expect((await audited(file)).hurt).toMatchObject({ differs: null, unproved: 15 });
  });

  it("a newer version is not taken over: ERR_VERSION, also for what has just come, and nothing is written", async () => {
    const file = await older("99.0.0");
    await served(file, async (answers) => {
      await answers.refused(503, "ERR_VERSION", "POST", "/v1/bandits/hurt/decisions", { body: { id: "n0" } });
      await answers.refused(503, "ERR_VERSION", "POST", "/v1/bandits/hurt/decisions", { body: { id: "n0", segment: "eu" } });
      await answers.refused(503, "ERR_VERSION", "POST", "/v1/bandits/hurt/decisions/d11/feedback", { body: { loss: 1 } });
      expect(await answers.expect(200, "POST", "/v1/bandits/hurt/decisions", { body: { id: "d1" } })).toMatchObject({ repeated: true });
      const view = await answers.view("hurt", "?segment=eu");
      expect(view).toMatchObject({ round: 0, segments: [] });
      await answers.decide("fine", { id: "f" });
    });
    expect(query(file, `SELECT max(seq) FROM event WHERE ${HURT}`)).toEqual([[21]]);
    expect((await audited(file)).hurt).toMatchObject({ differs: null, unproved: 12, versions: ["99.0.0"] });
  });

  it.each(["a state that we can read", "a state that we cannot read"])(
    "one that takes over while we run, with %s: ERR_VERSION, now and after a restart",
    async (what) => {
      const file = join(folder, `${++copies}.db`);
      const takeOver = () => {
        const database = new Database(file);
        const [[id, seq, hash]] = database
          .prepare("SELECT b.id, b.seq, e.hash FROM bandit b JOIN event e ON e.bandit = b.id AND e.seq = b.seq")
          .raw()
          .all([]) as [[number, number, string]];
        const policy = createPolicy({ policy: "matched-tinf" }, 2).snapshot();
        const readable = { policy, arms: [0, 1], rng: [1, 2, 3, 4], holdoutRng: [1, 2, 3, 4], probabilitiesAt: 0 };
        const state = what.endsWith("can read") ? readable : { ...readable, policy: { ...policy, format: 99 } };
        const body = JSON.stringify({ version: "99.0.0", bits: "newer bits", state });
        const event = { seq: seq + 1, kind: "version" as const, decision: null, origin: null, slot: null, segment: "", at: START, body };
        database
          .prepare("INSERT INTO event (bandit, seq, kind, decision, slot, segment, at, body, hash) VALUES (?, ?, 'version', NULL, NULL, '', ?, ?, ?)")
          .run([id, seq + 1, START, body, chained(hash, event)]);
        database.prepare("UPDATE bandit SET seq = ?").run([seq + 1]);
        database.close();
      };
      await served(file, async (answers) => {
        await answers.put("hurt", { arms: ["a", "b"] });
        await answers.decide("hurt", { id: "d0" });
        takeOver();
        await answers.refused(503, "ERR_VERSION", "POST", "/v1/bandits/hurt/decisions", { body: { id: "d1" } });
        await answers.refused(503, "ERR_VERSION", "GET", "/v1/bandits/hurt");
        const { bandits } = await answers.expect(200, "GET", "/v1/bandits");
        expect(bandits[0]).toMatchObject({ state: "shut", alarms: ["ERR_VERSION"] });
      });
      await served(file, (answers) => answers.refused(503, "ERR_VERSION", "POST", "/v1/bandits/hurt/decisions", { body: { id: "d1" } }));
      expect(query(file, "SELECT count(*) FROM event")).toEqual([[2]]);
    },
  );
});

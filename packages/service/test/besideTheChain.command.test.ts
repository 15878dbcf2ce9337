import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Audited, auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshBandit } from "../dist/bandit/loadBandit.js";
import { savedState } from "../dist/bandit/savedState.js";
import { digest } from "../dist/log/digest.js";
import { newSalt } from "../dist/log/origin.js";
import { chained, type NewBandit } from "../dist/log/storedEvent.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

/** What a forger can write into the store that no hash covers: the chain, and with it every head that was kept, stays as it was. */
const folder = mkdtempSync(join(tmpdir(), "tsallis-beside-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOUND = join(folder, "sound.db");
const START = 1_789_000_000_000;
const clock = { now: START };
let copies = 0;
let head = "";

/** A log with an answered decision, one that expired and was answered late, and one that is open. */
beforeAll(async () => {
  const service = await live({ store: SOUND, now: () => clock.now });
  const answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"], seed: 3, windowSeconds: 60 });
  await answers.decide("shop", { id: "late" });
  clock.now += 61_000;
  await answers.feedback("shop", "late", { loss: 9 });
  for (let i = 0; i < 10; i++) {
    await answers.decide("shop", { id: `d${i}` });
    await answers.feedback("shop", `d${i}`, { loss: i });
  }
  await answers.decide("shop", { id: "open" });
  ({ head } = await answers.view("shop"));
  await service.close();
});

type Created = NewBandit & { readonly genesis: string };

/** A copy of the store that somebody has written to. */
function forged(write: (database: Database.Database) => void): string {
  const file = join(folder, `${++copies}.db`);
  copyFileSync(SOUND, file);
  const database = new Database(file);
  write(database);
  database.close();
  return file;
}

async function audited(file: string): Promise<Audited> {
  const store = await openStore(file);
  try {
    return (await auditStore(store, { heads: [head] }))[0]!;
  } finally {
    await store.close();
  }
}

/** Writes a decision with its feedback, chained to each other, from event `seq` on. */
function plant(database: Database.Database, seq: number): void {
  const about = { decision: "planted", origin: newSalt(), segment: "", at: START };
  const drawn = { arm: "b", number: 1, round: 99, probability: 0.5, threshold: null, holdout: false, expires: START + 60_000 };
  const rows = [
    { ...about, seq, kind: "decision", slot: 0, body: JSON.stringify(drawn) },
    { ...about, seq: seq + 1, kind: "feedback", slot: 1, body: JSON.stringify({ loss: 0, status: "applied" }) },
  ] as const;
  let hash = "";
  for (const row of rows) {
    hash = chained(hash, row);
    const { seq, kind, decision, origin, slot, segment, at, body } = row;
    database.prepare("INSERT INTO event VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run([seq, kind, decision, origin, slot, segment, at, body, hash]);
  }
}

it("a store as the service left it is as recorded", async () => {
  expect(await audited(forged(() => {}))).toMatchObject({ differs: null, heads: [{ hash: head }] });
});

describe("a decision that was planted before the first event of a log", () => {
  it.each([-1, -1_000_000])("as event %d: found, and no server answers with it", async (seq) => {
    const file = forged((database) => plant(database, seq));
    expect((await audited(file)).differs).toMatchObject({ seq, message: expect.stringContaining("before the first") });
    const service = await live({ store: file, now: () => clock.now });
    const answers = await Answers.of(service.url);
    await answers.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/shop/decisions", { body: { id: "planted" } });
    await service.close();
  });

  it("among the events that were pruned: found", async () => {
    const file = forged((database) => {
      database.exec("UPDATE bandit SET pruned_seq = 9, pruned_hash = (SELECT hash FROM event WHERE seq = 9)");
      database.exec("DELETE FROM event WHERE seq <= 9");
    });
    expect(await audited(file)).toMatchObject({ differs: null, after: expect.any(Number) });
    const database = new Database(file);
    plant(database, 4);
    database.close();
    expect((await audited(file)).differs).toMatchObject({ seq: 4 });
  });
});

it.each(["feedback", "expiry", "late"])("%s that was taken out of its slot, so that there can be another one: found", async (kind) => {
  const file = forged((database) => database.exec(`UPDATE event SET slot = NULL WHERE kind = '${kind}'`));
  expect((await audited(file)).differs).toMatchObject({ message: expect.stringContaining("slot") });
});

describe("a snapshot, with its digest,", () => {
  /** Puts a snapshot of the whole bandit in place of all others; it has the state of another one, and a count that never was. */
  function put(database: Database.Database, seq: number, hash: string, { body }: { readonly body: string }): void {
    const saved = JSON.parse(body.slice(32));
    const counted = { ...saved.state.counted, answered: 1_000_000 };
    const text = JSON.stringify({ ...saved, hash, open: 0, state: { ...saved.state, counted } });
    database.exec("DELETE FROM snapshot");
    database.prepare("INSERT INTO snapshot VALUES (1, 'bandit', ?, ?)").run([seq, digest(text) + text]);
  }

  it.each([true, false])("of event 0, with a hash of what was pruned that fits (%s): no server starts from it", async (fits) => {
    const file = forged((database) => {
      const created = database.prepare("SELECT name, document, version, bits, created_at AS createdAt, genesis FROM bandit").get([]) as Created;
      if (fits) database.prepare("UPDATE bandit SET pruned_hash = ?").run([created.genesis]);
      put(database, 0, fits ? created.genesis : "", savedState(freshBandit(created), ""));
    });
    expect((await audited(file)).differs).not.toBeNull();
    const service = await live({ store: file, now: () => clock.now });
    const { counters } = await (await Answers.of(service.url)).view("shop");
    expect(counters.answered).toBe(10);
    await service.close();
  });

  it.each([
    ["of the last event that was pruned, where the files that prune wrote end", 9, 9],
    ["of an event that given files have too", 15, 0],
  ])("%s: found", async (_, seq, pruned) => {
    const service = await live({ store: forged(() => {}), now: () => clock.now });
    const { text } = await (await Answers.of(service.url)).ask("GET", `/v1/bandits/shop/log?limit=${pruned === 0 ? 20 : pruned}`);
    await service.close();
    const file = forged((database) => {
      const [[hash]] = database.prepare("SELECT hash FROM event WHERE seq = ?").raw().all([seq]) as [[string]];
      const newest = database.prepare("SELECT body FROM snapshot WHERE part = 'bandit' ORDER BY seq DESC").get([]) as { body: string };
      put(database, seq, hash, newest);
      if (pruned === 0) return;
      database.prepare("UPDATE bandit SET pruned_seq = ?, pruned_hash = ?").run([pruned, hash]);
      database.prepare("DELETE FROM event WHERE seq <= ?").run([pruned]);
    });
    const bytes = async function* () {
      yield Buffer.from(text);
    };
    const store = await openStore(file);
    const [result] = await auditStore(store, { files: [{ name: "some.log", bytes: bytes() }] });
    await store.close();
    const message = expect.stringMatching(`^the snapshot bandit of event ${seq} is not what the log gives`);
    expect(result!.differs).toMatchObject({ seq, message });
  });

  it.each(["{", "7"])("that is %j: as if it were not there", async (text) => {
    const file = forged((database) => database.prepare("UPDATE snapshot SET body = ?").run([digest(text) + text]));
    expect(await audited(file)).toMatchObject({ differs: null });
    const service = await live({ store: file, now: () => clock.now });
    expect((await (await Answers.of(service.url)).view("shop")).counters.answered).toBe(10);
    await service.close();
  });

  it("of an event that the log does not have, which takes the place of those that a server saves: found", async () => {
    const file = forged((database) => database.exec("INSERT INTO snapshot SELECT 1, 'bandit', 1000 + value, '' FROM json_each('[1, 2, 3]')"));
    expect((await audited(file)).differs).toMatchObject({ message: expect.stringContaining("the log has no such event") });
  });
});

it.each([
  [
    "the constraint that an id is decided once",
    "DROP INDEX event_of_decision; CREATE INDEX event_of_decision ON event (decision, bandit, slot) WHERE decision IS NOT NULL",
  ],
  ["what is written", "CREATE TRIGGER forged AFTER INSERT ON event BEGIN UPDATE event SET slot = NULL WHERE seq = new.seq; END"],
])("a store whose schema was changed, and with it %s: refused by the audit", async (_, statements) => {
  const file = forged((database) => database.exec(statements));
  await expect(audited(file)).rejects.toMatchObject({ code: "ERR_STORE", message: expect.stringContaining("schema") });
});

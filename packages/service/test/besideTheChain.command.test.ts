import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Audited, auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newSalt } from "../dist/log/origin.js";
import { chained } from "../dist/log/storedEvent.js";
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

it("a store that nobody has written to is as recorded", async () => {
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

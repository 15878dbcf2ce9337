import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { openStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { after, decision, feedback, opened, storeConformance, withEvents } from "./storeConformance.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const place = async () => join(folder, `${++files} 🗄.db`);

async function setSchema(where: string, version: number, first = ""): Promise<void> {
  const database = new Database(where);
  database.exec(`${first}; UPDATE meta SET schema_version = ${version}`);
  database.close();
}

describe("a store in an SQLite file", () => {
  storeConformance(place, setSchema);

  it("has the same tables whether it was migrated or is new", async () => {
    const [where, fresh] = [await place(), await place()];
    for (const one of [where, fresh]) await (await opened(one)).close();
    const columns = "bandit, seq, kind, decision, origin, slot, segment, at, body, hash";
    const older = `DROP TABLE event; CREATE TABLE event (${columns}, PRIMARY KEY (bandit, seq)) WITHOUT ROWID;
      CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL;
      INSERT INTO event VALUES (1, 1, 'decision', 'x', 'salt', 0, '', 7, '{}', 'h')`;
    await setSchema(where, 2, older);
    await (await opened(where)).close();
    const [migrated, its] = [new Database(where), new Database(fresh)];
    const tables = (database: Database.Database) => database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").raw().all([]);
    expect(tables(migrated)).toEqual(tables(its));
    expect(migrated.prepare(`SELECT ${columns} FROM event`).raw().all([])).toEqual([[1, 1, "decision", "x", "salt", 0, "", 7, "{}", "h"]]);
    for (const database of [migrated, its]) database.close();
  });

  it("answers what was asked in one turn in its order, with one refused among them", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x")]);
    const answers = await Promise.allSettled([
      store.look(id, []).then(({ seq }) => seq),
      store.append(id, after(1), [decision(2, "y")]),
      store.look(id, []).then(({ seq }) => seq),
      store.append(id, after(2), [decision(3, "y")]),
      store.append(id, after(1), [decision(2, "z")]),
      store.append(id, after(2), [decision(3, "z")]),
      store.look(id, ["y", "z"]).then(({ seq, found }) => [seq, found.get("y")!.decision.seq, found.get("z")!.decision.seq]),
    ]);
    const shown = answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.reason.code));
    expect(shown).toEqual([1, "written", 2, "taken", "behind", "written", [3, 2, 3]]);
  });

  it("refuses all of a commit that the disk has no room for, loses nothing of before, and goes on", async () => {
    if (process.platform !== "linux") return;
    // A limit on the size of files stands for a full disk.
    const limit = (bytes: string) => expect(spawnSync("prlimit", [`--pid=${process.pid}`, `--fsize=${bytes}:`]).status).toBe(0);
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x")]);
    const large = (seq: number) => ({ ...decision(seq, `d${seq}`), body: "x".repeat(10_000_000) });
    limit("4000000");
    try {
      const [whole, other, seen] = await Promise.allSettled([
        store.append(id, after(1), [large(2)]),
        store.create({ name: "n", document: "", version: "", bits: "", createdAt: 1 }),
        store.look(id, ["d2"]),
      ]);
      const full = { status: "rejected", reason: { code: "ERR_STORE", message: expect.stringMatching(/disk/) } };
      expect([whole, other]).toMatchObject([full, full]);
      expect(seen).toMatchObject({ status: "fulfilled", value: { seq: 1 } });
      expect(await store.append(id, after(1), [feedback(2, "x")])).toBe("written");
    } finally {
      limit("unlimited");
    }
    expect(await store.append(id, after(2), [large(3)])).toBe("written");
    expect((await store.events(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  it("waits while another process writes, and can be read meanwhile by others", async () => {
    const where = await place();
    const [store, reader] = [await opened(where), await opened(where)];
    const id = await withEvents(store, [decision(1, "x")]);
    const other = new Database(where);
    other.exec("BEGIN IMMEDIATE");
    const order: string[] = [];
    const written = store.append(id, after(1), [feedback(2, "x")]).finally(() => order.push("written"));
    expect((await reader.look(id, [])).seq).toBe(1);
    order.push("read");
    other.exec("COMMIT");
    expect(await written).toBe("written");
    expect(order).toEqual(["read", "written"]);
    other.close();
  });

  it("rejects all that waits when its thread dies, and all that comes", async () => {
    const started = once(process, "worker") as Promise<[Worker]>;
    const store = await opened(await place());
    const [thread] = await started;
    const waiting = Promise.allSettled([store.ping(1), store.bandits()]);
    await thread.terminate();
    for (const answer of await waiting) expect(answer).toMatchObject({ status: "rejected", reason: { code: "ERR_STORE" } });
    await expect(store.ping(1)).rejects.toMatchObject({ code: "ERR_STORE", message: expect.stringMatching(/thread ended; restart the service$/) });
    await store.close();
  });

  it("leaves one file when it is closed", async () => {
    const where = await place();
    const store = await opened(where);
    await withEvents(store, [decision(1, "x")]);
    expect(existsSync(`${where}-wal`)).toBe(true);
    await store.close();
    expect(existsSync(`${where}-wal`)).toBe(false);
  });

  it("says what is wrong with a path", async () => {
    const text = join(folder, "text");
    writeFileSync(text, "no database, but long enough to be taken for one ".repeat(100));
    const foreign = join(folder, "foreign.db");
    const database = new Database(foreign);
    database.exec("CREATE TABLE theirs (x)");
    database.close();
    mkdirSync(join(folder, "folder"));
    const refusals: [where: string, message: RegExp][] = [
      ["", /its path is empty/],
      ["mysql://u:secret@host/x", /^the store: (?!.*secret).*not one that begins with mysql:/],
      [join(folder, "nowhere", "x.db"), /nowhere.x\.db: its folder does not exist; create it first$/],
      [join(folder, "folder"), /it is not a file/],
      [text, /text: it cannot be opened: it is not an SQLite database/],
      [foreign, /it is a database of another program/],
    ];
    for (const [where, message] of refusals) {
      await expect(openStore(where)).rejects.toMatchObject({ name: "ServiceError", code: "ERR_STORE", message: expect.stringMatching(message) });
    }
  });
});

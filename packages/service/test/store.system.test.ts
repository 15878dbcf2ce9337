import { openStore } from "@tsallis/service";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres.js";
import { until } from "../../../test/until.js";
import type { Appended } from "../src/store/store.js";
import { after, decision, feedback, opened, storeConformance, withEvents } from "./storeConformance.js";

const password = "s3cret/p@ss word";
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ password, fsync: true });
});
afterAll(() => server?.stop());

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

/** A schema of its own for each test: a database of its own would be some 300 files, which the server flushes one by one when it starts again. */
let schemas = 0;
async function place(): Promise<string> {
  const name = `store${++schemas}`;
  await query(server.url, `CREATE SCHEMA ${name}`);
  return `${server.url}?options=-csearch_path%3D${name}`;
}

async function setSchema(where: string, version: number, first = ""): Promise<void> {
  await query(where, `${first}; UPDATE meta SET schema_version = ${version}`);
}

describe("a store in PostgreSQL", () => {
  storeConformance(place, setSchema);

  it("is backed up by PostgreSQL's own command, and says so", async () => {
    const store = await opened(await place());
    await expect(store.copy("x.dump")).rejects.toMatchObject({
      code: "ERR_BACKUP",
      message: expect.stringContaining("pg_dump --format=custom --file=x.dump"),
    });
  });

  it("never shows a password", async () => {
    const where = await place();
    expect((await opened(where)).name).toMatch(/^postgres:\/\/127\.0\.0\.1:\d+\/postgres$/);
    const wrong = where.replace(/:[^:@]*@/, ":wr0ng%2Fpass@");
    const nowhere = where.replace(/:\d+\//, ":1/");
    for (const url of [wrong, nowhere, where.replace("/postgres?", "/nothing?"), `${where}&password=wr0ng`, `postgres://u:${password}@:x:/`]) {
      const error = await openStore(url).catch((error) => error);
      expect(error).toMatchObject({ code: "ERR_STORE" });
      for (const secret of ["s3cret", "wr0ng"]) expect(`${error.stack} ${error.cause}`).not.toContain(secret);
    }
  });

  it("rejects while the server is away, and works again when it is back, with all that was acknowledged", async () => {
    const where = await place();
    const store = await opened(where);
    const id = await withEvents(store, [decision(1, "x")]);
    await server.halt();
    try {
      const calls = [
        store.ping(1),
        store.append(id, after(1), [feedback(2, "x")]),
        store.locked(id, async () => 1),
        store.bandits(),
        openStore(where),
      ];
      const refusals = await Promise.allSettled(calls);
      for (const refusal of refusals) expect(refusal).toMatchObject({ status: "rejected", reason: { code: "ERR_STORE" } });
    } finally {
      await server.resume();
    }
    expect((await store.events(id, 0, 10)).map(({ seq }) => seq)).toEqual([1]);
    expect(await store.append(id, after(1), [feedback(2, "x")])).toBe("written");
  });

  it("keeps others out during a locked turn, and takes back what a failed one wrote", async () => {
    const where = await place();
    const [store, other] = [await opened(where), await opened(where)];
    const id = await withEvents(store, [decision(1, "x")]);
    const order: string[] = [];
    let outside: Promise<Appended> | undefined;
    await store.locked(id, async (turn) => {
      outside = other.append(id, after(1), [decision(2, "theirs")]).finally(() => order.push("outside"));
      await until("the other one waits for the lock", async () => {
        // The turn must not fall silent.
        await turn.look(id, []);
        const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
        return (await query(where, waiting)).rows.length === 1;
      });
      expect(await turn.append(id, after(1), [decision(2, "ours")])).toBe("written");
      order.push("turn");
    });
    expect(await outside).toBe("behind");
    expect(order).toEqual(["turn", "outside"]);
    const failed = store.locked(id, async (turn) => {
      await turn.append(id, after(2), [decision(3, "gone")]);
      throw new RangeError("mine");
    });
    await expect(failed).rejects.toThrow("mine");
    expect(await store.look(id, ["gone"])).toEqual({ ...after(2), found: new Map() });
  });

  it("ends a locked turn that says nothing for more than a second; others go on", async () => {
    const where = await place();
    const [store, other] = [await opened(where), await opened(where)];
    const id = await withEvents(store, [decision(1, "x")]);
    let written: Promise<Appended> | undefined;
    const turn = store.locked(id, async (turn) => {
      await turn.append(id, after(1), [decision(2, "gone")]);
      written = other.append(id, after(1), [feedback(2, "x")]);
      // It is answered only because the server ends the turn.
      await written;
      return "answered";
    });
    await expect(turn).rejects.toMatchObject({ code: "ERR_STORE" });
    expect(await written).toBe("written");
    expect((await store.events(id, 0, 10)).map((event) => event.kind)).toEqual(["decision", "feedback"]);
    expect(await store.locked(id, async (again) => again.append(id, after(2), [decision(3, "y")]))).toBe("written");
  });

  it("survives that the server ends its connections", async () => {
    const where = await place();
    const store = await opened(where);
    const id = await withEvents(store, [decision(1, "x")]);
    // An error of an idle connection that nobody listens to would fail this file.
    await query(where, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tsallis'");
    await until("it works again", async () => (await store.look(id, []).catch(() => ({ seq: 0 }))).seq === 1);
  });
});

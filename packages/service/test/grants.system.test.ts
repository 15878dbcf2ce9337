import { readFileSync } from "node:fs";
import { auditStore, openStore } from "@tsallis/service";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: true });
});
afterAll(() => server?.stop());

async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

function as(user: string, database = "granted"): string {
  const url = new URL(server.url);
  url.username = user;
  url.pathname = `/${database}`;
  return url.href;
}

describe("a server with the grants of the guide", () => {
  /** The statements of docs/guides/many-machines.md. */
  const guide = readFileSync(new URL("../../../docs/guides/many-machines.md", import.meta.url), "utf8");
  const grants = guide.match(/^GRANT .*;$/gm)!;

  beforeAll(async () => {
    await query(server.url, "CREATE ROLE tsallis LOGIN; CREATE ROLE reader LOGIN");
    await query(server.url, "CREATE DATABASE granted");
    await (await openStore(as(new URL(server.url).username))).close();
    await query(as(new URL(server.url).username), grants.join("\n"));
    await query(as(new URL(server.url).username), "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    const service = await live({ store: as("tsallis") });
    const answers = await Answers.of(service.url);
    await answers.put("shop", { arms: ["a", "b"], seed: 1 });
    for (let i = 0; i < 5; i++) await answers.decide("shop", { id: `d${i}` });
    await answers.feedback("shop", "d0", { loss: 1 });
    await service.close();
  });

  it("serves, and a role that may only read audits it", async () => {
    expect(grants).toHaveLength(5);
    const store = await openStore(as("reader"), { readOnly: true });
    try {
      expect((await auditStore(store))[0]).toMatchObject({ events: 6, decisions: 5, differs: null });
    } finally {
      await store.close();
    }
  });

  it.each([
    "UPDATE event SET body = '{}'",
    "UPDATE event SET at = 0",
    "UPDATE event SET decision = '~', origin = '~'",
    "UPDATE bandit SET deleted_at = 1",
    "UPDATE event SET hash = ''",
    "DELETE FROM event",
    "TRUNCATE event",
    "UPDATE bandit SET document = '{}'",
    "UPDATE bandit SET genesis = ''",
    "UPDATE bandit SET pruned_seq = 3",
    "UPDATE bandit SET name = 'other'",
    "UPDATE bandit SET created_at = 0",
    "DELETE FROM bandit",
    "UPDATE snapshot SET body = ''",
    "INSERT INTO key VALUES ('x', 'x', 'admin', '[\"*\"]', '', 0)",
    "UPDATE key SET role = 'admin'",
    "UPDATE key SET hash = ''",
    "UPDATE key SET revoked_at = NULL",
    "DELETE FROM key",
    "UPDATE meta SET secret = ''",
    "ALTER TABLE event DROP COLUMN hash",
    "DROP TABLE event",
  ])("cannot do: %s", async (statement) => {
    await expect(query(as("tsallis"), statement)).rejects.toMatchObject({ code: "42501" });
  });
});

it("a database of another encoding is refused at the start, with what to do", async () => {
  await query(server.url, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
  await expect(openStore(as(new URL(server.url).username, "latin"))).rejects.toMatchObject({
    code: "ERR_STORE",
    parameter: "store",
    message: expect.stringMatching(/has the encoding LATIN1, and the service needs UTF8; create another database: CREATE DATABASE/),
  });
});

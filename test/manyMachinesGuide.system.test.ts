import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { blocksOf } from "./docs/blocks.js";
import { ShellSession } from "./docs/shellSession.js";
import { type PostgresServer, startPostgres } from "./postgres.js";
import { ROOT, read } from "./repository.js";
import { freePort } from "./serverProcess.js";
import { until } from "./until.js";

const GUIDE = "docs/guides/many-machines.md";
const FOLLOWED = "test/manyMachinesGuide.system.test.ts follows this page, on other ports";
const BIN = join(ROOT, "packages/cli/bin/tsallis.js");
const run = promisify(execFile);

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

/** Runs statements one by one: a database cannot be created in a transaction. */
async function execute(url: string, sql: string): Promise<pg.QueryResult[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of sql.split(/;\s*/).filter((text) => text !== "")) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

/** A URL of the same server, for another user and another database. */
function urlFor(user: string, database: string): string {
  const url = new URL(postgres.url);
  url.username = user;
  url.pathname = database;
  return url.href;
}

describe("the guide", () => {
  const clone = realpathSync(mkdtempSync(join(tmpdir(), "tsallis-guide-")));
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"), "dir");
  afterAll(() => rmSync(clone, { recursive: true }));

  /** Times and hashes are others every time, and so are the processes that a shell may say were killed. */
  const timeless = (text: string) =>
    text
      .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "TIME")
      .replaceAll(/\b[0-9a-f]{32}\b/g, "HEX")
      .replaceAll(/^.*\bKilled\b.*\n/gm, "")
      .trim();

  it("is followed to the letter: two servers, one of which is killed, as a user who can neither change nor delete an event", async () => {
    const blocks = blocksOf(GUIDE, read(GUIDE)).filter(({ notRun }) => notRun === FOLLOWED);
    expect(blocks.map(({ language }) => language)).toEqual(["sql", "sh", "sql", "sh", "sh"]);
    const ports = [await freePort(), await freePort()];
    const here = (text: string) =>
      text.replaceAll("127.0.0.1:5432", new URL(postgres.url).host).replaceAll("7411", `${ports[0]}`).replaceAll("7412", `${ports[1]}`);
    const env = { ...process.env, NO_COLOR: "1", npm_config_loglevel: "error", npm_config_update_notifier: "false" };
    const session = new ShellSession(clone, env);
    onTestFinished(() => session.end());
    // The first is for a superuser, the second for the owner of the tables.
    const sql = [postgres.url, urlFor("tsallis_owner", "tsallis")];
    for (const { at, language, text, output = "" } of blocks) {
      if (language === "sql") {
        await execute(sql.shift()!, text);
        continue;
      }
      const { printed, code } = await session.run(here(text));
      expect(timeless(printed), `${at}, with the exit code ${code}`).toBe(timeless(output));
      expect([at, code]).toEqual([at, 0]);
    }

    const served = urlFor("tsallis", "tsallis");
    for (const forbidden of [
      "DELETE FROM event",
      "UPDATE event SET body = '{}'",
      "TRUNCATE event",
      "DELETE FROM bandit",
      "INSERT INTO key SELECT * FROM key",
      "UPDATE meta SET schema_version = 9",
      "CREATE TABLE planted (x integer)",
    ]) {
      await expect(execute(served, forbidden), forbidden).rejects.toMatchObject({ code: "42501" });
    }
    // The server that was stopped could save its snapshot. What a fourth snapshot and a third lost race need, which take longer to come:
    await until("a snapshot", async () => (await execute(served, "SELECT FROM snapshot"))[0]!.rowCount! > 0);
    await execute(served, "DELETE FROM snapshot WHERE false; SELECT FROM bandit FOR UPDATE");
    await serveWithKeys(served, urlFor("tsallis_owner", "tsallis"));
  });

  /** Two servers of the user who may little, with a key that the owner has made. */
  async function serveWithKeys(served: string, owned: string): Promise<void> {
    const { stdout: key } = await run(process.execPath, [BIN, "keys", "add", "--role", "admin", "--db", owned]);
    await expect(run(process.execPath, [BIN, "keys", "add", "--role", "admin", "--db", served])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("permission denied for table key"),
    });
    const servers = [0, 1].map(() => spawn(process.execPath, [BIN, "serve", "--port", "0", "--json-log", "--db", served]));
    onTestFinished(() => {
      for (const server of servers) server.kill("SIGKILL");
    });
    const lines: Record<string, string>[] = [];
    const urls = await Promise.all(
      servers.map(
        (server) =>
          new Promise<string>((resolve) => {
            createInterface({ input: server.stdout }).on("line", (line) => {
              const event = JSON.parse(line) as Record<string, string>;
              lines.push(event);
              if (event.event === "listening") resolve(event.url!);
            });
          }),
      ),
    );
    const headers = { "content-type": "application/json", authorization: `Bearer ${key.trim()}` };
    const decide = async (url: string, id: string) => {
      const answer = await fetch(`${url}v1/bandits/checkout/decisions`, { method: "POST", headers, body: JSON.stringify({ id }) });
      expect(answer.status).toBe(201);
    };
    await Promise.all(Array.from({ length: 100 }, (_, i) => decide(urls[i % 2]!, `race-${i}`)));
    for (const server of servers) {
      const exit = once(server, "exit");
      server.kill("SIGTERM");
      expect(await exit).toEqual([0, null]);
    }
    expect(lines.filter(({ event }) => event === "problem")).toEqual([]);
    expect((await execute(served, "SELECT last_used FROM key"))[0]!.rows[0].last_used).toMatch(/^\d{4}-\d\d-\d\d$/);
    const { stdout } = await run(process.execPath, [BIN, "audit", "--db", served]);
    expect(stdout).toMatch(/^checkout: .* 102 decisions: all as recorded, bit for bit/);
  }
});

describe("examples/service", () => {
  interface Container {
    readonly image: string;
    readonly command?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
    readonly build?: { readonly dockerfile: string };
  }
  const { services } = parse(read("examples/service/compose.yaml"), { merge: true }) as { services: Record<string, Container> };
  const ours = Object.entries(services).filter(([, { image }]) => image === "tsallis");
  const nginx = read("examples/service/nginx.conf");

  it("has two servers, and nginx sends requests to these", () => {
    expect(ours.map(([name]) => name)).toEqual(["one", "two"]);
    expect([...nginx.matchAll(/^\s*server (\w+):7411\b/gm)].map(([, name]) => name)).toEqual(["one", "two"]);
    for (const [, { build }] of ours) expect(build!.dockerfile).toBe("examples/service/Dockerfile");
    expect(read("examples/service/Dockerfile")).toContain('ENTRYPOINT ["node", "/tsallis/packages/cli/bin/tsallis.js"]');
    expect(read("examples/service/Dockerfile.dockerignore")).toBe(read("examples/fleet/Dockerfile.dockerignore"));
  });

  it("gives all routes of a bandit one key", () => {
    const [, pattern] = /"~(\S+)" \$bandit;/.exec(nginx)!;
    const keyOf = (path: string) => new RegExp(pattern!).exec(path)?.groups?.bandit ?? path;
    const paths = ["", "/decisions", "/decisions:batch", "/decisions/order-1", "/decisions/order-1/feedback", "/feedback", "/log", "/history"];
    expect(new Set(paths.map((path) => keyOf(`/v1/bandits/team-a.checkout${path}`)))).toEqual(new Set(["team-a.checkout"]));
    expect(keyOf("/v1/bandits")).toBe("/v1/bandits");
    expect(nginx).toMatch(/^\s*hash \$key consistent;$/m);
  });

  it("has servers that know these options and this environment, want a key, and start with one", async () => {
    const [, { command, environment }] = ours[0]!;
    const { stdout: help } = await run(process.execPath, [BIN, command![0]!, "--help"]);
    for (const option of command!.slice(1)) expect(help).toMatch(new RegExp(`^ +${option} `, "m"));
    for (const name of Object.keys(environment!)) expect(help.replaceAll(/\s+/g, " ")).toContain(`(env: ${name})`);
    expect(new URL(environment!.TSALLIS_DB!.replace(/\$\{.*?\}/, "secret"))).toMatchObject({
      username: "tsallis",
      host: "postgres:5432",
      pathname: "/tsallis",
    });

    await execute(postgres.url, "CREATE DATABASE compose");
    const env = { ...process.env, ...environment, TSALLIS_DB: urlFor("postgres", "compose"), TSALLIS_PORT: "0" };
    await expect(run(process.execPath, [BIN, ...command!], { env })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("tsallis keys add"),
    });
    await run(process.execPath, [BIN, "keys", "add", "--role", "admin"], { env });
    const server = spawn(process.execPath, [BIN, ...command!], { env: { ...env, TSALLIS_HOST: "127.0.0.1" } });
    onTestFinished(() => void server.kill("SIGKILL"));
    const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    expect(JSON.parse(line)).toMatchObject({ event: "listening", keys: "needed" });
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]);
  });
});

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres.js";
import { until } from "../../../test/until.js";
import { startIn } from "./command.js";
import { tsallis } from "./inProcess.js";
import { serving } from "./serving.js";

const PASSWORD = "p@ss/w:rd#7%";
const folder = mkdtempSync(join(tmpdir(), "tsallis-serve-postgres-"));
let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres({ password: PASSWORD });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const secrets = (text: string) => [PASSWORD, encodeURIComponent(PASSWORD), "wrong-secret"].filter((secret) => text.includes(secret));

it("waits for PostgreSQL, serves when it is there, says when it goes, and shows its password nowhere", async () => {
  vi.stubEnv("TSALLIS_DB", postgres.url);
  await postgres.halt();
  const child = startIn(folder, "serve", "--port", "0");
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  await until("it waits", () => stderr.includes("waiting for the store"));
  await postgres.resume();
  await until("it listens", () => stdout.includes("dashboard"));
  const url = /http:\S+/.exec(stdout)![0];
  expect(stdout).toMatch(/^store {6}postgres:\/\/127\.0\.0\.1:\d+\/postgres$/m);
  expect((await fetch(`${url}readyz`)).status).toBe(200);
  await postgres.halt();
  await until("it is not ready", async () => (await fetch(`${url}readyz`)).status === 503);
  await postgres.resume();
  await until("it is ready again", async () => (await fetch(`${url}readyz`)).status === 200);
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(secrets(stdout + stderr)).toEqual([]);
});

it("keys, audit and prune work on it", async () => {
  vi.stubEnv("TSALLIS_DB", postgres.url);
  const { url, stop } = await serving(folder);
  const put = await fetch(`${url}v1/bandits/first`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: '{"arms":["a","b"]}',
  });
  expect(put.status).toBe(201);
  await stop();
  const said: string[] = [];
  for (const [args, code] of [
    [["keys", "add", "--role", "admin"], 0],
    [["keys", "list"], 0],
    [["audit"], 0],
    [["audit", "--bandit", "nope"], 2],
    [["prune", "--before", "2020-01-01", "--export", join(folder, "old.gz")], 0],
  ] as const) {
    const done = await tsallis(args, "", folder);
    expect([args, done.code]).toEqual([args, code]);
    said.push(done.stdout + done.stderr);
  }
  expect(said[2]).toMatch(/^first: 0 events/);
  expect(secrets(said.join(""))).toEqual([]);
});

it.each([
  ["a wrong password", (url: URL) => Object.assign(url, { password: "wrong-secret" }), /refuses: password authentication failed for user "postgres"/],
  ["a database that is not there", (url: URL) => Object.assign(url, { pathname: "/nope" }), /nope refuses: database "nope" does not exist/],
])("%s is not waited for", async (_, change, message) => {
  const { code, stdout, stderr } = await tsallis(["serve", "--port", "0", "--db", change(new URL(postgres.url)).href], "", folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^tsallis: --db: ERR_STORE: postgres:\/\/127\.0\.0\.1:.+; check the URL of the store\n$/);
  expect(stderr).toMatch(message);
  expect(secrets(stderr)).toEqual([]);
});

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService } from "@tsallis/service";
import { afterAll, describe, expect, it, vi } from "vitest";
import { until } from "../../../test/until.js";
import { tsallis as run } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

const keys = (...args: string[]) => run(["keys", ...args], "", folder);
const listed = async (...args: string[]) => JSON.parse((await keys("list", "--json", ...args)).stdout);
const TODAY = () => new Date().toISOString().slice(0, 10);

describe("keys add", () => {
  it("prints the key alone on stdout, for scripts, and the rest on stderr", async () => {
    const { code, stdout, stderr } = await keys("add", "--role", "decide", "--bandit", "team-a.*", "--bandit", "checkout", "--note", "the shop");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tsk_[\w-]{43}\n$/);
    expect(stderr).toMatch(
      /^tsallis: key [0-9a-f]{12}, role decide, for team-a\.\*, checkout; it is shown this once\ntsallis: it is the first key of .*tsallis\.db: from now on every request needs one\n$/,
    );
    // The next one is not the first.
    expect((await keys("add", "--role", "read")).stderr).toMatch(/^tsallis: key [0-9a-f]{12}, role read, for all bandits; it is shown this once\n$/);
    expect(await listed()).toEqual([
      {
        id: stderr.slice(13, 25),
        role: "decide",
        scopes: ["team-a.*", "checkout"],
        note: "the shop",
        createdAt: expect.stringContaining(`${TODAY().slice(0, 8)}`),
        revokedAt: null,
        lastUsed: null,
      },
      expect.objectContaining({ role: "read", scopes: ["*"], note: "" }),
    ]);
  });

  it("a key that cannot be printed is not in force", () => {
    const full = openSync("/dev/full", "w");
    const bin = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [bin, "keys", "add", "--role", "read", "--db", "full.db"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, "tsallis: stdout: ERR_FILE: cannot be written: ENOSPC: no space left on device\n"]);
    return expect(listed("--db", "full.db")).resolves.toEqual([expect.objectContaining({ revokedAt: expect.any(String) })]);
  });
});

describe("keys list", () => {
  it("shows a table without the keys, and whatever is in a note as text", async () => {
    const note = "red: \u001b[31m, bell: \u0007, new line: \n, turned: \u202eevil";
    const { stdout: key } = await keys("add", "--role", "admin", "--note", note, "--db", "notes.db");
    const { code, stdout, stderr } = await keys("list", "--db", "notes.db");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/│ key +│ +role │ +bandits │ +note │ +made │ last used │/);
    expect(stdout).toContain(`red:  [31m, bell:  , new line:  , turned:  evil │ ${TODAY()} │     never │`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).not.toContain(key.trim());
    expect((await listed("--db", "notes.db"))[0].note).toBe(note);
  });

  it("says what it means that there are none", async () => {
    await createdStore("fresh.db");
    const { stdout } = await keys("list", "--db", "fresh.db");
    expect(stdout).toBe("no keys: the service listens on this machine only; tsallis keys add makes one\n");
    expect(await listed("--db", "fresh.db")).toEqual([]);
  });
});

describe("keys revoke", () => {
  it("revokes a key for good, and says when it was the last", async () => {
    const ids: string[] = [];
    for (const role of ["read", "admin"]) ids.push((await keys("add", "--role", role, "--db", "two.db")).stderr.slice(13, 25));
    expect(await keys("revoke", ids[0]!, "--db", "two.db")).toEqual({ code: 0, stdout: "", stderr: `tsallis: key ${ids[0]} is revoked\n` });
    expect((await keys("revoke", ids[1]!, "--db", "two.db")).stderr).toBe(
      `tsallis: key ${ids[1]} is revoked\ntsallis: it was the last valid key: the service refuses every request until you add another with tsallis keys add\n`,
    );
    expect((await keys("list", "--db", "two.db")).stdout).toMatch(new RegExp(`ended │\n.* ${TODAY()} │\n`));
    const again = await keys("revoke", ids[0]!, "--db", "two.db");
    expect([again.code, again.stderr]).toEqual([2, `tsallis: ERR_KEY: no valid key has the id "${ids[0]}"; tsallis keys list shows them\n`]);
    // A key that comes after them is not the first one.
    expect((await keys("add", "--role", "read", "--db", "two.db")).stderr).not.toContain("first");
  });

  it("ends a key that would expire later", async () => {
    const id = (await keys("add", "--role", "read", "--expires", "90d", "--db", "early.db")).stderr.slice(13, 25);
    expect((await keys("revoke", id, "--db", "early.db")).code).toBe(0);
    expect(Date.parse((await listed("--db", "early.db"))[0].revokedAt)).toBeLessThanOrEqual(Date.now());
  });

  it("a running service notices what is added and what is revoked", async () => {
    const store = join(folder, "running.db");
    const service = createService({ store, port: 0 });
    const url = await service.listen();
    const status = async (key?: string) =>
      (await fetch(`${url}v1/bandits`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status()).toBe(200);
    const { stdout, stderr } = await keys("add", "--role", "read", "--db", store);
    await until("the key is needed", async () => (await status()) === 401);
    expect(await status(stdout.trim())).toBe(200);
    expect((await listed("--db", store))[0].lastUsed).toBe(TODAY());
    await keys("revoke", stderr.slice(13, 25), "--db", store);
    await until("the key is refused", async () => (await status(stdout.trim())) === 401);
    // Nobody is let in because there is no key left.
    expect(await status()).toBe(401);
    await service.close();
  });
});

describe("keys that end", () => {
  it("one that expires is refused from then on, by a service that runs, and its table says when", async () => {
    const store = join(folder, "expiring.db");
    const { stdout, stderr } = await keys("add", "--role", "read", "--expires", "90d", "--db", store);
    const [{ id, revokedAt }] = await listed("--db", store);
    expect(stderr).toContain(`key ${id}, role read, for all bandits, until ${revokedAt}; it is shown this once\n`);
    expect(Math.round((Date.parse(revokedAt) - Date.now()) / 86_400_000)).toBe(90);
    expect((await keys("list", "--db", store)).stdout).toMatch(new RegExp(`never │\n.* ends │\n.* ${revokedAt.slice(0, 10)} │\n`));
    const service = createService({ store, port: 0 });
    const url = await service.listen();
    const status = async () => (await fetch(`${url}v1/bandits`, { headers: { authorization: `Bearer ${stdout.trim()}` } })).status;
    expect(await status()).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(revokedAt) - 1 });
    expect(await status()).toBe(200);
    vi.setSystemTime(Date.parse(revokedAt));
    expect(await status()).toBe(401);
    vi.useRealTimers();
    await service.close();
  });

  it("rotate makes a key for the same holder; the old one works for the overlap, and no longer", async () => {
    const store = join(folder, "rotated.db");
    const old = await keys("add", "--role", "decide", "--bandit", "checkout", "--note", "the shop", "--db", store);
    const id = old.stderr.slice(13, 25);
    const { code, stdout, stderr } = await keys("rotate", id, "--overlap", "2h", "--expires", "90d", "--db", store);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tsk_[\w-]{43}\n$/);
    const [first, second] = await listed("--db", store);
    expect(second).toMatchObject({ role: "decide", scopes: ["checkout"], note: "the shop" });
    expect(stderr).toBe(
      `tsallis: key ${second.id} takes the place of ${id}, role decide, for checkout, until ${second.revokedAt}; it is shown this once\ntsallis: key ${id} ends at ${first.revokedAt}\n`,
    );
    expect(Math.round((Date.parse(first.revokedAt) - Date.now()) / 3_600_000)).toBe(2);
    const service = createService({ store, port: 0 });
    const url = await service.listen();
    const status = async (key: string) =>
      (await fetch(`${url}v1/bandits/checkout/log`, { headers: { authorization: `Bearer ${key.trim()}` } })).status;
    expect(await Promise.all([status(old.stdout), status(stdout)])).toEqual([403, 403]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(first.revokedAt) });
    expect(await Promise.all([status(old.stdout), status(stdout)])).toEqual([401, 403]);
    vi.useRealTimers();
    await service.close();
    // Without an overlap it ends at once, and then there is nothing to rotate.
    expect((await keys("rotate", second.id, "--overlap", "0m", "--db", store)).code).toBe(0);
    expect((await keys("rotate", second.id, "--db", store)).stderr).toBe(
      `tsallis: ERR_KEY: no valid key has the id "${second.id}"; tsallis keys list shows them\n`,
    );
  });
});

describe("refusals", () => {
  it.each([
    [["add"], "ERR_USAGE: required option '--role <role>' not specified"],
    [
      ["add", "--role", "boss"],
      "ERR_USAGE: option '--role <role>' argument 'boss' is invalid. Allowed choices are read, decide, browser, admin; see tsallis keys add --help",
    ],
    [
      ["add", "--role", "read", "--bandit", "a b"],
      '--bandit: ERR_OPTIONS: a scope is the name of a bandit, or the beginning of names and a *, such as team-a.*, got "a b"',
    ],
    [["add", "--role", "read", "--db", "none/x.db"], "ERR_STORE: "],
    [["add", "--role", "read", "--db", ""], "ERR_USAGE: --db is empty; give an SQLite file or a postgres:// URL"],
    [["list", "--db", "nope.db"], "nope.db: ERR_FILE: no such store; name another with --db, or start one with tsallis serve"],
    [["revoke", "5a3f0c1d2e4b", "--db", "nope.db"], "nope.db: ERR_FILE: no such store"],
    [["revoke"], "ERR_USAGE: missing required argument 'id'"],
    [["rotate"], "ERR_USAGE: missing required argument 'id'"],
    [
      ["add", "--role", "read", "--expires", "soon"],
      '--expires: ERR_PARAMETER: expires must be a number and m, h or d, such as 30m, 24h or 90d, at most 3650d, got "soon"',
    ],
    [["rotate", "5a3f0c1d2e4b", "--overlap", "9999d"], "--overlap: ERR_PARAMETER: overlap must be a number and m, h or d"],
    [
      ["list", "--db", "mysql://ada:secret@host/x"],
      "ERR_STORE: the store: it is the path of a file or a URL such as postgres://host:5432/database, not one that begins with mysql://",
    ],
    [
      ["list", "--db", "postgres://ada:sec/ret@host/x"],
      "--db: ERR_STORE: the URL of the store cannot be read; write it like postgres://user:password@host:5432/database",
    ],
    [["list", "--db", "postgres:ada:secret@host/x"], "ERR_STORE: the store: two slashes are missing after postgres: in its URL"],
    [["list", "--db", "postgres://ada:secret@127.0.0.1:1/x"], "ERR_STORE: postgres://127.0.0.1:1/x: it cannot be opened: nobody listens there"],
  ])("%j is one line on stderr and exit code 2", async (args, message) => {
    const { code, stdout, stderr } = await keys(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
    expect(stderr).not.toMatch(/secret|sec\/ret/);
    expect(existsSync(join(folder, "nope.db"))).toBe(false);
  });

  it("the environment names the store, with the same checks", async () => {
    vi.stubEnv("TSALLIS_DB", join(folder, "elsewhere.db"));
    expect((await keys("list")).stderr).toBe(
      `tsallis: elsewhere.db: ERR_FILE: no such store; name another with --db, or start one with tsallis serve\n`,
    );
    expect((await keys("add", "--role", "read")).code).toBe(0);
    vi.unstubAllEnvs();
    expect(await listed("--db", "elsewhere.db")).toHaveLength(1);
  });
});

async function createdStore(name: string): Promise<void> {
  const service = createService({ store: join(folder, name), port: 0 });
  await service.listen();
  await service.close();
}

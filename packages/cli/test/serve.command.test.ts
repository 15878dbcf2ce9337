import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { freePort } from "../../../test/serverProcess.js";
import { until } from "../../../test/until.js";
import { ended, startIn } from "./command.js";
import { tsallis } from "./inProcess.js";
import { serving } from "./serving.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-serve-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const ask = (method: string, url: string, body: object, headers = {}) =>
  fetch(url, { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) });

describe("serve", () => {
  it("serves on this machine from tsallis.db, says so, and what it suggests works", async () => {
    const { url, stop } = await serving(folder);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect((await fetch(url)).headers.get("content-type")).toContain("text/html");
    expect((await ask("PUT", `${url}v1/bandits/first`, { arms: ["a", "b", "c"] })).status).toBe(201);
    expect((await ask("POST", `${url}v1/bandits/first/decisions`, { id: "visit-1" })).status).toBe(201);
    expect((await ask("POST", `${url}v1/bandits/first/decisions/visit-1/feedback`, { loss: 4.2 })).status).toBe(200);
    const { code, stdout, stderr } = await stop("SIGTERM");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^tsallis: a log ends with event 2, head [0-9a-f]{32}\ntsallis: stopped\n$/),
    });
    expect(stdout).toContain(`dashboard  ${url}\nstore      tsallis.db\nkeys       none: anyone on this machine has full access\n`);
    expect((await tsallis(["audit"], "", folder)).stdout).toMatch(/^first: 2 events, 1 decision: all as recorded, bit for bit/);
  });

  it("takes store, host and port from the environment, and options before these", async () => {
    const port = await freePort();
    for (const [name, value] of Object.entries({ DB: "named.db", HOST: "localhost", PORT: `${port}` })) vi.stubEnv(`TSALLIS_${name}`, value);
    const child = startIn(folder, "serve", "--host", "127.0.0.1");
    const all = ended(child);
    const [text] = await once(child.stdout, "data");
    expect(text).toContain(`dashboard  http://127.0.0.1:${port}/\nstore      named.db\n`);
    child.kill("SIGINT");
    // Ctrl-C is how a service is stopped: it is done, not interrupted.
    expect((await all).code).toBe(0);
  });

  it("logs one object per line to stdout, readable in a pipe, and nothing else", async () => {
    const { url, stop } = await serving(folder, "--db", "logged.db", "--json-log");
    await ask("PUT", `${url}v1/bandits/first`, { arms: ["a", "b"] });
    await ask("POST", `${url}v1/bandits/first/decisions`, { id: "secret-id" });
    await fetch(`${url}nothing`);
    const { code, stdout, stderr } = await stop();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const lines = stdout.trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line));
    for (const { time } of events) expect(new Date(time).toISOString()).toBe(time);
    expect(events.map(({ time: _, ms: __, ...event }) => event)).toEqual([
      { event: "listening", url, store: join(folder, "logged.db"), keys: "none" },
      { event: "request", request: ID, method: "PUT", route: "/v1/bandits/:name", status: 201 },
      { event: "request", request: ID, method: "POST", route: "/v1/bandits/:name/decisions", status: 201 },
      { event: "request", request: ID, method: "GET", route: "none", status: 404 },
      { event: "head", seq: 1, hash: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { event: "stopped" },
    ]);
    expect(stdout).not.toContain("secret-id");
  });

  it.each([["--json-log"], []])("goes on when the reader of its output goes away: %s", async (...args) => {
    const { url, child, ended: all } = await serving(folder, "--db", "unread.db", ...args);
    child.stdout.destroy();
    child.stderr.destroy();
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect((await all).code).toBe(0);
  });

  it("with keys may listen on every address, and says that one is needed", async () => {
    const { stdout: key } = await tsallis(["keys", "add", "--role", "admin", "--db", "keyed.db"], "", folder);
    const { url, stop, printed } = await serving(folder, "--db", "keyed.db", "--host", "0.0.0.0");
    const here = url.replace("0.0.0.0", "127.0.0.1");
    expect(printed.stdout).toContain("keys       needed; tsallis keys add makes one\n");
    expect(printed.stdout).not.toContain(key.trim());
    expect((await fetch(`${here}v1/bandits`)).status).toBe(401);
    expect((await fetch(`${here}v1/bandits`, { headers: { authorization: `Bearer ${key.trim()}` } })).status).toBe(200);
    expect((await stop()).code).toBe(0);
  });
});

describe("signals", () => {
  /** A request whose body is not there yet. */
  async function begun(url: string, body: string) {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => (answer += text));
    socket.on("error", () => {});
    const head = `PUT /v1/bandits/late HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`;
    socket.write(head);
    await until("the service has the head of the request", () => answer.includes("100 Continue"));
    return { socket, answer: () => answer };
  }

  const refuses = (url: string) => () =>
    fetch(`${url}healthz`).then(
      () => false,
      () => true,
    );

  it("the first ends what is under way, and the answer counts", async () => {
    const body = '{"arms":["a","b"]}';
    const { url, child, ended: all } = await serving(folder, "--db", "graceful.db");
    const { socket, answer } = await begun(url, body);
    child.kill("SIGTERM");
    await until("it takes no new connections", refuses(url));
    socket.write(body);
    const { code } = await all;
    expect(code).toBe(0);
    expect(answer()).toContain("HTTP/1.1 201 Created");
    expect((await tsallis(["audit", "--db", "graceful.db"], "", folder)).stdout).toMatch(/^late: 0 events/);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("a second %s ends it at once", async (signal) => {
    const { url, child, ended: all } = await serving(folder, "--db", "hasty.db");
    await begun(url, "{}");
    const exited = once(child, "exit");
    child.kill(signal);
    await until("it takes no new connections", refuses(url));
    expect(child.exitCode).toBeNull();
    child.kill(signal);
    expect(await exited).toEqual([null, signal]);
    await all;
  });
});

describe("demo", () => {
  it("shows a bandit that lives, in a temporary store, deleted on exit, whatever the environment names", async () => {
    vi.stubEnv("TSALLIS_DB", "production.db");
    const { url, printed, stop } = await serving(folder, "--demo");
    expect(printed.stdout).toContain("demo       a simulated client asks for 30 decisions per second of the bandit\n");
    const store = /^store +(.+)$/m.exec(printed.stdout)![1]!;
    expect(existsSync(store)).toBe(true);
    await until("it has made decisions and got feedback", async () => {
      const answer = await fetch(`${url}v1/bandits/payments`);
      return answer.ok && ((await answer.json()) as { round: number }).round > 400;
    });
    const { code, stderr } = await stop("SIGINT");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/head [0-9a-f]{32}\ntsallis: stopped\n$/) });
    expect([existsSync(dirname(store)), existsSync(join(folder, "production.db"))]).toEqual([false, false]);
  });

  it("stays in the store that is named", async () => {
    const { url, stop } = await serving(folder, "--demo", "--db", "shown.db");
    await until("the bandit is there", async () => (await fetch(`${url}v1/bandits/payments`)).ok);
    expect((await stop()).code).toBe(0);
    expect((await tsallis(["audit", "--db", "shown.db"], "", folder)).stdout).toMatch(/^payments: .* all as recorded, bit for bit/);
  });

  it("has no key for a store with keys", async () => {
    await tsallis(["keys", "add", "--role", "admin", "--db", "locked.db"], "", folder);
    const { code, stderr } = await tsallis(["serve", "--port", "0", "--demo", "--db", "locked.db"], "", folder);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(
      "tsallis: --demo: ERR_OPTIONS: the store has keys, and the simulated client has none; leave out --db, or name another store",
    );
  });
});

describe("waiting for PostgreSQL", () => {
  const NOBODY = "postgres://ada:secret@127.0.0.1:1/shop";

  it.each(["SIGTERM", "SIGINT"] as const)("says so once, without the password, and ends at a %s", async (signal) => {
    const child = startIn(folder, "serve", "--db", NOBODY);
    const all = ended(child);
    await once(child.stderr, "data");
    child.kill(signal);
    expect(await all).toEqual({
      code: 0,
      stdout: "",
      stderr:
        "tsallis: waiting for the store; postgres://127.0.0.1:1/shop: it cannot be opened: nobody listens there; start PostgreSQL, or check host and port (connect ECONNREFUSED 127.0.0.1:1); Ctrl-C ends it\n",
    });
  });

  it("is in the log of every try", async () => {
    const child = startIn(folder, "serve", "--db", NOBODY, "--json-log");
    let log = "";
    child.stdout.on("data", (text) => (log += text));
    const all = ended(child);
    await until("two tries", () => log.split("\n").length > 2);
    child.kill();
    const { code, stdout, stderr } = await all;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of stdout.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ event: "waiting" });
    expect(stdout).not.toContain("secret");
  });

  it("that takes the connection and says nothing: ends all the same", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const connected = once(silent, "connection");
    const child = startIn(folder, "serve", "--db", `postgres://127.0.0.1:${(silent.address() as { port: number }).port}/shop`);
    const all = ended(child);
    await connected;
    child.kill("SIGINT");
    expect(await all).toEqual({ code: 0, stdout: "", stderr: "" });
    silent.close();
  });
});

describe("refusals", () => {
  it.each([
    [["--port", "99999"], "--port: ERR_PARAMETER: port must be an integer in [0, 65535], got 99999"],
    [["--port", "many"], '--port: ERR_PARAMETER: port must be an integer in [0, 65535], got "many"'],
    [["--rate", "0"], "--rate: ERR_PARAMETER: rate must be an integer in [1, 1000000], got 0"],
    [["--max-open", "1.5"], "--max-open: ERR_PARAMETER: max-open must be an integer in [1, 1000000], got 1.5"],
    [["--origin", "shop.example"], '--origin: ERR_PARAMETER: origin must be a scheme and a host, such as https://shop.example, got "shop.example"'],
    [["--origin", "https://shop.example/"], "--origin: ERR_PARAMETER: origin must be a scheme and a host"],
    [["--host", ""], '--host: ERR_PARAMETER: host must be an address such as 127.0.0.1 or 0.0.0.0, got ""'],
    [
      ["--host", "0.0.0.0"],
      "--host: ERR_OPTIONS: without a key the service listens on this machine only, not on 0.0.0.0; make a key first: tsallis keys add --role admin\n",
    ],
    [["--host", "0.0.0.0", "--db", "my shop.db"], /make a key first: tsallis keys add --role admin --db 'my shop\.db'\n$/],
    [["--host", "203.0.113.7", "--db", "guarded.db"], "--host: ERR_OPTIONS: 203.0.113.7 is no address of this machine; choose another host"],
    [["--hots", "x"], "ERR_USAGE: unknown option '--hots' (Did you mean --host?); see tsallis serve --help"],
    [["now"], "ERR_USAGE: too many arguments for 'serve'"],
    [["--db", ""], "ERR_STORE: the store: its path is empty; name a file"],
    [["--db", "none/x.db"], /ERR_STORE: .*x\.db: its folder does not exist; create it first\n$/],
    [["--db", "mysql://ada:secret@host/x"], "ERR_STORE: the store: it is the path of a file or a URL such as postgres://host:5432/database, not one"],
    [["--db", "postgres://ada:sec/ret@host/x"], "--db: ERR_STORE: the URL of the store cannot be read; write it like postgres://user:password@host"],
  ])("%j is one line on stderr and exit code 2", async (args, message) => {
    await tsallis(["keys", "add", "--role", "admin", "--db", "guarded.db"], "", folder);
    const place = mkdtempSync(join(folder, "place-"));
    const { code, stdout, stderr } = await tsallis(["serve", "--port", "0", ...args], "", args.includes("guarded.db") ? folder : place);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    if (typeof message === "string") expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
    else expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/secret|sec\/ret/);
  });

  it("a port that is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    expect(await tsallis(["serve", "--port", `${port}`], "", folder)).toEqual({
      code: 2,
      stdout: "",
      stderr: `tsallis: --port: ERR_OPTIONS: port ${port} of 127.0.0.1 is in use by another program; stop it, or choose another port\n`,
    });
    other.close();
  });
});

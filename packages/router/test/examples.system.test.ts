import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres.js";

const FOLDER = fileURLToPath(new URL("../examples/", import.meta.url));

/** Runs an example as a user does; returns what it printed. It must end by itself, with exit code 0 and nothing on stderr. */
async function run(name: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, stderr } = await outcome(name, args, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

function outcome(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [FOLDER + name, ...args], { env: { ...process.env, ...env } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** The numbers in the match, in order. */
function numbers(text: string, pattern: RegExp): number[] {
  const match = pattern.exec(text);
  expect(match, `${pattern} in:\n${text}`).not.toBeNull();
  return match!.slice(1).map(Number);
}

/*
 * The seeds are fixed but the delays are real, so the counts vary from run to run. The tests only check which upstream gets more than half of the requests.
 * On two cores with four to ten busy processes each, its share was at least 0.81, with means of 0.88 to 0.96 over 5 to 13 runs and standard deviations of at
 * most 0.05; the share of the one that has become slow was at most 0.13. A half is at least eight standard deviations away from all of these: less
 * than 1e-14 of the runs give a false alarm if the shares are about normal.
 */
describe("the examples", () => {
  const examples = readdirSync(FOLDER).filter((name) => !["standIn.mjs", "openTelemetrySdk.mjs"].includes(name));

  it("are all run here", () => {
    expect(examples.sort()).toEqual([
      "balancedPool.mjs",
      "comeAndGo.mjs",
      "httpReplicas.mjs",
      "jsonRpc.mjs",
      "load.mjs",
      "openTelemetry.mjs",
      "openaiProviders.mjs",
      "postgresReplicas.mjs",
    ]);
  });

  it("httpReplicas: the fastest gets most of the requests, until it is slow", async () => {
    const text = await run("httpReplicas.mjs");
    const counts = / {2}paris +(\d+) requests\n {2}tokyo +(\d+) requests\n {2}lima +(\d+) requests\n {2}mean +[\d.]+ ms, round robin [\d.]+ ms\n/;
    const [first, second] = text.split("paris is the slowest");
    const before = numbers(first!, counts);
    const after = numbers(second!, counts);
    expect(before.reduce((a, b) => a + b)).toBe(1000);
    expect(after.reduce((a, b) => a + b)).toBe(1000);
    expect(before[0]).toBeGreaterThan(500);
    expect(after[0]).toBeLessThan(500);
    expect(text).toMatch(/^request \d+: http:\S+ has become slower$/m);
    expect(text.match(/is the favourite with/g)).toHaveLength(2);
  });

  it("balancedPool: most requests of the same program go to the fastest", async () => {
    const text = await run("balancedPool.mjs");
    expect(text).toMatch(/^BalancedPool: paris 300, tokyo 300, lima 300 requests; mean [\d.]+ ms$/m);
    const [paris, tokyo, lima] = numbers(text, /^router +: paris (\d+), tokyo (\d+), lima (\d+) requests; mean [\d.]+ ms$/m);
    expect(paris! + tokyo! + lima!).toBe(900);
    expect(paris).toBeGreaterThan(450);
  });

  it("jsonRpc: errors inside answers are failures, each is retried once elsewhere, and no call is lost", async () => {
    const text = await run("jsonRpc.mjs");
    const row = (name: string) => numbers(text, new RegExp(`^http:\\S+/${name}: (\\d+) calls, (\\d+) answered, (\\d+) failed$`, "m"));
    const rows = ["swift", "steady", "distant"].map(row);
    for (const [calls, answered, failed] of rows) expect(answered! + failed!).toBe(calls);
    const [swift, steady, distant] = rows;
    const failures = swift![2]! + steady![2]! + distant![2]!;
    expect(swift![0]! + steady![0]! + distant![0]!).toBe(1001 + failures);
    expect(swift![2]).toBeGreaterThan(0);
    expect(steady![0]).toBeGreaterThan(500);
    expect(text).toContain(`\n${failures} calls were retried, 0 failed in the end\n`);
    expect(text).toContain("a call with a typo is answered and not retried: the method eth_getBalnace does not exist");
  });

  it("comeAndGo: two replicas are replaced by two others, and no request fails", async () => {
    const text = await run("comeAndGo.mjs");
    const answers = ["paris", "tokyo", "lima", "cairo"].map((name) => numbers(text, new RegExp(`^${name} +(\\d+) answers$`, "m"))[0]!);
    expect(answers.reduce((a, b) => a + b)).toBe(1500);
    for (const count of answers) expect(count).toBeGreaterThan(0);
    expect(text).toMatch(/^0 failed\nthe upstreams are now http:\S+\/lima and http:\S+\/cairo\n$/m);
  });

  /** It is a simulation with fixed seeds: the numbers are the same in every run, and move only if the router does. */
  it("load: each replica gets what it can carry, and the curves rise where its workers are busy", async () => {
    const text = await run("load.mjs");
    const [turns] = numbers(text, /^round robin: mean (\d+) ms; big 25 %, middle 25 %, other 25 %, small 25 %$/m);
    const [mean, big, , , small] = numbers(text, /^the router: +mean (\d+) ms; big (\d+) %, middle (\d+) %, other (\d+) %, small (\d+) %$/m);
    expect(turns).toBeGreaterThan(1000);
    expect(mean).toBeLessThan(30);
    expect(big).toBeGreaterThan(30);
    expect(small).toBeLessThan(20);
    for (const name of ["big", "middle", "other", "small"])
      expect(text).toMatch(new RegExp(`^${name}, by requests in flight: 0: 1\\.00, \\d+: `, "m"));
  });

  it("openaiProviders: the gateway streams, no request fails, the best price for money and time gets most requests, and its log can be evaluated", async () => {
    const text = await run("openaiProviders.mjs");
    expect(text).toContain("\none answer: this text will come word upon word with some idle time\n");
    expect(text).toMatch(/^2000 requests, 0 failed; \d+ retried, \d+ hedged \(\d+ won\), [1-9]\d+ stayed with their session$/m);
    const requests = ["lavish", "modest", "thrifty"].map((name) => numbers(text, new RegExp(`^http:\\S+/${name}: (\\d+) requests; `, "m"))[0]!);
    const [retried, hedged] = numbers(text, / (\d+) retried, (\d+) hedged/);
    expect(requests.reduce((a, b) => a + b)).toBe(2001 + retried! + hedged!);
    expect(requests[1]).toBeGreaterThan(1000);
    const log = /its log in (\S+)/.exec(text)![1]!;
    const tsallis = fileURLToPath(new URL("../../cli/bin/tsallis.js", import.meta.url));
    const evaluated = execFileSync(process.execPath, [tsallis, "evaluate", join(log, readdirSync(log)[0]!), "--cap", "10"], { encoding: "utf8" });
    rmSync(log, { recursive: true });
    expect(evaluated).toMatch(/segment default: [\d,]+ decisions, [\d,]+ with feedback/);
  });

  it("openaiProviders: the gateway has at most 100 lines", () => {
    expect(readFileSync(`${FOLDER}openaiProviders.mjs`, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(100);
  });

  it("openTelemetry: one span for each request, and one recorded loss", async () => {
    const text = await run("openTelemetry.mjs");
    const [errors] = numbers(text, /^300 spans, (\d+) with errors; 300 losses$/m);
    const [paris] = numbers(text, /^http:\S+\/paris: (\d+) spans, done$/m);
    const [tokyo] = numbers(text, /^http:\S+\/tokyo: (\d+) spans, done$/m);
    const [lima] = numbers(text, /^http:\S+\/lima: (\d+) spans, failed$/m);
    expect(lima).toBe(errors);
    expect(paris! + tokyo! + lima!).toBe(300);
  });

  /** One real server with three databases stands for a primary's three replicas, which differ only in how long they sleep. */
  describe("postgresReplicas", () => {
    const databases = ["one", "two", "three"];
    let server: PostgresServer | undefined;
    let urls: string[];

    beforeAll(async () => {
      server = await startPostgres();
      urls = databases.map((name) => server!.url.replace(/postgres$/, name));
      const client = new pg.Client(server.url);
      await client.connect();
      for (const name of databases) await client.query(`create database ${name}`);
      await client.end();
    });
    afterAll(() => server?.stop());

    it("the fastest replica gets most of the queries, with the URLs as arguments", async () => {
      const text = await run("postgresReplicas.mjs", urls);
      const queries = databases.map((_, i) => numbers(text, new RegExp(`^replica ${i + 1}: (\\d+) queries, 0 failed$`, "m"))[0]!);
      expect(queries.reduce((a, b) => a + b)).toBe(800);
      expect(queries[1]).toBeGreaterThan(400);
      expect(text).toMatch(/^replica 2 is the favourite with /m);
    });

    it("also takes the URLs from DATABASE_URLS, and says so if there are none", async () => {
      expect(await run("postgresReplicas.mjs", [], { DATABASE_URLS: urls.join(" ") })).toMatch(/^replica 3: \d+ queries, 0 failed$/m);
      expect(await outcome("postgresReplicas.mjs", [], { DATABASE_URLS: "" })).toEqual({
        code: 2,
        stdout: "",
        stderr: "Give two or more URLs of PostgreSQL databases, such as postgres://you@host1/db, as arguments or in DATABASE_URLS.\n",
      });
    });
  });
});

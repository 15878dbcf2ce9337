import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { builtIn, builtInNames } from "../src/document/builtIn.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { Experiment } from "../src/document/experiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { parseExperiment } from "../src/document/parseExperiment.js";
import type { Run } from "../src/document/run.js";
import { runsOf } from "../src/document/runs.js";
import { Chunker } from "../src/fleet/coordinator/chunker.js";
import { queueExecutor } from "../src/fleet/coordinator/queueExecutor.js";
import { chunkId, chunkPrefix, packResults, unpackResults } from "../src/fleet/queue/chunk.js";
import { parseDocument } from "../src/fleet/queue/parseDocument.js";
import { unusable } from "../src/fleet/queue/queueError.js";
import { isChunksQueue } from "../src/fleet/queue/queueNames.js";
import { parseQueueUrl } from "../src/fleet/queue/queueUrl.js";
import { reached } from "../src/fleet/queue/reached.js";
import { parseWorkerName, workerName } from "../src/fleet/queue/workerName.js";
import { lostChunk } from "../src/fleet/worker/lostChunk.js";
import { requireChunk } from "../src/fleet/worker/requireChunk.js";
import { requireSchema } from "../src/fleet/worker/requireSchema.js";
import type { RunResult } from "../src/run/runResult.js";

const experimentWith = (seeds: number, horizon = 1000) =>
  completeExperiment({
    name: "x",
    horizon,
    seeds,
    environments: { a: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.1 } },
    policies: { cheap: { policy: "uniform" }, dear: { policy: "ada2tinf" } },
  });

describe("chunks", () => {
  const experiment = experimentWith(400);
  const runs = runsOf(experiment);
  const cheap = runs[0]!;
  const dear = runs.find(({ policy }) => policy === "dear")!;

  /** All chunks for a fleet; a run takes what `secondsOf` says. */
  function chunksOf(slots: number, secondsOf: (run: Run) => number, skip = new Set<string>()): Run[][] {
    const chunker = new Chunker(experiment, runs, skip);
    const chunks: Run[][] = [];
    for (let chunk = chunker.next(slots); chunk.length > 0; chunk = chunker.next(slots)) {
      chunks.push(chunk);
      for (const run of chunk) chunker.learn(run, secondsOf(run));
    }
    return chunks;
  }
  const secondsIn = (chunk: Run[], secondsOf: (run: Run) => number) => chunk.reduce((sum, run) => sum + secondsOf(run), 0);

  test("property: give every run that is not skipped out once, in order, whatever runs take", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), fc.double({ min: 1e-6, max: 10, noNaN: true }), fc.nat(799), (slots, seconds, skipped) => {
        const skip = new Set([runs[skipped]!.id]);
        const given = chunksOf(slots, () => seconds, skip).flat();
        expect(given).toEqual(runs.filter(({ id }) => !skip.has(id)));
      }),
      { numRuns: 50 },
    );
  });

  it("begin with single runs, then last about two seconds each", () => {
    const secondsOf = () => 0.1;
    const chunks = chunksOf(2, secondsOf);
    expect(chunks[0]).toHaveLength(1);
    expect(chunks[1]!.length).toBeGreaterThan(15);
    for (const chunk of chunks) expect(secondsIn(chunk, secondsOf)).toBeLessThanOrEqual(2 + 1e-9);
  });

  it("get smaller towards the end, so that nobody waits for one worker", () => {
    const secondsOf = () => 0.1;
    const slots = 4;
    const chunks = chunksOf(slots, secondsOf);
    let left = runs.length;
    for (const chunk of chunks) {
      // At most the last work cut by twice the slots, or a run.
      expect(chunk.length).toBeLessThanOrEqual(Math.max(1, left / (2 * slots) + 1e-9));
      left -= chunk.length;
    }
    expect(chunks.at(-1)).toHaveLength(1);
  });

  it("know what runs of each kind take, and take the unknown for the dearest seen", () => {
    const chunker = new Chunker(experiment, runs, new Set());
    chunker.learn(cheap, 0.001);
    chunker.learn(dear, 1);
    expect(chunker.next(1).length).toBeGreaterThan(300);
    const unknown = new Chunker(experiment, runs, new Set());
    unknown.learn(dear, 1);
    expect(unknown.next(1)).toHaveLength(2);
  });

  it("hold at most 512 runs, however short", () => {
    expect(Math.max(...chunksOf(1, () => 1e-9).map(({ length }) => length))).toBe(512);
  });

  it("have ids that the experiment and the runs make, and nothing else", () => {
    const hash = "0123456789abcdef".repeat(4);
    const id = chunkId({ hash, runs: runs.slice(0, 3) });
    expect(id).toMatch(/^0123456789abcdef-[0-9a-f]{32}$/);
    expect(id.startsWith(chunkPrefix(hash))).toBe(true);
    expect(chunkId({ hash, runs: runs.slice(0, 3).map((run) => ({ ...run })) })).toBe(id);
    expect(chunkId({ hash, runs: runs.slice(0, 2) })).not.toBe(id);
    expect(chunkId({ hash: "f".repeat(64), runs: runs.slice(0, 3) })).not.toBe(id);
  });

  test("property: results come back bit for bit, with keys in their order, through an engine that sorts keys", () => {
    const sorted = (value: unknown): unknown =>
      typeof value !== "object" || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.array(number), number), { minLength: 1 }), (values) => {
        const played = values.map(([id, columns, seconds], rounds) => {
          const details = { z: columns, a: columns };
          const result = { id, status: "completed", trace: { round: columns, details }, seconds } as unknown as RunResult;
          return { result, rounds };
        });
        const through = sorted(JSON.parse(JSON.stringify(packResults(played)))) as ReturnType<typeof packResults>;
        expect(JSON.stringify(unpackResults(through, played.length))).toBe(JSON.stringify(played));
        expect(unpackResults(through, played.length)).toEqual(played);
      }),
    );
  });
});

describe("an answer that is none", () => {
  it.each([
    [null],
    [undefined],
    [7],
    ["done"],
    [[]],
    [{}],
    [{ lines: 1, rounds: [0, 0] }],
    [{ lines: "{}\n{}", rounds: 2 }],
    [{ lines: "{}", rounds: [0] }],
    [{ lines: "{}\n{}\n{}", rounds: [0, 0, 0] }],
    [{ lines: "{}", rounds: [0, 0] }],
    // More lines than a list can have.
    [{ lines: "\n".repeat(1e8), rounds: [0, 0] }],
  ])("has nothing for two runs: %#", (value) => {
    expect(unpackResults(value, 2)).toBeNull();
  });

  it("has nothing for the run whose line is not JSON", () => {
    expect(unpackResults({ lines: "{}\n\u0000{", rounds: [1, "x"] }, 2)).toEqual([
      { result: {}, rounds: 1 },
      { result: undefined, rounds: "x" },
    ]);
  });
});

describe("what a worker finds in the queue", () => {
  const hash = "0123456789abcdef".repeat(4);
  const run = { id: "a/b/1", environment: "a", policy: "b", seed: 1, sweep: null };

  it.each([
    [null],
    ["chunk"],
    [{}],
    [{ hash: "x", runs: [run] }],
    [{ hash, runs: [] }],
    [{ hash, runs: null }],
    [{ hash, runs: [null] }],
    [{ hash, runs: [{ ...run, id: 1 }] }],
    [{ hash, runs: [{ ...run, seed: -1 }] }],
    [{ hash, runs: [{ ...run, sweep: 3 }] }],
  ])("%j is no chunk", (data) => {
    expect(() => requireChunk(data)).toThrow("it is not a chunk of an experiment");
  });

  it("a chunk is one", () => {
    const data = { hash, runs: [run, { ...run, id: "a/b/1/2", sweep: { path: "horizon", value: 2 } }] };
    expect(requireChunk(data)).toEqual(data);
  });

  it.each([undefined, "", "{", "null", "[]", '{"experiment":{}}', '{"experiment":{},"imports":[1]}'])("%j is no document", (text) => {
    expect(() => parseDocument(text, hash)).toThrow(/^the experiment in the queue under the hash 01234567 is not/);
  });

  it("a document is one only under its own hash", () => {
    const frozen = freezeExperiment(experimentWith(2));
    const text = JSON.stringify(frozen);
    expect(parseDocument(text, frozen.hash)).toEqual(frozen);
    expect(() => parseDocument(text, hash)).toThrow("has a different hash");
    expect(() => parseDocument(text.replace('"horizon":1000', '"horizon":1001'), frozen.hash)).toThrow("has a different hash");
  });

  it("every experiment that the lab completes keeps to the schema, on the way through a queue too", () => {
    for (const name of builtInNames()) {
      const { experiment } = freezeExperiment(completeExperiment(parseExperiment(builtIn(name)!).value));
      expect(() => requireSchema(JSON.parse(JSON.stringify(experiment)) as Experiment), name).not.toThrow();
    }
  });

  it.each([
    [{ horizon: 0 }, "horizon"],
    [{ policies: { evil: { policy: "no-such" } } }, "policies"],
    [{ environments: {} }, "environments"],
    [{ name: "../../x" }, "name"],
    [{ more: 1 }, ""],
    [{ seeds: [0.5] }, "seeds"],
  ])("%j is not", (change, path) => {
    const changed = { ...experimentWith(2), ...change } as Experiment;
    expect(() => requireSchema(changed)).toThrow(`the experiment in the queue is no valid document: ${path}`);
  });
});

describe("a server that is not there yet", () => {
  const never = new AbortController().signal;
  const url = parseQueueUrl("redis://ada:secret@host:6379/0");
  const away = (message: string) => unusable(url, new Error(message));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is waited for, and each new reason is told once, without credentials", async () => {
    const reasons = ["connect ECONNREFUSED", "connect ECONNREFUSED", "LOADING secret"];
    const told: string[] = [];
    const there = reached(
      async () => {
        const reason = reasons.shift();
        if (reason !== undefined) throw away(reason);
        return "there";
      },
      (reason) => told.push(reason),
      never,
    );
    await vi.runAllTimersAsync();
    expect(await there).toBe("there");
    expect(told).toEqual(["connect ECONNREFUSED", "LOADING ***"]);
  });

  it("is given up after ten minutes, and when somebody stops the process", async () => {
    const start = performance.now();
    const given = reached(
      () => Promise.reject(away("no answer")),
      () => {},
      never,
    );
    given.catch(() => {});
    await vi.runAllTimersAsync();
    await expect(given).rejects.toMatchObject({ code: "ERR_QUEUE", message: expect.stringContaining("no answer; check that the server") });
    expect(performance.now() - start).toBeGreaterThan(600_000);
    expect(performance.now() - start).toBeLessThan(620_000);

    const stop = new AbortController();
    const stopped = reached(
      () => Promise.reject(away("no answer")),
      () => stop.abort(new Error("enough")),
      stop.signal,
    );
    await expect(stopped).rejects.toThrow("enough");
  });

  it.each([
    ["WRONGPASS invalid username-password pair or user is disabled.", undefined],
    ["NOPERM User ada has no permissions to run the 'evalsha' command", undefined],
    ["NOAUTH Authentication required.", undefined],
    ["ERR DB index is out of range", undefined],
    ['password authentication failed for user "ada"', "28P01"],
    ['no pg_hba.conf entry for host "x"', "28000"],
    ['database "x" does not exist', "3D000"],
    ["permission denied for schema bullmq", "42501"],
    ["self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT"],
  ])("is not waited for where that cannot help: %s", async (message, code) => {
    const error = unusable(url, Object.assign(new Error(message), { code }));
    let attempts = 0;
    const attempt = () => {
      attempts++;
      return Promise.reject(error);
    };
    await expect(reached(attempt, () => expect.unreachable(), never)).rejects.toBe(error);
    expect(attempts).toBe(1);
  });

  it.each([
    ["connect ECONNREFUSED 127.0.0.1:6379", "ECONNREFUSED"],
    ["getaddrinfo ENOTFOUND fleet-redis", "ENOTFOUND"],
    ["the database system is starting up", "57P03"],
    ["sorry, too many clients already", "53300"],
    ["canceling statement due to lock timeout", "55P03"],
    ["LOADING Redis is loading the dataset in memory", undefined],
    ["OOM command not allowed when used memory > 'maxmemory'.", undefined],
  ])("is waited for: %s", (message, code) => {
    expect(unusable(url, Object.assign(new Error(message), { code })).isFinal).toBe(false);
  });
});

describe("the URL of a queue", () => {
  it.each([
    ["redis://host:6379/3", "redis://host:6379/3"],
    ["postgres://host/a;b$(c)'d", "'postgres://host/a;b$(c)'\\''d'"],
    ["redis://:pass@host", `"\${TSALLIS_QUEUE:?the URL of the queue}"`],
    ["postgres://host/db?sslmode=require", `"\${TSALLIS_QUEUE:?the URL of the queue}"`],
  ])("%s is for a shell %s", (url, word) => {
    expect(parseQueueUrl(url).word).toBe(word);
  });

  it.each(["redis://host/abc", "redis://host/1x", "redis://host/0/1", "redis://host/-1", "rediss://host?db=one"])("%s has no database", (url) => {
    const message = expect.stringMatching(/^the database of a Redis is a number, as in redis:\/\/host:6379\/0, not "/);
    expect(() => parseQueueUrl(url)).toThrowError(expect.objectContaining({ code: "ERR_QUEUE", message }));
  });

  it.each([
    ["redis://host:6379/0", "redis", "redis://host:6379/0"],
    ["rediss://:pa%24s@host:6380/1?tls=x", "redis", "rediss://***@host:6380/1"],
    ["postgres://ada:lovelace@host:5432/db?sslpassword=s3cret", "postgres", "postgres://***@host:5432/db"],
    ["postgresql://ada@host/db", "postgres", "postgresql://***@host/db"],
  ])("%s", (url, engine, shown) => {
    expect(parseQueueUrl(url)).toMatchObject({ engine, url, shown });
  });

  it("takes its secrets out of whatever a driver says", () => {
    const { scrub } = parseQueueUrl("postgres://u:pa%24s@host/db?sslpassword=s3cret&sslmode=require");
    expect(scrub('password pa$s (pa%24s) of user "u" refused, s3cret too; require usual')).toBe(
      'password *** (***) of user "***" refused, *** too; require usual',
    );
    expect(scrub("cannot reach postgres://u:pa%24s@host/db?sslpassword=s3cret&sslmode=require")).toBe("cannot reach postgres://***@host/db");
  });

  it.each(["", "host:6379", "secret", "http://ada:secret@host/", "redis:secret", "redis://"])("%j is refused and not quoted", (url) => {
    const refused = expect.objectContaining({ code: "ERR_QUEUE", message: expect.not.stringContaining("secret") });
    expect(() => parseQueueUrl(url)).toThrowError(refused);
    expect(() => queueExecutor(url)).toThrowError(refused);
  });
});

describe("an error of the engine", () => {
  const id = "0123456789abcdef-0123456789abcdef0123456789abcdef";

  it.each([
    `could not renew lock for job ${id}`,
    `Missing key for job ${id}. moveToFinished`,
    `Missing lock for job ${id}. moveToFinished`,
    `Lock mismatch for job ${id}. Cmd moveToFinished from active`,
    `Job ${id} is not in the active state. moveToFinished`,
  ])("%s: a chunk is another's", (message) => {
    expect(lostChunk(message)).toBe(id);
  });

  it.each([
    "connect ECONNREFUSED clock.lan:6379",
    "deadlock detected",
    "Stream isn't writeable, blocked by job queue",
    `Job ${id} has pending dependencies. moveToFinished`,
    "Missing key for parent job x. addJob",
  ])("%s: no chunk is", (message) => {
    expect(lostChunk(message)).toBeUndefined();
  });
});

describe("names", () => {
  it("a worker's name tells host, process and slots, and fits into what PostgreSQL keeps of it", () => {
    const name = workerName(1024);
    expect(name.length).toBeLessThanOrEqual(40);
    expect(parseWorkerName(name)).toMatchObject({ pid: process.pid, concurrency: 1024 });
    expect(workerName(1)).not.toBe(workerName(1));
    expect(parseWorkerName("somebody-else")).toBeUndefined();
  });

  it("queues of chunks are told from those of documents and from others'", () => {
    expect(["tsallis-0.1.0", "tsallis-9.9.9-beta.1", "tsallis-0.1.0-documents", "mail"].map(isChunksQueue)).toEqual([true, true, false, false]);
  });
});

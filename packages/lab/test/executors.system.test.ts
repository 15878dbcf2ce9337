import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// The built package: threads are started from files.
import { completeExperiment, type Executor, freezeExperiment, inlineExecutor, type RunResult, runsOf, threadsExecutor } from "@tsallis/lab";
import { type FleetWorker, queueExecutor, startWorker, type WorkerEvent } from "@tsallis/lab/fleet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { openEngine } from "../src/fleet/queue/engine.js";
import { openQueues } from "../src/fleet/queue/fleetQueues.js";
import { parseQueueUrl } from "../src/fleet/queue/queueUrl.js";

const experiment = completeExperiment({
  name: "x",
  horizon: 200,
  seeds: 6,
  environments: { a: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.1 } },
  policies: { uniform: { policy: "uniform" }, ada: { policy: "ada2tinf" } },
});
const frozen = freezeExperiment(experiment);
const runs = runsOf(experiment);
const never = new AbortController().signal;

interface Place {
  readonly executor: Executor;
  /** The ids of the chunks that its worker has played so far, once for each time. */
  readonly played?: readonly string[];
  /** The ids of the chunks whose results are in the queue. */
  readonly kept?: () => Promise<string[]>;
  readonly stop?: () => Promise<void>;
}

/** A real server, and a worker with two slots. */
async function fleetOn(starting: Promise<{ url: string; stop(): Promise<void> }>): Promise<Place> {
  const server = await starting;
  let worker: FleetWorker | undefined;
  const played: string[] = [];
  const kept = async () => {
    const queues = await openQueues(await openEngine(parseQueueUrl(server.url)));
    try {
      return await queues.chunks.getRanges(["completed"], 0, -1);
    } finally {
      await queues.close();
    }
  };
  const stop = async () => {
    await worker?.stop();
    await server.stop();
  };
  try {
    const onEvent = (told: WorkerEvent) => {
      if (told.event === "chunk") played.push(told.chunk);
    };
    worker = await startWorker(server.url, { concurrency: 2, imports: [], patience: 60, onEvent });
    return { executor: queueExecutor(server.url), played, kept, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const PLACES: [string, () => Place | Promise<Place>][] = [
  ["inline", () => ({ executor: inlineExecutor })],
  ["one thread", () => ({ executor: threadsExecutor(1) })],
  ["three threads", () => ({ executor: threadsExecutor(3) })],
  ["a fleet on Redis", () => fleetOn(startRedis())],
  ["a fleet on PostgreSQL", () => fleetOn(startPostgres())],
];

/** What an executor tells; the listener throws at the given result. */
async function told(executor: Executor, { throwsAt = Infinity, signal = never, experiment = frozen } = {}) {
  const results: RunResult[] = [];
  let rounds = 0;
  const listener = {
    onRounds: (more: number) => {
      rounds += more;
    },
    onResult: (result: RunResult) => {
      if (results.length === throwsAt) throw new Error("disk full");
      results.push(result);
    },
  };
  const ended = await executor.execute(experiment, runs, listener, signal).then(
    () => "done",
    (error: Error) => error.message,
  );
  return { results, rounds, ended };
}

describe.each(PLACES)("%s", (_, open) => {
  let executor: Executor;
  let played: Place["played"];
  let kept: Place["kept"];
  let stop: Place["stop"];
  beforeAll(async () => {
    ({ executor, played, kept, stop } = await open());
  }, 120_000);
  afterAll(async () => stop?.());

  test("plays every run once and tells every round", async () => {
    const { results, rounds, ended } = await told(executor);
    expect(ended).toBe("done");
    expect(results.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort());
    expect(rounds).toBe(runs.length * 200);
    const traces = results.map((result) => [result.id, result.status === "completed" ? result.trace : null] as const);
    const { results: reference } = await told(inlineExecutor);
    expect(new Map(traces)).toEqual(new Map(reference.map((result) => [result.id, result.status === "completed" ? result.trace : null])));
  });

  test("stops where the listener throws, and calls nothing failed that was not played", async () => {
    const { results, ended } = await told(executor, { throwsAt: 2 });
    expect(ended).toBe("disk full");
    expect(results.map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("what a listener did not take is not played again by a fleet", async () => {
    if (played === undefined || kept === undefined) return;
    // One that no other test has played, which may have left chunks of theirs.
    const fresh = freezeExperiment({ ...frozen.experiment, name: "fresh" });
    expect((await told(executor, { throwsAt: 0, experiment: fresh })).ended).toBe("disk full");
    const left = (await kept()).filter((id) => id.startsWith(fresh.hash.slice(0, 8)));
    expect(left).not.toEqual([]);
    const { results } = await told(executor, { experiment: fresh });
    expect(results.map(({ id }) => id).sort()).toEqual(runs.map(({ id }) => id).sort());
    // Not all chunks: what the worker finishes within the one call by which the coordinator takes it back is played again, as if it had never begun.
    expect(played.filter((id) => left.includes(id)).sort()).toEqual(left.sort());
  });

  test("rejects with the reason of an abort", async () => {
    const { results, ended } = await told(executor, { signal: AbortSignal.abort(new Error("enough")) });
    expect(ended).toBe("enough");
    expect(results).toEqual([]);
  });
});

test("a module that threads cannot load fails the runs, not the process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-lab-"));
  try {
    const file = join(folder, "mine.mjs");
    writeFileSync(file, `throw new Error("not in a thread");`);
    const results: RunResult[] = [];
    const listener = { onRounds: () => {}, onResult: (result: RunResult) => results.push(result) };
    await threadsExecutor(2).execute({ ...frozen, imports: [{ file, hash: "" }] }, runs, listener, never);
    expect(results.map(({ status }) => status)).toEqual(runs.map(() => "failed"));
    expect(results[0]).toMatchObject({ error: { message: expect.stringContaining("not in a thread") } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

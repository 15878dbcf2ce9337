import type { Worker } from "bullmq";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import type { Run } from "../src/document/run.js";
import { runsOf } from "../src/document/runs.js";
import { queueExecutor } from "../src/fleet/coordinator/queueExecutor.js";
import { type ChunkData, chunkId, packResults } from "../src/fleet/queue/chunk.js";
import { type Engine, openEngine } from "../src/fleet/queue/engine.js";
import { type FleetQueues, openQueues } from "../src/fleet/queue/fleetQueues.js";
import { CHUNKS } from "../src/fleet/queue/queueNames.js";
import { parseQueueUrl } from "../src/fleet/queue/queueUrl.js";
import { ALL_STATES } from "../src/fleet/queue/states.js";
import { executeRun } from "../src/run/executeRun.js";
import type { RunResult } from "../src/run/runResult.js";

const SERVERS = { Redis: startRedis, PostgreSQL: startPostgres };
const never = new AbortController().signal;
const experiment = completeExperiment({
  name: "x",
  horizon: 50,
  seeds: 3,
  environments: { a: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.1 } },
  policies: { uniform: { policy: "uniform" } },
});
const frozen = freezeExperiment(experiment);
const runs = runsOf(experiment);

function played(run: Run): { result: RunResult & { status: "completed" }; rounds: number } {
  const result = executeRun(experiment, run, () => {});
  if (result.status !== "completed") throw new Error(result.error.message);
  return { result, rounds: experiment.horizon };
}
const HONEST = new Map(runs.map((run) => [run.id, withoutTime(played(run).result)]));

function withoutTime<R extends RunResult>(result: R): R {
  return { ...result, seconds: 0 };
}

type Answer = (runs: readonly Run[]) => unknown;
/** Each run's honest result, changed. */
const changed =
  (change: (result: RunResult & { status: "completed" }) => unknown): Answer =>
  (asked) => ({ lines: asked.map((run) => JSON.stringify(change(played(run).result))).join("\n"), rounds: asked.map(() => 50) });
const withTrace = (trace: object) => changed((result) => ({ ...result, trace: { ...result.trace, ...trace } }));

const WHOLE = "the answer does not have one result for each run";
const GARBAGE: readonly (readonly [name: string, answer: Answer, problem: string])[] = [
  ["null", () => null, WHOLE],
  ["nothing", () => undefined, WHOLE],
  ["a number", () => 7, WHOLE],
  ["a text", () => "done", WHOLE],
  ["{}", () => ({}), WHOLE],
  ["an empty list", () => [], WHOLE],
  ["no lines", () => ({ lines: "", rounds: [] }), WHOLE],
  ["an object in place of lines", () => ({ lines: {}, rounds: [] }), WHOLE],
  ["bytes that are not JSON", (asked) => ({ lines: asked.map(() => "\u0001\ufffd{").join("\n"), rounds: asked.map(() => 1) }), "it is not an object"],
  ["a line too many", (asked) => ({ lines: `${asked.map((run) => JSON.stringify(played(run).result)).join("\n")}\n{}`, rounds: [1, 1] }), WHOLE],
  ["each result twice", (asked) => packResults(asked.flatMap((run) => [played(run), played(run)])), WHOLE],
  ["huge", () => ({ lines: "\n".repeat(2 ** 21), rounds: [] }), WHOLE],
  [
    "results of other runs",
    (asked) => packResults(asked.map((run) => played(runs[(runs.findIndex(({ id }) => id === run.id) + 1) % 3]!))),
    "its id is not",
  ],
  ["wrong ids", changed((result) => ({ ...result, id: "x/y/1" })), "its id is not"],
  ["a strange status", changed((result) => ({ ...result, status: "aborted" })), "its status is neither completed nor failed"],
  ["no trace", changed(({ id, status, seconds }) => ({ id, status, seconds })), "trace is not an object"],
  ["another grid", withTrace({ round: [1, 2] }), "trace.round is not a list"],
  ["a short column", withTrace({ best: [] }), "trace.best is not a list"],
  ["null in a column", changed(({ trace, ...rest }) => ({ ...rest, trace: { ...trace, best: trace.best.map(() => null) } })), "not a finite number"],
  ["a failure without a reason", changed(({ id }) => ({ id, status: "failed", seconds: 0 })), "error is not an object"],
];

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let engine: Engine;
  let queues: FleetQueues;
  beforeAll(async () => {
    server = await start();
    engine = await openEngine(parseQueueUrl(server.url));
    queues = await openQueues(engine);
  }, 120_000);
  afterAll(async () => {
    await queues?.close();
    await server?.stop();
  });

  /** Runs a coordinator with a foreign worker. Returns what its listener is told, without times. */
  async function coordinate(answer: Answer, name = "rogue") {
    const worker: Worker<ChunkData, unknown> = engine.worker(
      CHUNKS,
      async (job) => answer(job.data.runs),
      { name },
      () => {},
    );
    onTestFinished(() => worker.close());
    const results: RunResult[] = [];
    const notices: string[] = [];
    let invalid = 0;
    const listener = { onNotice: (text: string) => notices.push(text), onInvalid: () => invalid++ };
    await queueExecutor(server.url, listener).execute(
      frozen,
      runs,
      { onRounds: () => {}, onResult: (result) => results.push(withoutTime(result)) },
      never,
    );
    await worker.close();
    return { results: results.sort((a, b) => (a.id < b.id ? -1 : 1)), notices, invalid };
  }

  const leftovers = () => queues.chunks.getRanges([...ALL_STATES], 0, -1);

  test.each(GARBAGE)("a worker that answers %s: every run fails by name, and the coordinator ends", async (_name, answer, problem) => {
    const { results, notices, invalid } = await coordinate(answer);
    expect(results.map(({ id, status }) => ({ id, status }))).toEqual(runs.map(({ id }) => ({ id, status: "failed" })));
    for (const result of results) {
      expect(result).toMatchObject({
        error: { code: null, message: expect.stringMatching(/^worker rogue gave no result of it: .*; tried 3 times$/) },
      });
      expect(JSON.stringify(result)).toContain(problem);
    }
    expect(invalid).toBe(9);
    expect(notices.filter((text) => text.includes("is played again: worker rogue gave no result of it"))).toHaveLength(1);
    expect(await leftovers()).toEqual([]);
  });

  test("a worker that answers garbage twice for each run: every result is right in the end", async () => {
    const times = new Map<string, number>();
    const { results, invalid } = await coordinate((asked) => {
      const [{ id }] = asked as [Run];
      times.set(id, (times.get(id) ?? 0) + 1);
      return times.get(id)! < 3 ? {} : packResults(asked.map(played));
    });
    expect(results).toEqual(runs.map(({ id }) => HONEST.get(id)));
    expect(invalid).toBe(6);
    expect(await leftovers()).toEqual([]);
  });

  test("chunks under our ids that somebody else has put there: none is taken for ours", async () => {
    const [first, second, third] = runs as [Run, Run, Run];
    const { hash } = frozen;
    const idOf = (...asked: Run[]) => chunkId({ hash, runs: asked });
    await queues.chunks.addBulk(
      [
        // The run of another seed under the id of the first, nothing, and a chunk that asks for one run twice.
        { jobId: idOf(first), data: { hash, runs: [{ ...first, seed: 2 }] } },
        { jobId: idOf(second), data: null as never },
        { jobId: idOf(third, third), data: { hash, runs: [third, third] } },
        { jobId: `${hash.slice(0, 16)}-x`, data: { hash, runs: [null as never] } },
      ].map(({ jobId, data }) => ({ name: "x", data, opts: { jobId } })),
    );
    const { results } = await coordinate((asked) => packResults((asked ?? []).map(played)));
    expect(results).toEqual(runs.map(({ id }) => HONEST.get(id)));
    expect(await leftovers()).toEqual([]);
  });
});

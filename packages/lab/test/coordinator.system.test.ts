import type { Worker } from "bullmq";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../../test/postgres.js";
import { startRedis } from "../../../test/redis.js";
import { until } from "../../../test/until.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { runsOf } from "../src/document/runs.js";
import { Coordinator } from "../src/fleet/coordinator/coordinator.js";
import { type ChunkData, type ChunkResult, packResults } from "../src/fleet/queue/chunk.js";
import { type Engine, openEngine } from "../src/fleet/queue/engine.js";
import { type FleetQueues, openQueues } from "../src/fleet/queue/fleetQueues.js";
import { CHUNKS } from "../src/fleet/queue/queueNames.js";
import { parseQueueUrl } from "../src/fleet/queue/queueUrl.js";
import { ALL_STATES } from "../src/fleet/queue/states.js";

const SERVERS = { Redis: startRedis, PostgreSQL: startPostgres };

const experiment = completeExperiment({
  name: "x",
  horizon: 10,
  seeds: 4,
  environments: { a: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.1 } },
  policies: { uniform: { policy: "uniform" } },
});

const runs = runsOf(experiment);

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  let server: Awaited<ReturnType<typeof start>>;
  let engine: Engine;
  let queues: FleetQueues;
  let worker: Worker<ChunkData, ChunkResult>;
  beforeAll(async () => {
    server = await start();
    engine = await openEngine(parseQueueUrl(server.url));
    queues = await openQueues(engine);
    // Without a processor: the test takes each chunk by hand.
    worker = engine.worker<ChunkData, ChunkResult>(CHUNKS, null as never, {}, () => {});
  }, 120_000);
  afterAll(async () => {
    await Promise.all([worker?.close(), queues?.close()]);
    await server?.stop();
  });

  test("a chunk that a worker plays while the coordinator takes back the others stays, with its results", async () => {
    const own = await openQueues(engine);
    const stop = new AbortController();
    const coordinator = new Coordinator(own, parseQueueUrl(server.url), freezeExperiment(experiment), { onRounds: () => {}, onResult: () => {} }, {});
    const playing = coordinator.play(runs, stop.signal);
    await until("the chunks are queued", async () => (await queues.chunks.getRanges(["wait"], 0, -1)).length === runs.length);
    stop.abort(new Error("enough"));
    await expect(playing).rejects.toThrow("enough");

    // Between its list of the queued chunks and their removal, one is played.
    const getRanges = own.chunks.getRanges.bind(own.chunks);
    let played: string | undefined;
    own.chunks.getRanges = async (...args) => {
      const ids = await getRanges(...args);
      if (played === undefined) {
        const job = await worker.getNextJob("token");
        played = job!.id!;
        const results = job!.data.runs.map(({ id }) => ({
          result: { id, status: "failed" as const, error: { code: null, message: "" }, seconds: 0 },
          rounds: 0,
        }));
        await job!.moveToCompleted(packResults(results), "token", false);
      }
      return ids;
    };
    await coordinator.close();
    expect(await queues.chunks.getRanges([...ALL_STATES], 0, -1)).toEqual([played]);
    expect((await queues.chunks.getJob(played!))?.returnvalue.lines).toContain('"failed"');
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../test/serverProcess.js";
import { STORES, type Store } from "../../cli/test/fleetStores.js";
import { withWorkers } from "../dist/fleet/benchWorkers.js";
import { chunkCost, settled } from "../dist/fleet/chunkCost.js";
import { fleetRatios } from "../dist/fleet/fleetRatios.js";
import { mergeCost } from "../dist/fleet/mergeCost.js";
import { queueSpeed } from "../dist/fleet/queueSpeed.js";
import { bench } from "./command.js";

const { signal } = new AbortController();

describe.each(Object.entries(STORES))("bench fleet on %s", (_, start) => {
  let store: Store;
  let url: string;
  beforeAll(async () => {
    store = await start();
    url = await store.fresh();
  });
  afterAll(() => store.stop());

  it("times the queue alone, and leaves nothing there", async () => {
    const { added, played, fetched } = await queueSpeed(url, { jobs: 40, bytes: 1000 }, signal);
    for (const rate of [added, played, fetched]) expect(rate).toBeGreaterThan(0);
    expect(await store.leftovers(url)).toEqual([]);
  });
});

describe("bench fleet", () => {
  let store: Store;
  let url: string;
  beforeAll(async () => {
    store = await STORES.Redis!();
    url = await store.fresh();
  });
  afterAll(() => store.stop());

  it("times workers beside processes and threads", async () => {
    const found = await fleetRatios(url, 2, { rounds: 50_000, runs: 20, repetitions: 1 }, signal);
    expect(found.map(({ asked }) => asked)).toEqual(["at least 0.9", "at least 0.95"]);
    for (const { measured } of found) expect(measured).toBeGreaterThan(0);
  });

  it("times chunks", async () => {
    const { runs, seconds, share, bytesPerRun } = await chunkCost(url, { rounds: 2000, runs: 100 }, signal);
    expect(runs).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    // 60 checkpoints of 7 columns.
    expect(bytesPerRun).toBeGreaterThan(1000);
  });

  it("times the coordinator and the end, and leaves nothing there", async () => {
    const { runs, ...figures } = await mergeCost(url, 1, { experiment: "lower-bound", seeds: 1, horizon: 20 }, signal);
    expect(runs).toBeGreaterThan(0);
    for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0);
    expect(await store.leftovers(url)).toEqual([]);
  });

  it("does not begin if a worker is already listening", async () => {
    const ended = await withWorkers(url, { workers: 1, concurrency: 1 }, signal, () => bench("fleet", "--queue", url));
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^tsallis: ERR_QUEUE: the server already has workers or experiments/m);
  });
});

it("says how to start a server if none is named or none is there", async () => {
  const none = await bench("fleet");
  expect(none.code).toBe(2);
  expect(none.stderr).toMatch(/^tsallis: ERR_USAGE: .*redis-server --port 6390/m);
  const away = await bench("fleet", "--queue", `redis://:secret@127.0.0.1:${await freePort()}`);
  expect(away.code).toBe(2);
  expect(away.stderr).toMatch(/^tsallis: ERR_QUEUE: .*redis-server --port 6390/m);
  expect(away.stderr).not.toContain("secret");
});

it("counts a chunk's time from the end of the one before, and leaves out the first and last chunks", () => {
  // Two small chunks, two of the settled size, and a small one; 0.1 s of 2.1 s is spent between runs.
  const chunks = [
    { time: 1000, runs: 1 },
    { time: 2000, runs: 1 },
    { time: 4100, runs: 4 },
    { time: 6200, runs: 4 },
    { time: 7000, runs: 1 },
  ];
  const seconds = [0.9, 0.8, ...Array.from({ length: 8 }, () => 0.5), 0.3];
  const { runs, seconds: each, share } = settled(chunks, seconds);
  expect(runs).toBe(4);
  expect(each).toBeCloseTo(2.1, 12);
  expect(share).toBeCloseTo(0.1 / 2.1, 12);
});

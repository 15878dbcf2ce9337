import { availableParallelism } from "node:os";
import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { print, say } from "@tsallis/cli/dist/text/output.js";
import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { Fleet } from "@tsallis/lab/fleet";
import { type ChunkCost, chunkCost } from "./chunkCost.js";
import { fleetRatios, type RateSize } from "./fleetRatios.js";
import { type MergeCost, type MergeSize, mergeCost } from "./mergeCost.js";
import { type QueueLoad, type QueueSpeed, queueSpeed } from "./queueSpeed.js";

/** How much work is timed. */
export interface FleetSize {
  readonly rates: RateSize;
  readonly chunks: { readonly rounds: number; readonly runs: number };
  /** The number of jobs that return nothing, and of those that return as much as a chunk does. */
  readonly jobs: number;
  readonly fullJobs: number;
  readonly merge: MergeSize;
}

/** On two cores, a repetition takes some 8 s and a chunk 2 s. */
const FULL: FleetSize = {
  rates: { rounds: 100_000, runs: 160, repetitions: 4 },
  chunks: { rounds: 100_000, runs: 200 },
  jobs: 5000,
  fullJobs: 500,
  merge: { experiment: "suite", seeds: 10, horizon: 100 },
};

const START = 'start a server with: redis-server --port 6390 --save ""; then add --queue redis://127.0.0.1:6390';

/** Prints what a fleet costs, compared with the processes and threads that it is made of. */
export async function benchFleet(queue: string | undefined, signal: AbortSignal, size = FULL): Promise<void> {
  if (queue === undefined || queue === "") throw new Failure("ERR_USAGE", `the benchmark needs its own server; ${START}`);
  const fleet = await Fleet.open(queue).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_QUEUE")) throw error;
    throw new Failure("ERR_QUEUE", `${error.message}; ${START}`);
  });
  try {
    await requireEmpty(fleet);
    try {
      await print(await measured(queue, signal, size));
    } finally {
      // After an interruption, a worker may have given chunks back.
      for (const { hash } of (await fleet.read()).experiments) await fleet.clear(hash);
    }
  } finally {
    await fleet.close();
  }
}

/** Workers that are already there would play our chunks, and our workers would play the experiments that are already there. */
async function requireEmpty(fleet: Fleet): Promise<void> {
  const { workers, experiments, queued, active } = await fleet.read();
  if (workers.length === 0 && experiments.length === 0 && queued + active === 0) return;
  throw new Failure("ERR_QUEUE", `the server already has workers or experiments, which would disturb the figures; use an empty one, or ${START}`);
}

async function measured(queue: string, signal: AbortSignal, size: FleetSize): Promise<string> {
  const threads = availableParallelism();
  const ratios = await fleetRatios(queue, threads, size.rates, signal);
  say("chunks");
  const chunks = await chunkCost(queue, size.chunks, signal);
  const share = { name: "share of a chunk's time in which no run is played", asked: "below 0.01", measured: chunks.share };
  const rows = [...ratios, share].map(({ name, asked, measured }) => [name, asked, measured.toFixed(3)]);
  say("the queue");
  const full: QueueLoad = { jobs: size.fullJobs, bytes: Math.round(chunks.runs * chunks.bytesPerRun) };
  const speeds = [await queueSpeed(queue, { jobs: size.jobs, bytes: 0 }, signal), await queueSpeed(queue, full, signal)] as const;
  say("many short runs");
  const figures = [
    ...chunkFigures(chunks),
    ...speedFigures("jobs that return nothing", speeds[0]),
    ...speedFigures(`jobs that return ${kilobytes(full.bytes)}`, speeds[1]),
    ...mergeFigures(await mergeCost(queue, threads, size.merge, signal)),
  ];
  const tables = [formatTable(["ratio", "asked", "measured"], rows), formatTable(["figure", "measured"], figures)];
  return `Ratios within this run\n${tables[0]}\nWhat the queue and the coordinator bear\n${tables[1]}`;
}

function chunkFigures({ runs, seconds, bytesPerRun }: ChunkCost): [string, string][] {
  return [
    ["a chunk: runs", runs.toFixed(1)],
    ["a chunk: seconds", seconds.toFixed(2)],
    ["a result in the queue, 60 checkpoints", kilobytes(bytesPerRun)],
  ];
}

function speedFigures(what: string, { added, played, fetched }: QueueSpeed): [string, string][] {
  return [
    [`${what}: added per second`, count(added)],
    [`${what}: played per second by one worker`, count(played)],
    [`${what}: fetched and removed per second`, count(fetched)],
  ];
}

function mergeFigures({ runs, runsPerSecond, millisecondsPerRun, journalBytesPerRun, mergeSeconds }: MergeCost): [string, string][] {
  return [
    [`${count(runs)} short runs: per second, from the queue to the journal`, count(runsPerSecond)],
    [`${count(runs)} short runs: milliseconds of the coordinator's processor per run`, millisecondsPerRun.toFixed(3)],
    [`${count(runs)} short runs: a line of the journal, 30 checkpoints`, kilobytes(journalBytesPerRun)],
    [`${count(runs)} short runs: seconds from the last one to the report`, mergeSeconds.toFixed(1)],
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

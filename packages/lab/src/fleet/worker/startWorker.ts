import { basename } from "node:path";
import type { Worker } from "bullmq";
import type { FrozenExperiment, ImportedModule } from "../../document/experiment.js";
import { differenceIn } from "../../document/requireSameModule.js";
import type { Run } from "../../document/run.js";
import { isAsItsId } from "../../document/runs.js";
import type { RunResult } from "../../run/runResult.js";
import { type ChunkData, type ChunkResult, type PlayedRun, packResults } from "../queue/chunk.js";
import { type Engine, openEngine } from "../queue/engine.js";
import { type ChunkJob, type FleetQueues, fetchDocument, openQueues } from "../queue/fleetQueues.js";
import { otherQueues } from "../queue/otherQueues.js";
import { reasonOf, unusable } from "../queue/queueError.js";
import { CHUNKS } from "../queue/queueNames.js";
import { parseQueueUrl, type QueueUrl } from "../queue/queueUrl.js";
import { reached } from "../queue/reached.js";
import { QUEUED_STATES } from "../queue/states.js";
import { within } from "../queue/within.js";
import { workerName } from "../queue/workerName.js";
import { lostChunk } from "./lostChunk.js";
import { Refusals } from "./refusals.js";
import { requireChunk } from "./requireChunk.js";
import { requireSchema } from "./requireSchema.js";
import { Hung, ModuleChanged, Slot } from "./slot.js";

/** How a worker plays. */
export interface WorkerOptions {
  /** The number of chunks that are played at once, each in a thread of its own. */
  readonly concurrency: number;
  /** Modules that experiments may ask for. */
  readonly imports: readonly ImportedModule[];
  /** A thread that plays no round for this many seconds is considered hung, and its chunk goes to another worker. */
  readonly patience: number;
  /** Is told what happens. */
  readonly onEvent: (event: WorkerEvent) => void;
  /** Ends the wait for a server that is not there yet. */
  readonly signal?: AbortSignal;
}

/** What a worker reports. */
export type WorkerEvent =
  | { readonly event: "ready"; readonly queue: string; readonly url: string; readonly name: string; readonly concurrency: number }
  | {
      readonly event: "chunk";
      readonly chunk: string;
      readonly runs: number;
      readonly failed: number;
      readonly rounds: number;
      readonly seconds: number;
    }
  /** The chunk belongs to another worker now, and this worker's results for it are dropped. */
  | { readonly event: "lost"; readonly chunk: string; readonly reason: string }
  | { readonly event: "returned"; readonly chunk: string; readonly reason: string }
  | {
      readonly event: "health";
      readonly chunks: number;
      readonly runs: number;
      readonly roundsPerSecond: number;
      readonly active: number;
      readonly queued: number;
    }
  | { readonly event: "idle"; readonly reason: string; readonly others: readonly string[] }
  | { readonly event: "disconnected"; readonly reason: string }
  | { readonly event: "reconnected" }
  | { readonly event: "stopping"; readonly active: number };

/** A worker that runs. */
export interface FleetWorker {
  /** The number of chunks that it plays at the moment. */
  readonly active: number;
  /** Takes no more chunks, finishes those that end within 10 seconds, and returns the others. */
  stop(): Promise<void>;
}

/**
 * The lifetime of a chunk's lock, which is renewed at half of it. If a worker dies, is stopped or loses the server, its chunks may go to another
 * worker after this time.
 */
const LOCK_MS = 6000;
/** How often BullMQ looks for dead workers; a chunk changes hands at the second look. */
const STALLED_MS = 3000;
/** A chunk that has brought down this many workers is not tried again. */
const MOST_STALLS = 10;
/** How long the chunks may continue when a worker is told to stop; those that have not ended are returned. */
const GRACE_MS = 10_000;
/** How long the engine may take to close after that. */
const LETTING_GO_MS = 5000;
/** How often a worker checks the queue, and after how many checks it reports its health. */
const LOOK_MS = 5000;
const HEALTH_LOOKS = 6;
/** About how long a chunk waits for another worker if this one lacks a module that it needs. */
const REFUSED_MS = 2000;
/** The number of experiments kept in memory. */
const MOST_DOCUMENTS = 4;

/**
 * Starts a worker: a thin loop around the queue, with the simulation in separate threads, so that locks are renewed in time however long a run takes.
 */
export async function startWorker(url: string, options: WorkerOptions): Promise<FleetWorker> {
  const queueUrl = parseQueueUrl(url);
  return reached(
    async () => {
      const engine = await openEngine(queueUrl);
      const loop = new Loop(engine, await openQueues(engine), queueUrl, options);
      await loop.ready();
      // Nobody waits for it any more.
      if (options.signal?.aborted) await loop.stop();
      return loop;
    },
    (reason) => options.onEvent({ event: "disconnected", reason }),
    options.signal ?? new AbortController().signal,
  );
}

class Lost extends Error {}

class Loop implements FleetWorker {
  readonly #engine: Engine;
  readonly #url: QueueUrl;
  readonly #options: WorkerOptions;
  readonly #name: string;
  readonly #queues: FleetQueues;
  readonly #refusals: Refusals;
  readonly #worker: Worker<ChunkData, ChunkResult>;
  readonly #slots: Slot[];
  readonly #free: Slot[];
  readonly #documents = new Map<string, Promise<FrozenExperiment>>();
  /** The chunks that are being played. A chunk may appear twice, if it was given to another worker and that worker is this one again. */
  readonly #active = new Set<{ readonly id: string; readonly stop: AbortController }>();
  readonly #done = { chunks: 0, runs: 0 };
  /** What a thread found when a module was not what it was at the start; from then on the worker has no modules. */
  #changed: string | null = null;
  #down = false;
  #isLooking = false;
  #looks = 0;
  #told = { time: performance.now(), rounds: 0 };
  #idle = { since: performance.now(), told: false };
  readonly #ticker: NodeJS.Timeout;

  constructor(engine: Engine, queues: FleetQueues, url: QueueUrl, options: WorkerOptions) {
    this.#engine = engine;
    this.#queues = queues;
    this.#url = url;
    this.#options = options;
    const { concurrency, imports, patience } = options;
    this.#slots = Array.from({ length: concurrency }, () => new Slot(imports, patience));
    this.#free = [...this.#slots];
    this.#name = workerName(concurrency);
    this.#refusals = new Refusals(this.#queues, this.#name);
    this.#worker = engine.worker<ChunkData, ChunkResult>(
      CHUNKS,
      (job, token) => this.#play(job, token!),
      {
        name: this.#name,
        concurrency,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_MS,
        maxStalledCount: MOST_STALLS,
        runRetryDelay: 1000,
        drainDelay: 5,
      },
      (error) => this.#onError(error),
    );
    this.#worker.on("lockRenewalFailed", (ids) => {
      for (const { id, stop } of this.#active) if (ids.includes(id)) stop.abort(new Lost("its lock has expired"));
    });
    this.#ticker = setInterval(() => this.#look(), LOOK_MS);
  }

  get active(): number {
    return this.#active.size;
  }

  /** BullMQ's worker is of no use any more if the server goes away before it is ready. */
  async ready(): Promise<void> {
    try {
      await this.#worker.waitUntilReady();
    } catch (error) {
      clearInterval(this.#ticker);
      await this.#letGo(this.#worker.close(true));
      throw unusable(this.#url, error);
    }
    this.#tell({ event: "ready", queue: CHUNKS, url: this.#url.shown, name: this.#name, concurrency: this.#options.concurrency });
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticker);
    this.#tell({ event: "stopping", active: this.#active.size });
    // From here on the worker takes no more chunks and waits for the current ones, whose locks are still renewed.
    const closed = this.#worker.close();
    if (!(await within(closed, GRACE_MS))) for (const { stop } of this.#active) stop.abort(new Error("the worker was told to stop"));
    await this.#letGo(closed);
  }

  async #letGo(closed: Promise<void>): Promise<void> {
    if (!(await within(closed, LETTING_GO_MS))) {
      this.#engine.abandon();
      this.#worker.disconnect().catch(() => {});
    }
    if (!(await within(this.#queues.close(), LETTING_GO_MS))) this.#queues.disconnect();
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  async #play(job: ChunkJob, token: string): Promise<ChunkResult> {
    const start = performance.now();
    const slot = this.#free.pop()!;
    const stop = new AbortController();
    const chunk = { id: job.id!, stop };
    this.#active.add(chunk);
    try {
      const { hash, runs } = requireChunk(job.data);
      const frozen = await this.#document(hash);
      const other = runs.find((run) => !isAsItsId(frozen.experiment, run));
      if (other !== undefined) throw new Error(`the run ${other.id} in the queue is not what its id says: it was changed on the way`);
      const played = (await this.#playHere(slot, frozen, runs, stop)) ?? (await this.#refuse(job, token, frozen));
      this.#done.chunks++;
      this.#done.runs += runs.length;
      const failed = played.filter(({ result }) => result.status === "failed").length;
      const rounds = played.reduce((sum, each) => sum + each.rounds, 0);
      this.#tell({ event: "chunk", chunk: job.id!, runs: runs.length, failed, rounds, seconds: (performance.now() - start) / 1000 });
      return packResults(played);
    } catch (error) {
      if (error instanceof this.#engine.bullmq.DelayedError) throw error;
      const reason = this.#url.scrub(reasonOf(error));
      this.#tell({ event: error instanceof Lost ? "lost" : "returned", chunk: job.id!, reason });
      // The engine tries the chunk again after an error here.
      if (!stop.signal.aborted || error instanceof Hung) throw new Error(reason);
      if (!(error instanceof Lost)) await job.moveToWait(token);
      throw new this.#engine.bullmq.WaitingError();
    } finally {
      this.#active.delete(chunk);
      this.#free.push(slot);
      this.#idle = { since: performance.now(), told: false };
    }
  }

  /** Null if this worker does not have the experiment's modules. */
  async #playHere(slot: Slot, frozen: FrozenExperiment, runs: readonly Run[], stop: AbortController): Promise<PlayedRun[] | null> {
    if (this.#missing(frozen) !== undefined) return null;
    stop.signal.throwIfAborted();
    try {
      return await slot.play(frozen, runs, stop);
    } catch (error) {
      if (!(error instanceof ModuleChanged)) throw error;
      this.#changed = error.message;
      return null;
    }
  }

  /** The first module of an experiment that this worker does not have. */
  #missing({ imports }: FrozenExperiment): ImportedModule | undefined {
    return imports.find((wanted) => this.#changed !== null || !this.#options.imports.some((had) => had.hash === wanted.hash));
  }

  /** Delays a chunk until a worker with the modules takes it; if there is no such worker, its runs have failed. */
  async #refuse(job: ChunkJob, token: string, frozen: FrozenExperiment): Promise<PlayedRun[]> {
    const missing = this.#missing(frozen)!;
    const why = this.#changed === null ? reasonFor(missing, this.#options.imports) : `: ${this.#changed}`;
    const refusal = await this.#refusals.refuse(job.data.hash);
    if (refusal === "hopeless") return job.data.runs.map(({ id }) => ({ result: refused(id, missing, why), rounds: 0 }));
    if (refusal === "first") this.#tell({ event: "returned", chunk: job.id!, reason: `${needs(missing)}, which this worker does not have${why}` });
    // The delays differ. Otherwise this worker, which finishes with such chunks at once, would always get most of them.
    await job.moveToDelayed(Date.now() + Math.round(REFUSED_MS * (0.5 + Math.random())), token);
    throw new this.#engine.bullmq.DelayedError();
  }

  #document(hash: string): Promise<FrozenExperiment> {
    const known = this.#documents.get(hash) ?? this.#checked(hash);
    // The experiment used last comes last.
    this.#documents.delete(hash);
    this.#documents.set(hash, known);
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MOST_DOCUMENTS) this.#documents.delete(oldest!);
    known.catch(() => this.#documents.delete(hash));
    return known;
  }

  async #checked(hash: string): Promise<FrozenExperiment> {
    const frozen = await fetchDocument(this.#queues.documents, hash);
    // The schema of an experiment with modules that are not here is not known here, and it is not played here.
    if (this.#missing(frozen) === undefined) requireSchema(frozen.experiment);
    return frozen;
  }

  /** BullMQ reports both lost chunks and a lost server by this event. */
  #onError(error: Error): void {
    const chunk = lostChunk(error.message);
    if (chunk === undefined) this.#disconnected(error);
    // If the chunk is still being played, its loss is reported there.
    else if (![...this.#active].some(({ id }) => id === chunk)) this.#tell({ event: "lost", chunk, reason: this.#url.scrub(error.message) });
  }

  #disconnected(error: unknown): void {
    if (this.#down) return;
    this.#down = true;
    this.#tell({ event: "disconnected", reason: this.#url.scrub(reasonOf(error)) });
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return this.#disconnected(new Error(`no answer for ${LOOK_MS / 1000} s`));
    this.#isLooking = true;
    try {
      const counts = await this.#queues.chunks.getJobCounts(...QUEUED_STATES);
      if (this.#down) this.#tell({ event: "reconnected" });
      this.#down = false;
      const queued = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (++this.#looks % HEALTH_LOOKS === 0) this.#tellHealth(queued);
      if (this.#active.size === 0 && !this.#idle.told && performance.now() - this.#idle.since >= LOOK_MS) await this.#tellIdle();
    } catch (error) {
      this.#disconnected(error);
    } finally {
      this.#isLooking = false;
    }
  }

  #tellHealth(queued: number): void {
    const now = performance.now();
    const rounds = this.#slots.reduce((sum, slot) => sum + slot.rounds, 0);
    const roundsPerSecond = Math.round((1000 * (rounds - this.#told.rounds)) / (now - this.#told.time));
    this.#told = { time: now, rounds };
    this.#tell({ event: "health", ...this.#done, roundsPerSecond, active: this.#active.size, queued });
  }

  async #tellIdle(): Promise<void> {
    const isPaused = await this.#queues.chunks.isPaused();
    const others = await otherQueues(this.#engine, this.#queues);
    this.#idle.told = true;
    this.#tell({ event: "idle", reason: isPaused ? `${CHUNKS} is drained` : `${CHUNKS} has no chunk to play`, others });
  }

  #tell(event: WorkerEvent): void {
    this.#options.onEvent(event);
  }
}

function needs({ file, hash }: ImportedModule): string {
  return `the experiment needs the module ${file} (SHA-256 ${hash.slice(0, 8)}...)`;
}

/** What is known of the reason why a worker lacks a module. */
function reasonFor(missing: ImportedModule, imports: readonly ImportedModule[]): string {
  const namesake = imports.find(({ file }) => basename(file) === basename(missing.file));
  return namesake === undefined ? "" : `: ${differenceIn(missing, namesake)}`;
}

function refused(id: string, missing: ImportedModule, why: string): RunResult {
  const message = `${needs(missing)}, which no worker has${why}; start workers with --import and the same files`;
  return { id, status: "failed", error: { code: "ERR_IMPORT", message }, seconds: 0 };
}

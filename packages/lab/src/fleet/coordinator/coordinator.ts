import { setTimeout as pause } from "node:timers/promises";
import type { FrozenExperiment } from "../../document/experiment.js";
import type { Run } from "../../document/run.js";
import type { Listener } from "../../executors/executor.js";
import type { RunResult } from "../../run/runResult.js";
import { abortable } from "../queue/abortable.js";
import { type ChunkData, chunkId, chunkPrefix, unpackResults } from "../queue/chunk.js";
import { reasonOf, unusable } from "../queue/engine.js";
import { type DocumentJob, type DocumentProgress, type FleetQueues, storeDocument, UNAVAILABLE } from "../queue/fleetQueues.js";
import { CHUNKS } from "../queue/queueNames.js";
import type { QueueUrl } from "../queue/queueUrl.js";
import { ALL_STATES, QUEUED_STATES } from "../queue/states.js";
import { within } from "../queue/within.js";
import { workersAlive } from "../queue/workersAlive.js";
import { Chunker } from "./chunker.js";
import type { FleetListener } from "./fleetListener.js";

/** How often the queue is asked for finished chunks, in milliseconds. */
const POLL = 100;
/** How often the coordinator counts workers and says how far it is, and how often it makes sure that its chunks are still in the queue, in milliseconds. */
const LOOK = 2000;
const HEAL = 10_000;
/** A server that went away is waited for so long, in milliseconds. */
const PATIENCE = 600_000;
/** How long the queue may take to let go at the end, in milliseconds. */
const LETTING_GO = 5000;
/** So many chunks per slot of the fleet, and some more, are in the queue or being played: neither the queue nor this process hold more, however many runs wait. */
const AHEAD = 4;
/** So many of the newest finished chunks are looked through in each pass. */
const BATCH = 500;
/** What nobody has fetched is kept for so many seconds: a coordinator that comes back finds it. */
const KEEP = 86_400;
/** A chunk that fails as a whole (not a run in it) is tried so often, by BullMQ. */
const JOB = { attempts: 3, backoff: { type: "fixed", delay: 1000 }, removeOnComplete: { age: KEEP }, removeOnFail: { age: KEEP } };

interface Flying {
  readonly data: ChunkData;
  /** The runs whose results are wanted: of a chunk that was found in the queue, maybe not all. */
  readonly wanted: readonly Run[];
}

/** Hands the runs of one experiment to a fleet, and gathers what comes back. */
export class Coordinator {
  readonly #queues: FleetQueues;
  readonly #url: QueueUrl;
  readonly #frozen: FrozenExperiment;
  readonly #results: Listener;
  readonly #listener: FleetListener;
  /** Chunks in the queue or being played, by job id. */
  readonly #flying = new Map<string, Flying>();
  /** Chunks whose results have been told and that still stand in the queue. */
  readonly #told = new Set<string>();
  readonly #due = { look: 0, heal: performance.now() + HEAL };
  readonly #progress = { runs: 0, done: 0, failed: 0 };
  #rounds = 0;
  #measured = { time: performance.now(), rounds: 0 };
  #document: DocumentJob | undefined;
  #chunker: Chunker | undefined;
  #passing: Promise<void> = Promise.resolve();
  #slots = 1;
  #allGiven = false;
  /** What was last said about a fleet that does not play. */
  #complaint: string | undefined;
  #awaySince: number | undefined;
  #refusal: { readonly error: unknown } | undefined;

  constructor(queues: FleetQueues, url: QueueUrl, frozen: FrozenExperiment, results: Listener, listener: FleetListener) {
    this.#queues = queues;
    this.#url = url;
    this.#frozen = frozen;
    this.#results = results;
    this.#listener = listener;
  }

  /** Resolves when every run has been told; rejects with the signal's reason after an abort. */
  async play(runs: readonly Run[], signal: AbortSignal): Promise<void> {
    this.#progress.runs = runs.length;
    for (;;) {
      signal.throwIfAborted();
      try {
        this.#passing = this.#pass(runs);
        // A server that hangs must not hold up an abort.
        await abortable(this.#passing, signal);
        this.#awaySince = undefined;
      } catch (error) {
        signal.throwIfAborted();
        if (this.#refusal !== undefined) throw this.#refusal.error;
        this.#away(error);
      }
      if (this.#allGiven && this.#flying.size === 0) return;
      await abortable(pause(POLL), signal);
    }
  }

  /** Takes back what no worker has begun. What is being played then stays, with its document: the next coordinator finds it. */
  async close(): Promise<void> {
    const tidied =
      this.#awaySince === undefined &&
      // Not beside a pass that an abort has left alone.
      (await within(
        this.#passing.catch(() => {}).then(() => this.#tidy()),
        LETTING_GO,
      ));
    const closed = tidied && (await within(this.#queues.close(), LETTING_GO));
    if (!closed) this.#queues.disconnect();
  }

  async #pass(runs: readonly Run[]): Promise<void> {
    this.#document ??= await storeDocument(this.#queues.documents, this.#frozen);
    this.#chunker ??= new Chunker(this.#frozen.experiment, runs, await this.#adopt(runs));
    // Most finished chunks are among the newest; those that are not, behind what others left, are found at a look.
    await this.#fetch((await this.#look()) ? -1 : BATCH - 1);
    await this.#fill(this.#chunker);
    await this.#heal();
  }

  /** Chunks of this experiment that an earlier coordinator left in the queue are taken over as they are. Returns the ids of the runs in them. */
  async #adopt(runs: readonly Run[]): Promise<Set<string>> {
    const { hash } = this.#frozen;
    const ids = await this.#queues.chunks.getRanges([...ALL_STATES], 0, -1);
    const jobs = await Promise.all(ids.filter((id) => id.startsWith(chunkPrefix(hash))).map((id) => this.#queues.chunks.getJob(id)));
    const left = jobs.flatMap((job) => (job?.data.hash === hash ? [job] : []));
    const inThem = new Set(left.flatMap(({ data }) => data.runs.map(({ id }) => id)));
    const waiting = new Map(runs.flatMap((run) => (inThem.has(run.id) ? [[run.id, run] as const] : [])));
    const adopted = new Set(waiting.keys());
    for (const { id, data } of left) {
      const wanted = data.runs.flatMap((run) => waiting.get(run.id) ?? []);
      for (const run of wanted) waiting.delete(run.id);
      if (wanted.length > 0) this.#flying.set(id!, { data, wanted });
      else this.#told.add(id!);
    }
    return adopted;
  }

  /** Finished chunks: first to the listener, that is to the journal, then out of the queue. */
  async #fetch(last: number): Promise<void> {
    const { chunks } = this.#queues;
    const ids = this.#flying.size === 0 ? [] : await chunks.getRanges(["completed"], 0, last);
    for (const id of ids) {
      const flying = this.#flying.get(id);
      const job = flying && (await chunks.getJob(id));
      if (!job) continue;
      const played = unpackResults(job.returnvalue);
      const wanted = new Map(flying.wanted.map((run) => [run.id, run]));
      for (const { result, rounds } of played) {
        const run = wanted.get(result.id);
        if (run === undefined) continue;
        if (result.status === "completed") this.#chunker!.learn(run, result.seconds);
        this.#tell(result, rounds);
      }
      // Not before: what a full disk kept out of the journal stays in the queue.
      this.#flying.delete(id);
      this.#told.add(id);
    }
    for (const id of this.#told) {
      await chunks.remove(id);
      this.#told.delete(id);
    }
  }

  #tell(result: RunResult, rounds: number): void {
    this.#rounds += rounds;
    this.#progress.done++;
    if (result.status === "failed") this.#progress.failed++;
    try {
      if (rounds > 0) this.#results.onRounds(rounds);
      this.#results.onResult(result);
    } catch (error) {
      this.#refusal = { error };
      throw error;
    }
  }

  async #fill(chunker: Chunker): Promise<void> {
    const added: ChunkData[] = [];
    const room = AHEAD * (this.#slots + 1);
    while (!this.#allGiven && this.#flying.size + added.length < room) {
      const runs = chunker.next(this.#slots);
      if (runs.length === 0) this.#allGiven = true;
      else added.push({ hash: this.#frozen.hash, runs });
    }
    await this.#add(added);
  }

  async #add(added: readonly ChunkData[]): Promise<void> {
    if (added.length === 0) return;
    // Noted first: what does not reach the queue now is found missing later.
    for (const data of added) this.#flying.set(chunkId(data), { data, wanted: data.runs });
    await this.#send(added.map((data) => [chunkId(data), data]));
  }

  async #send(added: readonly (readonly [id: string, data: ChunkData])[]): Promise<void> {
    const { name } = this.#frozen.experiment;
    await this.#queues.chunks.addBulk(added.map(([jobId, data]) => ({ name, data, opts: { ...JOB, jobId } })));
  }

  /** What is neither in the queue nor told has been lost with a server, or was cleared: it is added again, which changes nothing for the rest. */
  async #heal(): Promise<void> {
    if (performance.now() < this.#due.heal) return;
    const { chunks, documents } = this.#queues;
    if ((await documents.getJobState(this.#frozen.hash)) === "unknown") this.#document = await storeDocument(documents, this.#frozen);
    const present = new Set(await chunks.getRanges([...ALL_STATES], 0, -1));
    const lost = [...this.#flying].filter(([id]) => !present.has(id));
    if (lost.length > 0) await this.#send(lost.map(([id, { data }]) => [id, data]));
    this.#due.heal = performance.now() + HEAL;
  }

  /** Returns whether it was time for it. */
  async #look(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#due.look) return false;
    const members = await workersAlive(this.#queues);
    const slots = members.reduce((sum, { concurrency }) => sum + concurrency, 0);
    this.#slots = Math.max(1, slots);
    this.#listener.onWorkers?.(members.length, slots);
    const drained = await this.#queues.chunks.isPaused();
    const { shown } = this.#url;
    if (drained) this.#complain(`the queue ${CHUNKS} at ${shown} is drained; let it go on with: npx tsallis fleet resume --queue ${shown}`);
    else if (members.length === 0)
      this.#complain(`no worker listens to ${CHUNKS}; start one, on any machine, with: npx tsallis worker --queue ${shown}`);
    else this.#complaint = undefined;
    await this.#split();
    const roundsPerSecond = Math.round((1000 * (this.#rounds - this.#measured.rounds)) / (now - this.#measured.time));
    this.#measured = { time: now, rounds: this.#rounds };
    // A document that was cleared comes back when the chunks do.
    await this.#document!.updateProgress({ ...this.#progress, roundsPerSecond, time: Date.now() } satisfies DocumentProgress).catch(() => {
      this.#due.heal = 0;
    });
    this.#due.look = performance.now() + LOOK;
    return true;
  }

  /**
   * A chunk that failed as a whole is tried again run by run: only the run that does it again has failed. One that no worker could begin, as its
   * document was not there, goes back as it is.
   */
  async #split(): Promise<void> {
    const { chunks } = this.#queues;
    for (const id of await chunks.getRanges(["failed"], 0, -1)) {
      const flying = this.#flying.get(id);
      const job = flying && (await chunks.getJob(id));
      if (!job) continue;
      await chunks.remove(id);
      // Not there any more: added again, after the document, if that is missing too.
      this.#due.heal = 0;
      if (job.failedReason.startsWith(UNAVAILABLE)) continue;
      this.#flying.delete(id);
      if (flying.data.runs.length > 1) await this.#add(flying.wanted.map((run) => ({ hash: this.#frozen.hash, runs: [run] })));
      else
        this.#tell({ id: flying.wanted[0]!.id, status: "failed", error: { code: null, message: this.#url.scrub(job.failedReason) }, seconds: 0 }, 0);
    }
  }

  #complain(text: string): void {
    if (text !== this.#complaint) this.#listener.onNotice?.(text);
    this.#complaint = text;
  }

  #away(error: unknown): void {
    // A bug, not a server.
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError) throw error;
    const reason = this.#url.scrub(reasonOf(error));
    const now = performance.now();
    this.#awaySince ??= now;
    if (now - this.#awaySince > PATIENCE) throw unusable(this.#url.shown, reason);
    this.#complain(`the queue at ${this.#url.shown} does not answer (${reason}); waiting for it`);
    this.#due.heal = 0;
  }

  async #tidy(): Promise<void> {
    const { chunks, documents } = this.#queues;
    for (const id of this.#told) await chunks.remove(id);
    const queued = this.#flying.size === 0 ? [] : await chunks.getRanges([...QUEUED_STATES], 0, -1);
    for (const id of queued) if (this.#flying.has(id)) await chunks.remove(id);
    // Chunks that are being played, or another coordinator's, still need the document.
    const left = await chunks.getRanges([...ALL_STATES], 0, -1);
    if (!left.some((id) => id.startsWith(chunkPrefix(this.#frozen.hash)))) await documents.remove(this.#frozen.hash);
  }
}

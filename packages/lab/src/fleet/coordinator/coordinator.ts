import { setTimeout as pause } from "node:timers/promises";
import type { FrozenExperiment } from "../../document/experiment.js";
import type { Run } from "../../document/run.js";
import { horizonOf } from "../../document/runs.js";
import type { Listener } from "../../executors/executor.js";
import { resultProblem } from "../../run/resultProblem.js";
import type { RunResult } from "../../run/runResult.js";
import { abortable } from "../queue/abortable.js";
import { type ChunkData, chunkId, chunkPrefix, unpackResults } from "../queue/chunk.js";
import { type DocumentJob, type DocumentProgress, type FleetQueues, storeDocument, UNAVAILABLE } from "../queue/fleetQueues.js";
import { unusable } from "../queue/queueError.js";
import { CHUNKS } from "../queue/queueNames.js";
import type { QueueUrl } from "../queue/queueUrl.js";
import { PATIENCE_MS } from "../queue/reached.js";
import { ALL_STATES, BEGUN_STATES, QUEUED_STATES } from "../queue/states.js";
import { within } from "../queue/within.js";
import { workersAlive } from "../queue/workersAlive.js";
import { Chunker } from "./chunker.js";
import type { FleetListener } from "./fleetListener.js";
import { dataIn, isSameRun, type StoredChunk, storedChunk } from "./storedChunk.js";

/** How often the coordinator asks the queue for finished chunks. */
const POLL_MS = 100;
/** How often the coordinator counts workers and reports progress (LOOK_MS), and checks that its chunks are still in the queue (HEAL_MS). */
const LOOK_MS = 2000;
const HEAL_MS = 10_000;
/** A pass that takes this long means that the server hangs. */
const HANGING_MS = 30_000;
/** How long the queue may take to close. */
const LETTING_GO_MS = 5000;
/**
 * At most this many chunks per slot of the fleet, and a few more, are queued or being played. Neither the queue nor this process holds more, however
 * many runs wait.
 */
const AHEAD = 4;
/** The number of newest finished chunks that each pass looks through. */
const BATCH = 500;
/** How long the queue keeps results that nobody has fetched, so that a restarted coordinator finds them. */
const KEEP_SECONDS = 86_400;
/** BullMQ tries a chunk that fails as a whole (not a run in it) this often. */
const JOB = { attempts: 3, backoff: { type: "fixed", delay: 1000 }, removeOnComplete: { age: KEEP_SECONDS }, removeOnFail: { age: KEEP_SECONDS } };

/** A run is played at most this often if what comes back for it is no result of it. */
const MOST_ANSWERS = 3;
/** How much of what comes from a worker is quoted. */
const QUOTED = 200;

interface Flying {
  readonly data: ChunkData;
  /** The runs whose results are wanted, which may be only some of an adopted chunk. */
  readonly wanted: readonly Run[];
}

/** Hands the runs of one experiment to a fleet and collects the results. */
export class Coordinator {
  readonly #queues: FleetQueues;
  readonly #url: QueueUrl;
  readonly #frozen: FrozenExperiment;
  readonly #results: Listener;
  readonly #listener: FleetListener;
  /** Chunks that are queued or being played, by job id. */
  readonly #flying = new Map<string, Flying>();
  /** Chunks whose results have been reported but that are still in the queue. */
  readonly #told = new Set<string>();
  readonly #due = { look: 0, heal: performance.now() + HEAL_MS };
  readonly #progress = { runs: 0, done: 0, failed: 0 };
  /** How often something else than its result came back for a run, by its id. */
  readonly #invalid = new Map<string, number>();
  /** The workers whose answers have been complained about. */
  readonly #suspects = new Set<string>();
  #rounds = 0;
  #measured = { time: performance.now(), rounds: 0 };
  #document: DocumentJob | undefined;
  #chunker: Chunker | undefined;
  #passing: Promise<void> = Promise.resolve();
  #slots = 1;
  #allGiven = false;
  /** The last notice about a fleet that does not play. */
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

  /** Resolves when every result has been reported; rejects with the signal's reason after an abort. */
  async play(runs: readonly Run[], signal: AbortSignal): Promise<void> {
    this.#progress.runs = runs.length;
    for (;;) {
      signal.throwIfAborted();
      try {
        this.#passing = this.#pass(runs);
        // A server that hangs must not delay an abort.
        if (!(await abortable(within(this.#passing, HANGING_MS), signal))) this.#silent(`no answer for ${HANGING_MS / 1000} s`);
        await abortable(this.#passing, signal);
        this.#awaySince = undefined;
        this.#listener.onServer?.(true);
      } catch (error) {
        signal.throwIfAborted();
        if (this.#refusal !== undefined) throw this.#refusal.error;
        this.#away(error);
      }
      if (this.#allGiven && this.#flying.size === 0) return;
      await abortable(pause(POLL_MS), signal);
    }
  }

  /** Removes the chunks that no worker has begun. Chunks that are being played stay, with their document, for the next coordinator. */
  async close(): Promise<void> {
    const tidied =
      this.#awaySince === undefined &&
      // Waits for a pass that an abort left running, so that the two do not overlap.
      (await within(
        this.#passing.catch(() => {}).then(() => this.#tidy()),
        LETTING_GO_MS,
      ));
    const closed = tidied && (await within(this.#queues.close(), LETTING_GO_MS));
    if (!closed) this.#queues.disconnect();
  }

  async #pass(runs: readonly Run[]): Promise<void> {
    this.#document ??= await storeDocument(this.#queues.documents, this.#frozen);
    this.#chunker ??= new Chunker(this.#frozen.experiment, runs, await this.#adopt(runs));
    // Most finished chunks are among the newest. Those behind the leftovers of others are found at the next look.
    await this.#fetch((await this.#look()) ? -1 : BATCH - 1);
    await this.#fill(this.#chunker);
    await this.#heal();
  }

  /** Takes over the chunks of this experiment that an earlier coordinator left in the queue. Returns the ids of their runs. */
  async #adopt(runs: readonly Run[]): Promise<Set<string>> {
    const { hash } = this.#frozen;
    const ids = await this.#queues.chunks.getRanges([...ALL_STATES], 0, -1);
    const mine = ids.filter((id) => id.startsWith(chunkPrefix(hash)));
    const left = await Promise.all(mine.map(async (id) => ({ id, data: dataIn(await storedChunk(this.#queues.chunks, id), hash) })));
    const inThem = new Set(left.flatMap(({ data }) => data.runs.map(({ id }) => id)));
    const waiting = new Map(runs.flatMap((run) => (inThem.has(run.id) ? [[run.id, run] as const] : [])));
    const adopted = new Set<string>();
    for (const { id, data } of left) {
      const wanted = [...new Set(data.runs.flatMap((run) => waiting.get(run.id) ?? []))];
      // Workers must play what this coordinator would have asked for.
      const isWhole = chunkId(data) === id && data.runs.every((run) => !waiting.has(run.id) || isSameRun(run, waiting.get(run.id)!));
      if (wanted.length === 0 || !isWhole) {
        this.#told.add(id);
        continue;
      }
      for (const run of wanted) {
        waiting.delete(run.id);
        adopted.add(run.id);
      }
      this.#flying.set(id, { data, wanted });
    }
    return adopted;
  }

  /** Passes finished chunks to the listener, which writes them to the journal, and then removes them from the queue. */
  async #fetch(last: number): Promise<void> {
    const { chunks } = this.#queues;
    const ids = this.#flying.size === 0 ? [] : await chunks.getRanges(["completed"], 0, last);
    for (const id of ids) {
      const flying = this.#told.has(id) ? undefined : this.#flying.get(id);
      const job = flying && (await storedChunk(chunks, id));
      if (!job) continue;
      const invalid = this.#take(flying, job);
      // Only now, so that results which a full disk kept out of the journal stay in the queue.
      this.#flying.delete(id);
      this.#told.add(id);
      for (const [run, problem] of invalid) this.#again(run, problem, job);
    }
    for (const id of this.#told) {
      await chunks.remove(id);
      this.#told.delete(id);
    }
  }

  /** Reports what a worker has answered for the wanted runs of a chunk. Returns the runs for which that is no result, with the reason. */
  #take({ data, wanted }: Flying, { returnvalue }: StoredChunk): [run: Run, problem: string][] {
    const { experiment } = this.#frozen;
    const answers = unpackResults(returnvalue, data.runs.length);
    const places = new Map(data.runs.map(({ id }, i) => [id, i]));
    const invalid: [Run, string][] = [];
    for (const run of wanted) {
      const answer = answers?.[places.get(run.id)!];
      const problem = answer === undefined ? "the answer does not have one result for each run" : resultProblem(experiment, run, answer.result);
      if (problem !== null) {
        invalid.push([run, problem]);
        continue;
      }
      const result = answer!.result as RunResult;
      if (result.status === "completed") this.#chunker!.learn(run, result.seconds);
      // Only the progress that is shown depends on it.
      const rounds = Math.min(Math.max(Math.trunc(Number(answer!.rounds)) || 0, 0), horizonOf(experiment, run));
      this.#tell(result, rounds);
    }
    return invalid;
  }

  /** Puts a run back whose result is missing or invalid; the last time it fails, with what was wrong and whose answer it was. */
  #again(run: Run, problem: string, { processedBy }: StoredChunk): void {
    const worker = processedBy === undefined ? "a worker without a name" : `worker ${processedBy.slice(0, QUOTED)}`;
    const what = this.#url.scrub(`${worker} gave no result of it: ${problem.slice(0, QUOTED)}`);
    const times = (this.#invalid.get(run.id) ?? 0) + 1;
    this.#listener.onInvalid?.();
    if (times >= MOST_ANSWERS) {
      this.#invalid.delete(run.id);
      this.#tell({ id: run.id, status: "failed", error: { code: null, message: `${what}; tried ${times} times` }, seconds: 0 }, 0);
      return;
    }
    this.#invalid.set(run.id, times);
    this.#fly({ hash: this.#frozen.hash, runs: [run] });
    // The chunk that it was in is removed first: it may have the same id.
    this.#due.heal = 0;
    if (this.#suspects.has(worker)) return;
    this.#suspects.add(worker);
    this.#listener.onNotice?.(`${run.id} is played again: ${what}; more of this worker is not reported`);
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
    // Recorded first, so that chunks which do not reach the queue now are found missing later.
    for (const data of added) this.#fly(data);
    await this.#send(added.map((data) => [chunkId(data), data]));
  }

  #fly(data: ChunkData): void {
    this.#flying.set(chunkId(data), { data, wanted: data.runs });
  }

  async #send(added: readonly (readonly [id: string, data: ChunkData])[]): Promise<void> {
    const { name } = this.#frozen.experiment;
    await this.#queues.chunks.addBulk(added.map(([jobId, data]) => ({ name, data, opts: { ...JOB, jobId } })));
  }

  /** A chunk that is neither in the queue nor reported was cleared, or lost with its server. It is added again, which does not affect the others. */
  async #heal(): Promise<void> {
    if (performance.now() < this.#due.heal) return;
    const { chunks, documents } = this.#queues;
    if ((await documents.getJobState(this.#frozen.hash)) === "unknown") this.#document = await storeDocument(documents, this.#frozen);
    const present = new Set(await chunks.getRanges([...ALL_STATES], 0, -1));
    const lost = [...this.#flying].filter(([id]) => !present.has(id));
    if (lost.length > 0) await this.#send(lost.map(([id, { data }]) => [id, data]));
    this.#due.heal = performance.now() + HEAL_MS;
  }

  /** Returns whether a look was due. */
  async #look(): Promise<boolean> {
    const now = performance.now();
    if (now < this.#due.look) return false;
    const members = await workersAlive(this.#queues);
    const slots = members.reduce((sum, { concurrency }) => sum + concurrency, 0);
    this.#slots = Math.max(1, slots);
    this.#listener.onWorkers?.(members.length, slots);
    const drained = await this.#queues.chunks.isPaused();
    const { shown, word } = this.#url;
    if (drained) this.#complain(`the queue ${CHUNKS} at ${shown} is drained; resume it with: npx tsallis fleet resume --queue ${word}`);
    else if (members.length === 0)
      this.#complain(`no worker listens to ${CHUNKS}; start one, on any machine, with: npx tsallis worker --queue ${word}`);
    else this.#complaint = undefined;
    await this.#split();
    const roundsPerSecond = Math.round((1000 * (this.#rounds - this.#measured.rounds)) / (now - this.#measured.time));
    this.#measured = { time: now, rounds: this.#rounds };
    // A document that was cleared is stored again together with the chunks.
    await this.#document!.updateProgress({ ...this.#progress, roundsPerSecond, time: Date.now() } satisfies DocumentProgress).catch(() => {
      this.#due.heal = 0;
    });
    this.#due.look = performance.now() + LOOK_MS;
    return true;
  }

  /**
   * Tries a chunk that failed as a whole again, run by run, so that only the run that fails again counts as failed. A chunk whose document was
   * missing, so that no worker could begin it, goes back unchanged.
   */
  async #split(): Promise<void> {
    const { chunks } = this.#queues;
    for (const id of await chunks.getRanges(["failed"], 0, -1)) {
      const flying = this.#flying.get(id);
      const job = flying && (await storedChunk(chunks, id));
      if (!job) continue;
      await chunks.remove(id);
      // The chunk is gone now: heal adds it again, after the document if that is missing too.
      this.#due.heal = 0;
      const reason = String(job.failedReason);
      if (reason.startsWith(UNAVAILABLE)) continue;
      this.#flying.delete(id);
      if (flying.data.runs.length > 1) await this.#add(flying.wanted.map((run) => ({ hash: this.#frozen.hash, runs: [run] })));
      else this.#tell({ id: flying.wanted[0]!.id, status: "failed", error: { code: null, message: this.#url.scrub(reason) }, seconds: 0 }, 0);
    }
  }

  #complain(text: string): void {
    if (text !== this.#complaint) this.#listener.onNotice?.(text);
    this.#complaint = text;
  }

  #away(error: unknown): void {
    // These errors are bugs, not problems of the server.
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError) throw error;
    const failure = unusable(this.#url, error);
    const now = performance.now();
    this.#awaySince ??= now;
    if (failure.isFinal || now - this.#awaySince > PATIENCE_MS) throw failure;
    this.#silent(failure.reason);
    this.#due.heal = 0;
  }

  #silent(reason: string): void {
    this.#listener.onServer?.(false);
    this.#complain(`the queue at ${this.#url.shown} does not answer (${reason}); waiting for the server`);
  }

  async #tidy(): Promise<void> {
    const { chunks, documents } = this.#queues;
    for (const id of this.#told) await chunks.remove(id);
    const queued = this.#flying.size === 0 ? [] : await chunks.getRanges([...QUEUED_STATES], 0, -1);
    for (const id of queued) if (this.#flying.has(id) && (await this.#isQueued(id))) await chunks.remove(id);
    // Chunks that are being played, or that belong to another coordinator, still need the document.
    const left = await chunks.getRanges([...ALL_STATES], 0, -1);
    if (!left.some((id) => id.startsWith(chunkPrefix(this.#frozen.hash)))) await documents.remove(this.#frozen.hash);
  }

  /**
   * Asked right before a chunk is removed: since it was listed, a worker may have played it, and its results would go with it. BullMQ cannot do both at
   * once: what is taken and finished in between, within one call to the queue, is played again.
   */
  async #isQueued(id: string): Promise<boolean> {
    const state = await this.#queues.chunks.getJobState(id);
    return !BEGUN_STATES.some((begun) => begun === state);
  }
}

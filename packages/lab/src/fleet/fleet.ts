import { chunkPrefix } from "./queue/chunk.js";
import { type Engine, openEngine } from "./queue/engine.js";
import { type DocumentProgress, type FleetQueues, openQueues } from "./queue/fleetQueues.js";
import { otherQueues } from "./queue/otherQueues.js";
import { unusable } from "./queue/queueError.js";
import { CHUNKS } from "./queue/queueNames.js";
import { parseQueueUrl, type QueueUrl } from "./queue/queueUrl.js";
import { ALL_STATES, QUEUED_STATES } from "./queue/states.js";
import { within } from "./queue/within.js";
import type { FleetMember } from "./queue/workerName.js";
import { workersAlive } from "./queue/workersAlive.js";

/** How long the server may take to close the connection. */
const LETTING_GO_MS = 2000;

/** The state of a fleet. */
export interface FleetState {
  readonly queue: string;
  /** Without credentials. */
  readonly url: string;
  /** Whether the queue is drained, so that workers take no more chunks. */
  readonly drained: boolean;
  readonly workers: readonly FleetMemberState[];
  /** The numbers of chunks that wait, that are being played, and that failed as a whole and have not been examined yet. */
  readonly queued: number;
  readonly active: number;
  readonly failed: number;
  readonly experiments: readonly FleetExperiment[];
  /** Queues of other versions on the same server. */
  readonly others: readonly string[];
}

/** A worker of the fleet, as it is now. */
export interface FleetMemberState extends FleetMember {
  /** The ids of the chunks that it plays. */
  readonly chunks: readonly string[];
}

/** An experiment in the queue, as last reported by its coordinator. */
export interface FleetExperiment {
  readonly name: string;
  readonly hash: string;
  readonly queued: number;
  readonly active: number;
  /** Null if its coordinator has not reported yet. */
  readonly progress: FleetProgress | null;
}

/** How far an experiment is, as its coordinator last reported. */
export interface FleetProgress {
  /** Counted since the coordinator's last start. */
  readonly runs: number;
  readonly done: number;
  readonly failed: number;
  readonly roundsPerSecond: number;
  /** Seconds since the report; a live coordinator reports every 2 seconds. */
  readonly age: number;
}

/** The operator's side of a fleet. */
export class Fleet {
  readonly #engine: Engine;
  readonly #queues: FleetQueues;
  readonly #url: QueueUrl;

  private constructor(engine: Engine, queues: FleetQueues, url: QueueUrl) {
    this.#engine = engine;
    this.#queues = queues;
    this.#url = url;
  }

  /** Connects to the queue at a URL. */
  static async open(url: string): Promise<Fleet> {
    const queueUrl = parseQueueUrl(url);
    const engine = await openEngine(queueUrl);
    return new Fleet(engine, await openQueues(engine), queueUrl);
  }

  /** The workers, the experiments and the chunks as they are now. */
  read(): Promise<FleetState> {
    return this.#asked(() => this.#read());
  }

  /** Lets workers finish their chunks and take no more until `resume`. */
  drain(): Promise<void> {
    return this.#asked(() => this.#queues.chunks.pause());
  }

  /** Lets workers take chunks again after `pause`. */
  resume(): Promise<void> {
    return this.#asked(() => this.#queues.chunks.resume());
  }

  /** Removes an experiment, named by the beginning of its hash, from the queue; chunks that are being played cannot be removed. `known`: whether the queue had anything of it. */
  clear(hash: string): Promise<{ readonly removed: number; readonly active: number; readonly known: boolean }> {
    return this.#asked(() => this.#clear(hash));
  }

  /** Lets go of the queue; what is in it stays. */
  async close(): Promise<void> {
    if (!(await within(this.#queues.close(), LETTING_GO_MS))) this.#queues.disconnect();
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw unusable(this.#url, error);
    }
  }

  async #read(): Promise<FleetState> {
    const { chunks, documents } = this.#queues;
    const [members, queuedIds, activeIds, counts, drained, others, stored] = await Promise.all([
      workersAlive(this.#queues),
      chunks.getRanges([...QUEUED_STATES], 0, -1),
      chunks.getRanges(["active"], 0, -1),
      chunks.getJobCounts("failed"),
      chunks.isPaused(),
      otherQueues(this.#engine, this.#queues),
      documents.getJobs(["wait"], 0, -1, true),
    ]);
    const playing = await Promise.all(activeIds.map(async (id) => ({ id, by: (await chunks.getJob(id))?.processedBy })));
    const workers = members.map((member) => ({ ...member, chunks: playing.filter(({ by }) => by === member.name).map(({ id }) => id) }));
    const experiments = stored.map(({ id, name, progress }) => {
      const ofIt = (ids: readonly string[]) => ids.filter((chunk) => chunk.startsWith(chunkPrefix(id!))).length;
      return { name, hash: id!, queued: ofIt(queuedIds), active: ofIt(activeIds), progress: progressOf(progress) };
    });
    return {
      queue: CHUNKS,
      url: this.#url.shown,
      drained,
      workers,
      queued: queuedIds.length,
      active: activeIds.length,
      failed: counts.failed ?? 0,
      experiments,
      others,
    };
  }

  async #clear(hash: string): Promise<{ removed: number; active: number; known: boolean }> {
    const { chunks, documents } = this.#queues;
    const [ids, stored] = await Promise.all([chunks.getRanges([...ALL_STATES], 0, -1), documents.getRanges(["wait"], 0, -1)]);
    const mine = ids.filter((id) => id.startsWith(hash.slice(0, chunkPrefix(hash).length - 1)));
    let removed = 0;
    for (const id of mine) removed += await chunks.remove(id);
    const documented = stored.filter((id) => id.startsWith(hash));
    for (const id of documented) await documents.remove(id);
    return { removed, active: mine.length - removed, known: mine.length + documented.length > 0 };
  }
}

/** Null if it is not what a coordinator reports: anybody who reaches the queue may have put something else there. */
function progressOf(told: unknown): FleetProgress | null {
  const { runs, done, failed, roundsPerSecond, time } = (told ?? {}) as Partial<DocumentProgress>;
  if (![runs, done, failed, roundsPerSecond, time].every(Number.isFinite)) return null;
  const age = Math.max(0, Math.round((Date.now() - time!) / 1000));
  return { runs: runs!, done: done!, failed: failed!, roundsPerSecond: roundsPerSecond!, age };
}

import type { FleetQueues } from "../queue/fleetQueues.js";
import { workersAlive } from "../queue/workersAlive.js";

/** When no worker that lives could have a module, one is hoped for so long, in milliseconds: some may just be starting. */
const HOPE = 10_000;

/**
 * Experiments whose modules a worker does not have. It signs their documents; that nobody has the modules is known when all workers that live have
 * signed. How often or how long a chunk was refused would not tell: those that have the modules may be busy with long runs.
 */
export class Refusals {
  readonly #queues: FleetQueues;
  readonly #name: string;
  /** When somebody might have had the modules, by the hash of the experiment. */
  readonly #hoped = new Map<string, number>();

  constructor(queues: FleetQueues, name: string) {
    this.#queues = queues;
    this.#name = name;
  }

  async refuse(hash: string): Promise<"first" | "again" | "hopeless"> {
    const { documents } = this.#queues;
    const { logs } = await documents.getJobLogs(hash);
    const isFirst = !logs.includes(this.#name);
    const alive = await workersAlive(this.#queues);
    const now = performance.now();
    if (isFirst || alive.some(({ name }) => !logs.includes(name))) this.#hoped.set(hash, now);
    // PostgreSQL refuses one of two that sign at the same time: it does so at the next chunk.
    if (isFirst) await documents.addJobLog(hash, this.#name).catch(() => {});
    if (now - this.#hoped.get(hash)! >= HOPE) return "hopeless";
    return isFirst ? "first" : "again";
  }
}

import type { FleetQueues } from "../queue/fleetQueues.js";
import { workersAlive } from "../queue/workersAlive.js";

/** How long to hope for a worker with the module when no live worker can have it, because a worker may just be starting. */
const HOPE_MS = 10_000;

/**
 * Experiments whose modules a worker does not have. The worker signs their documents. When all live workers have signed, nobody has the modules. The
 * number or duration of refusals would not show that, because the workers with the modules may be busy with long runs.
 */
export class Refusals {
  readonly #queues: FleetQueues;
  readonly #name: string;
  /** The last time at which some worker might have had the modules, by the hash of the experiment. */
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
    // PostgreSQL refuses one of two simultaneous signatures; that worker signs at the next chunk.
    if (isFirst) await documents.addJobLog(hash, this.#name).catch(() => {});
    if (now - this.#hoped.get(hash)! >= HOPE_MS) return "hopeless";
    return isFirst ? "first" : "again";
  }
}

import type { Engine } from "./engine.js";
import type { FleetQueues } from "./fleetQueues.js";
import { CHUNKS, isChunksQueue, QUEUE_PREFIX } from "./queueNames.js";

/** The queues of other versions on the same server. BullMQ cannot list queues, so each engine is queried in its own way. */
export async function otherQueues({ bullmq }: Engine, { chunks }: FleetQueues): Promise<string[]> {
  const backend: unknown = chunks.getBackend();
  const names: string[] = [];
  if (backend instanceof bullmq.PostgresQueueBackend) {
    const { rows } = await backend.connection.pool.query<{ queue: string }>("SELECT DISTINCT queue FROM meta");
    names.push(...rows.map(({ queue }) => queue));
  } else {
    const client = await chunks.getBackend().client;
    const pattern = `${chunks.toKey("meta").replace(CHUNKS, `${QUEUE_PREFIX}*`)}`;
    for await (const keys of client.scanStream({ match: pattern, count: 1000 })) {
      names.push(...(keys as string[]).map((key) => key.split(":").at(-2)!));
    }
  }
  return [...new Set(names)].filter((name) => isChunksQueue(name) && name !== CHUNKS).sort();
}

import type { FleetQueues } from "./fleetQueues.js";
import { type FleetMember, parseWorkerName } from "./workerName.js";

/** The connected workers, from BullMQ's list of the server's connections. */
export async function workersAlive({ chunks }: FleetQueues): Promise<FleetMember[]> {
  const clients = await chunks.getWorkers();
  // Redis lists the connections to all of its databases. PostgreSQL has no such client and lists one database.
  const redis = (await chunks.getBackend().client) as { readonly options: { readonly db?: number } } | undefined;
  const database = redis && String(redis.options.db ?? 0);
  const members = clients.flatMap((client) => {
    if (client.db !== database) return [];
    const name = (client.rawname ?? client.name ?? "").split(":w:").at(-1)!;
    const parsed = parseWorkerName(name);
    return parsed === undefined ? [] : [{ name, ...parsed }];
  });
  // A worker has more than one connection on some engines.
  return [...new Map(members.map((member) => [member.name, member])).values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

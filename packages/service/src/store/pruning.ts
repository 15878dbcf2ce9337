import { ServiceError } from "../serviceError.js";
import type { BanditStore } from "./store.js";

/** Events that are deleted in one transaction, and the pause after it in which others can write: a log may have millions, and writers wait some seconds only. */
export const PRUNE = { events: 10_000, pauseMs: 50 } as const;

/** What is pruned is gone, so that the last event that goes must be the one that the caller means. */
export async function requirePrunable(store: BanditStore, bandit: number, upTo: number, hash: string): Promise<void> {
  const [event] = await store.events(bandit, upTo - 1, 1);
  if (event?.seq === upTo && event.hash === hash) return;
  throw new ServiceError("ERR_PRUNE", `the log of bandit number ${bandit} has no event ${upTo} with the hash ${hash}, so nothing was pruned`);
}

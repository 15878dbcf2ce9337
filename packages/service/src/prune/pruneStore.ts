import { rm } from "node:fs/promises";
import { loadBandit } from "../bandit/loadBandit.js";
import type { ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredBandit } from "../store/store.js";
import { exportLogs, type LogPart } from "./exportLogs.js";
import { prunableUpTo } from "./prunableUpTo.js";
import { verifyExport } from "./verifyExport.js";

/** What is pruned, and where it goes. */
export interface PruneOptions {
  /** Events before this go, in milliseconds since 1970. */
  readonly before: number;
  /** A new file that takes them, compressed if its name ends in .gz. */
  readonly file: string;
  /** Only this one. */
  readonly bandit?: string | undefined;
  /** Is told what is done, and how many events were done, or are. */
  readonly onProgress?: (what: "exported" | "verified" | "being deleted", events: number) => void;
  /** The clock, in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** What was pruned of a bandit. */
export interface Pruned {
  readonly name: string;
  readonly events: number;
  /** The last event that is gone. */
  readonly upTo: number;
  readonly hash: string;
  /** Whether the file holds the log from its first event on, so that every decision in it was recomputed. Otherwise the chain was followed. */
  readonly recomputed: boolean;
  /** The events that stay. */
  readonly kept: number;
}

/** For this long after its window, an id is remembered. */
const REMEMBERED_MS = 30 * 86_400_000;
const CHUNK = 10_000;

/**
 * Moves the old events of logs into a file. They are written, read back and verified before anything is deleted. Nothing is deleted that a bandit needs to go on.
 * Returns what was pruned; if there is nothing to prune, no file is written.
 */
export async function pruneStore(store: Store, { before, file, bandit, onProgress, now = Date.now }: PruneOptions): Promise<Pruned[]> {
  const rows = (await store.bandits()).filter(({ name }) => bandit === undefined || name === bandit).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.length === 0 && bandit !== undefined) {
    throw new ServiceError("ERR_UNKNOWN_BANDIT", `${store.name} has no bandit ${bandit}`, { parameter: "bandit" });
  }
  for (const row of rows) await requireOld(store, row, before, now());
  const parts: LogPart[] = [];
  for (const row of rows) {
    const last = await lastBefore(store, row, before);
    if (last !== null) parts.push({ row, upTo: last.seq, hash: last.hash });
  }
  if (parts.length === 0) return [];
  await exportLogs(store, parts, file, (events) => onProgress?.("exported", events));
  try {
    await verifyExport(file, parts, (events) => onProgress?.("verified", events));
  } catch (error) {
    // The store still has everything that the file has.
    await rm(file, { force: true });
    throw error;
  }
  const pruned: Pruned[] = [];
  for (const { row, upTo, hash } of parts) {
    onProgress?.("being deleted", upTo - row.prunedSeq);
    await store.prune(row.id, upTo, hash);
    pruned.push({ name: row.name, events: upTo - row.prunedSeq, upTo, hash, recomputed: row.prunedSeq === 0, kept: row.seq - upTo });
  }
  return pruned;
}

/** Feedback may come until the window ends, and a client may ask again for a while after that. */
async function requireOld(store: Store, row: StoredBandit, before: number, now: number): Promise<void> {
  const { state } = await loadBandit(store, row);
  const latest = now - state.windowSeconds * 1000 - REMEMBERED_MS;
  if (before <= latest) return;
  const message = `${row.name} has a window of ${state.windowSeconds} s, and an id is remembered for 30 days more; the latest date that may be given now is ${new Date(latest).toISOString().slice(0, 19)}Z`;
  throw new ServiceError("ERR_PRUNE", message, { parameter: "before" });
}

/** The last event that may go: it and all before it are older than the date, and nobody needs them. */
async function lastBefore(store: Store, row: StoredBandit, before: number): Promise<ReadEvent | null> {
  const [first] = await store.events(row.id, row.prunedSeq, 1);
  if (first === undefined || first.at >= before) return null;
  const upTo = await prunableUpTo(store, row);
  let last: ReadEvent | null = null;
  for (let after = row.prunedSeq; after < upTo; ) {
    const rows = await store.events(row.id, after, Math.min(CHUNK, upTo - after));
    const young = rows.findIndex(({ at }) => at >= before);
    last = (young < 0 ? rows.at(-1) : rows[young - 1]) ?? last;
    if (young >= 0 || rows.length === 0) break;
    after = rows.at(-1)!.seq;
  }
  return last;
}

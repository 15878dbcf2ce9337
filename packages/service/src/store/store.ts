import type { NewBandit, ReadEvent, StoredEvent } from "../log/storedEvent.js";

export interface StoredBandit extends NewBandit {
  readonly id: number;
  /** The number of its last event; 0 if there is none. */
  readonly seq: number;
  /** The last event that was pruned, and its hash; 0 and "" if none was. */
  readonly prunedSeq: number;
  readonly prunedHash: string;
}

/** All that the log says about one decision. */
export interface StoredDecision {
  readonly decision: ReadEvent;
  readonly outcome: ReadEvent | null;
  readonly late: ReadEvent | null;
}

/** A saved state, made from the log up to an event. `part` says of what. */
export interface StoredSnapshot {
  readonly part: string;
  readonly seq: number;
  readonly body: string;
}

/** A piece of a bandit's history: a part (a width of cells, or where the history has got to), when it begins, in milliseconds since 1970, and what happened in it. */
export interface StoredHistory {
  readonly part: string;
  readonly at: number;
  readonly body: string;
}

/** What is to be saved of a history, all or nothing. */
export interface HistorySave {
  /** The last event that is in it. */
  readonly seq: number;
  readonly rows: readonly StoredHistory[];
  /** Rows of a part that began before a time are deleted. */
  readonly forget: readonly { readonly part: string; readonly before: number }[];
}

/** Where a history has got to is a part of its own, with one row at 0. */
export const POSITION = "position";

/** A key as the store has it: its hash, not itself. */
export interface StoredKey {
  readonly id: string;
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string;
  readonly role: "read" | "decide" | "browser" | "admin";
  /** Names of bandits, or beginnings of names with a * at the end. */
  readonly scopes: readonly string[];
  readonly note: string;
  readonly createdAt: number;
  /** From when on it is not in force: it was revoked then, or it expires then. Null: not at all. */
  readonly revokedAt: number | null;
  /** The day on which it was last used, such as 2026-11-16; null if it never was. */
  readonly lastUsed: string | null;
}

/** Where a log ends: the number of its last event, and its hash. 0 and the hash of the bandit as it was created if it has none: two bandits never have the same head. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** An event whose id was erased: what takes the place of its id and its origin. */
export interface Erasure {
  readonly seq: number;
  readonly decision: string;
  readonly origin: string;
}

/**
 * What became of events that were to be written: written; behind, where the log does not end at the event that they follow on, since another server was first or
 * the store has lost events; taken, where a decision or an outcome of theirs is in the log already. Unless they were written, nothing was.
 */
export type Appended = "written" | "behind" | "taken";

/** What a turn of a bandit needs. */
export interface BanditStore {
  /** The last event now, with its hash, and what the log says about these decisions. Ids that it does not know are absent. @internal */
  look(bandit: number, decisions: readonly string[]): Promise<Head & { readonly found: ReadonlyMap<string, StoredDecision> }>;
  /** Writes events that follow on `after`, durably, all or none, and with them erases ids of earlier ones. A rejection means that it is not known whether they were written. @internal */
  append(bandit: number, after: Head, events: readonly StoredEvent[], erasures?: readonly Erasure[]): Promise<Appended>;
  /** Every event that has the id of a decision, also what is left of one that was pruned. @internal */
  mentions(bandit: number, decision: string): Promise<ReadEvent[]>;
  /** Up to `limit` events after `after`, in order; with a segment, only those of the segment and of the whole bandit. @internal */
  events(bandit: number, after: number, limit: number, segment?: string): Promise<ReadEvent[]>;
}

/** Where bandits, logs, snapshots and keys are kept. All methods reject with ERR_STORE if the store does not answer. */
export interface Store extends BanditStore {
  /** For messages; without a password. */
  readonly name: string;
  /** @internal */
  bandits(): Promise<StoredBandit[]>;
  /** @internal */
  bandit(name: string): Promise<StoredBandit | null>;
  /** False if the name is taken, also by a bandit that was deleted. @internal */
  create(bandit: NewBandit): Promise<boolean>;
  /** The decisions from event `from` to event `upTo` that had no outcome at event `upTo`, in order; with a segment, only its own. @internal */
  open(bandit: number, from: number, upTo: number, segment?: string): Promise<ReadEvent[]>;
  /** Saves snapshots and deletes all but the newest three of their parts. One that is there already stays. @internal */
  save(bandit: number, snapshots: readonly StoredSnapshot[]): Promise<void>;
  /** The newest snapshots of a part, newest first, at most three. @internal */
  snapshots(bandit: number, part: string): Promise<StoredSnapshot[]>;
  /** Which snapshots a bandit has. @internal */
  saved(bandit: number): Promise<{ readonly part: string; readonly seq: number }[]>;
  /** The rows of a part of a history that began from `from` on and before `to`, in order. @internal */
  history(bandit: number, part: string, from: number, to: number): Promise<StoredHistory[]>;
  /** Writes a part of a history, with its position; false, and nothing is written, if another server was as far or farther. @internal */
  saveHistory(bandit: number, save: HistorySave): Promise<boolean>;
  /** Deletes a history whose position is at event `seq`. @internal */
  dropHistory(bandit: number, seq: number): Promise<void>;
  /** Does a turn while nobody else can append to the bandit. @internal */
  locked<T>(bandit: number, turn: (store: BanditStore) => Promise<T>): Promise<T>;
  /** Deletes the events up to `upTo` (and snapshots before it), and remembers its hash. @internal */
  prune(bandit: number, upTo: number, hash: string): Promise<void>;
  /** Puts an event after event `to`, in place of all that follows there, and deletes later snapshots. False if the log does not end at `head`. @internal */
  truncate(bandit: number, head: Head, to: number, last: StoredEvent): Promise<boolean>;
  /** Deletes a bandit; its name, its number and its last hash stay, so that no other bandit gets them. @internal */
  remove(bandit: number, at: number): Promise<void>;
  /** Every key, those that are no longer in force too. */
  keys(): Promise<StoredKey[]>;
  /** @internal */
  addKey(key: StoredKey): Promise<void>;
  /** Ends a key at a time, now or later. False if there is none with that id, or it ends before. */
  revokeKey(id: string, at: number): Promise<boolean>;
  /** Notes the day on which a key was used. @internal */
  useKey(id: string, day: string): Promise<void>;
  /** A secret of the store, made with it: every server that uses the store signs with the same one. @internal */
  secret(): Promise<string>;
  /** Rejects with ERR_STORE if what holds the data contradicts itself, as far as the store can tell: an index, say, that does not know a row. Takes its time. */
  check(): Promise<void>;
  /** Resolves if the store can be written: notes the time, in milliseconds since 1970. */
  ping(at: number): Promise<void>;
  /** Copies what is committed now into a new file, while others write. Nothing else may be asked meanwhile. PostgreSQL refuses: it has pg_dump. */
  copy(file: string): Promise<void>;
  /** Lets go of the store. */
  close(): Promise<void>;
}

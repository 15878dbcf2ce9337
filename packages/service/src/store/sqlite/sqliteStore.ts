import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { NewBandit, ReadEvent, StoredEvent } from "../../log/storedEvent.js";
import { decisionsIn, type EventRow, inParts, readEvents, requireConsecutive } from "../eventRows.js";
import { PRUNE, requirePrunable } from "../pruning.js";
import type { Appended, BanditStore, Erasure, Head, HistorySave, Store, StoredKey, StoredSnapshot } from "../store.js";
import { deletedBandit, storeError } from "../storeError.js";
import type { Values } from "./ofRows.js";
import { StoreThread } from "./storeThread.js";

export async function openSqlite(where: string, readOnly: boolean): Promise<Store> {
  // An absolute path: the driver would take some others for addresses of servers.
  const path = resolve(where);
  const folder = dirname(path);
  if (where === "") throw storeError("the store", "its path is empty; name a file");
  if (!existsSync(folder)) throw storeError(path, "its folder does not exist; create it first");
  if (existsSync(path) && !statSync(path).isFile()) throw storeError(path, "it is not a file; name another path");
  // SQLite opens what it can only read, and would refuse the first write. It keeps its log in the same folder.
  for (const needed of existsSync(path) ? [folder, path] : [folder]) {
    if (isWritable(needed)) continue;
    if (readOnly && existsSync(path)) return new SqliteStore(path, await StoreThread.start(path, true));
    throw storeError(path, `this user may not write to ${needed}; change its permissions, or name another path`);
  }
  return new SqliteStore(path, await StoreThread.start(path, false));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A store in an SQLite file. All that knows SQL is in its thread. */
export class SqliteStore implements Store {
  readonly name: string;
  readonly #thread: StoreThread;

  constructor(path: string, thread: StoreThread) {
    this.name = path;
    this.#thread = thread;
  }

  async look(bandit: number, decisions: readonly string[]) {
    const { seq, hash, rows } = await this.#thread.ask("look", bandit, JSON.stringify(decisions));
    if (seq === null) throw deletedBandit(this.name, bandit);
    return { seq, hash, found: decisionsIn(events(rows)) };
  }

  async append(bandit: number, { seq, hash }: Head, events: readonly StoredEvent[], erasures: readonly Erasure[] = []): Promise<Appended> {
    requireConsecutive(seq, events);
    const erased = erasures.length === 0 ? [] : ([erasures] as const);
    const appended = await this.#thread.ask("append", bandit, seq, hash, valuesOf(bandit, events), ...erased);
    if (erasures.length > 0 && appended === "written") await this.#thread.ask("checkpoint");
    return appended;
  }

  async mentions(bandit: number, decision: string): Promise<ReadEvent[]> {
    return events(await this.#thread.ask("mentions", bandit, decision));
  }

  events(bandit: number, after: number, limit: number, segment?: string): Promise<ReadEvent[]> {
    return inParts(after, limit, async (last, part) => events(await this.#thread.ask("events", bandit, last, part, segment)));
  }

  open(bandit: number, from: number, upTo: number, segment?: string): Promise<ReadEvent[]> {
    return inParts(from - 1, Number.POSITIVE_INFINITY, async (last, part) =>
      events(await this.#thread.ask("open", bandit, last + 1, upTo, part, segment)),
    );
  }

  /** The compare-and-swap of `append` is all the lock that one machine needs: who writes to the file takes turns. */
  async locked<T>(_bandit: number, turn: (store: BanditStore) => Promise<T>): Promise<T> {
    return turn(this);
  }

  bandits() {
    return this.#thread.ask("bandits");
  }

  bandit(name: string) {
    return this.#thread.ask("bandit", name);
  }

  create({ name, document, version, bits, createdAt }: NewBandit) {
    return this.#thread.ask("create", { name, document, version, bits, createdAt });
  }

  save(bandit: number, snapshots: readonly StoredSnapshot[]) {
    // Nothing but these fields: what cannot be copied to a thread must not come along.
    const copies = snapshots.map(({ part, seq, body }) => ({ part, seq, body }));
    return this.#thread.ask("save", bandit, copies);
  }

  snapshots(bandit: number, part: string) {
    return this.#thread.ask("snapshots", bandit, part);
  }

  saved(bandit: number) {
    return this.#thread.ask("saved", bandit);
  }

  history(bandit: number, part: string, from: number, to: number) {
    return this.#thread.ask("history", bandit, part, from, to);
  }

  saveHistory(bandit: number, { seq, rows, forget }: HistorySave) {
    return this.#thread.ask("saveHistory", bandit, { seq, rows, forget });
  }

  dropHistory(bandit: number, seq: number) {
    return this.#thread.ask("dropHistory", bandit, seq);
  }

  async prune(bandit: number, upTo: number, hash: string): Promise<void> {
    await requirePrunable(this, bandit, upTo, hash);
    while (!(await this.#thread.ask("prune", bandit, upTo, hash, PRUNE.events))) await pause(PRUNE.pauseMs);
  }

  truncate(bandit: number, { seq, hash }: Head, to: number, last: StoredEvent) {
    return this.#thread.ask("truncate", bandit, { seq, hash }, to, valuesOf(bandit, [last]));
  }

  remove(bandit: number, at: number) {
    return this.#thread.ask("remove", bandit, at);
  }

  async keys(): Promise<StoredKey[]> {
    return (await this.#thread.ask("keys")).map((key) => ({ ...key, scopes: JSON.parse(key.scopes) }));
  }

  addKey({ id, hash, role, scopes, note, createdAt, revokedAt, lastUsed }: StoredKey) {
    return this.#thread.ask("addKey", { id, hash, role, scopes: JSON.stringify(scopes), note, createdAt, revokedAt, lastUsed });
  }

  revokeKey(id: string, at: number) {
    return this.#thread.ask("revokeKey", id, at);
  }

  useKey(id: string, day: string) {
    return this.#thread.ask("useKey", id, day);
  }

  secret() {
    return this.#thread.ask("secret");
  }

  async check(): Promise<void> {
    const problem = await this.#thread.ask("check");
    if (problem !== null) throw storeError(this.name, `the file is damaged; restore it from a backup (${problem})`);
  }

  ping(at: number) {
    return this.#thread.ask("ping", at);
  }

  copy(file: string) {
    return this.#thread.ask("copy", resolve(file));
  }

  close() {
    return this.#thread.close();
  }
}

function valuesOf(bandit: number, events: readonly StoredEvent[]): Values {
  const values: (string | number | null)[] = [];
  for (const { seq, kind, decision, origin, slot, segment, at, body, hash } of events)
    values.push(bandit, seq, kind, decision, origin, slot, segment, at, body, hash);
  return values;
}

const events = (rows: string): ReadEvent[] => readEvents(JSON.parse(rows) as EventRow[]);

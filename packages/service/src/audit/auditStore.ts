import { oldestBandit } from "../bandit/loadBandit.js";
import type { LogFile } from "../log/readLines.js";
import { genesis } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredBandit } from "../store/store.js";
import { Audit, type Audited } from "./audit.js";
import { type AuditOptions, type FileLog, readAudits } from "./auditFiles.js";
import { SnapshotCheck } from "./snapshotCheck.js";

/** What of a store is audited. */
export interface StoreAuditOptions extends AuditOptions {
  /** Where the logs begin, if the store has them no more: what prune wrote, in order. */
  readonly files?: readonly LogFile[];
}

const CHUNK = 10_000;
/** Below the number of any event, also of one that no server wrote; both kinds of stores take it. */
const LOWEST = -(2 ** 63) + 1024;

/** Audits the logs in a store, if the store itself is sound, each up to the event that is its last now. A pruned log is audited from its oldest snapshot on, unless a file holds its beginning. */
export async function auditStore(store: Store, options: StoreAuditOptions = {}): Promise<Audited[]> {
  const { bandit, onProgress, files = [] } = options;
  const rows = (await store.bandits()).filter(({ name }) => bandit === undefined || name === bandit).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.length === 0 && bandit !== undefined) {
    throw new ServiceError("ERR_UNKNOWN_BANDIT", `${store.name} has no bandit ${bandit}`, { parameter: "bandit" });
  }
  // The audit reads logs from end to end. Decisions are found by an index, which it would not miss.
  await store.check();
  // What files have of what the store has too is audited in the store.
  const begun = await readAudits(files, options, new Map(rows.map(({ name, prunedSeq }) => [name, prunedSeq])));
  const stray = [...begun.keys()].find((name) => !rows.some((row) => row.name === name));
  if (stray !== undefined) throw new ServiceError("ERR_LOG", `the files have a log of ${stray}, which is no bandit of ${store.name}`);
  const results: Audited[] = [];
  let before = 0;
  for (const row of rows) {
    const result = await audited(store, row, begun.get(row.name), options.heads ?? [], (events) => onProgress?.(before + events));
    before += result.events;
    results.push(result);
  }
  return results;
}

async function audited(
  store: Store,
  row: StoredBandit,
  begun: FileLog | undefined,
  heads: readonly string[],
  onProgress: (events: number) => void,
): Promise<Audited> {
  if (begun !== undefined) {
    const { audit } = begun;
    if (audit.result.differs !== null) return audit.result;
    await requireSame(store, row, begun);
    audit.forget();
    return goneOn(store, row, audit, onProgress);
  }
  try {
    return await goneOn(store, row, new Audit(row, heads, await oldestBandit(store, row)), onProgress);
  } catch (error) {
    // Its document is damaged, or its snapshots are and its beginning is elsewhere: nothing can be recomputed.
    if (!(error instanceof ServiceError && error.code === "ERR_REPLAY")) throw error;
    const { name, prunedSeq: after, prunedHash: head } = row;
    const differs = { seq: after + 1, message: error.message };
    return { name, after, events: 0, decisions: 0, unproved: 0, versions: [], segments: 0, erased: 0, repairs: [], head, heads: [], differs };
  }
}

/** Whether the store goes on with the log of the files. */
async function requireSame(store: Store, row: StoredBandit, { audit, end: { seq, hash } }: FileLog): Promise<void> {
  if (genesis(row) !== audit.bandit.genesis)
    throw new ServiceError("ERR_LOG", `the ${row.name} of the files is another bandit than that of the store`);
  if (seq < row.prunedSeq) {
    throw new ServiceError(
      "ERR_LOG",
      `the files end with event ${seq} of ${row.name}, and the store begins after event ${row.prunedSeq}; give the files between too`,
    );
  }
  const last = seq === row.prunedSeq ? { hash: row.prunedHash } : (await store.events(row.id, seq - 1, 1))[0];
  if (last?.hash !== (seq === 0 ? "" : hash)) {
    throw new ServiceError(
      "ERR_LOG",
      `event ${seq} of ${row.name} has the hash ${hash} in the files and ${last?.hash ?? "none"} in the store: these are two logs`,
    );
  }
}

/** Audits what follows on the last event that the audit has seen, and on the way every snapshot that a server would start from. */
async function goneOn(store: Store, row: StoredBandit, audit: Audit, onProgress: (events: number) => void): Promise<Audited> {
  const { state } = audit.bandit;
  const snapshots = await SnapshotCheck.of(store, row, audit);
  await snapshots.check();
  // Ids may be erased while this reads: then the event that says so comes after those that were there at the beginning.
  for (let end = row.seq; ; ) {
    if (!(await takenUpTo(store, row, audit, snapshots, end, onProgress))) return audit.result;
    if (audit.unannounced.length === 0 || state.seq < end) break;
    end = (await store.bandit(row.name))?.seq ?? end;
    if (end <= state.seq) break;
    audit.goOnLater();
  }
  const { seq } = state;
  if (seq < row.seq) audit.refuse(seq + 1, `event ${seq + 1} is missing: the log must go on to event ${row.seq}`);
  else await requireEnd(store, row, audit);
  await requireBeginning(store, row, audit);
  await requireTogether(store, row, audit);
  snapshots.end();
  audit.end();
  return audit.result;
}

/** False if an event or a snapshot up to event `end` is not as it must be. */
async function takenUpTo(
  store: Store,
  { id }: StoredBandit,
  audit: Audit,
  snapshots: SnapshotCheck,
  end: number,
  onProgress: (events: number) => void,
): Promise<boolean> {
  const { state } = audit.bandit;
  const read = (after: number) => store.events(id, after, Math.min(CHUNK, end - after));
  for (let next = read(state.seq); state.seq < end; ) {
    const rows = await next;
    if (rows.length === 0) break;
    // The store reads on while these are recomputed.
    next = read(rows.at(-1)!.seq);
    next.catch(() => {});
    for (let from = 0; from < rows.length; ) {
      const upTo = snapshots.next - state.seq;
      const isTaken = audit.take(rows.slice(from, from + upTo));
      if (!isTaken) {
        onProgress(audit.result.events);
        return false;
      }
      from += upTo;
      await snapshots.check();
    }
    onProgress(audit.result.events);
  }
  return true;
}

/** Nothing in the log leads to an event before its first one, but a server would find its decision by the id, and answer with it. */
async function requireBeginning(store: Store, { id, prunedSeq }: StoredBandit, audit: Audit): Promise<void> {
  const [first] = await store.events(id, LOWEST, 1);
  if (first !== undefined && first.seq <= prunedSeq)
    audit.refuse(first.seq, `event ${first.seq} lies before the first one of the log, ${prunedSeq + 1}`);
}

/** What the store finds by the id of a decision must be all of it: its outcome in its slot, and under the same id. While this audit reads, others may prune and erase. */
async function requireTogether(store: Store, { id, name, prunedSeq }: StoredBandit, audit: Audit): Promise<void> {
  const { slotless, halfErased } = audit;
  if (slotless !== null && (await store.bandit(name))?.prunedSeq === prunedSeq)
    audit.refuse(slotless, `event ${slotless} is not as it was written: it is in no slot, and so there could be another one in its place`);
  for (const [decision, seq] of halfErased) {
    if ((await store.mentions(id, decision)).length > 0) audit.refuse(seq, `the decision of event ${seq} has its id in some of its events only`);
  }
}

/** The log must end where the bandit says, and with the hash that the next event of a server would follow on. */
async function requireEnd(store: Store, { id, name }: StoredBandit, audit: Audit): Promise<void> {
  const { seq, hash } = audit.bandit.state;
  const [more] = await store.events(id, seq, 1);
  const head = await store.look(id, []);
  // Somebody else may have written it just now.
  if (more !== undefined && more.seq > ((await store.bandit(name))?.seq ?? seq))
    audit.refuse(more.seq, `event ${more.seq} is one too many: the bandit counts ${head.seq} events`);
  if (head.seq === seq && head.hash !== hash) audit.refuse(seq, `the store says that event ${seq} has the hash ${head.hash}, and it is ${hash}`);
}

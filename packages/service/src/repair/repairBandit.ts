import { Audit } from "../audit/audit.js";
import { chunks, oldestBandit } from "../bandit/loadBandit.js";
import { PendingEvents } from "../bandit/pendingEvents.js";
import { chained, genesis, SLOTS, type StoredEvent } from "../log/storedEvent.js";
import { ServiceError, unknownBandit } from "../serviceError.js";
import type { Head, Store, StoredBandit } from "../store/store.js";

/** Which bandit is repaired, and how. */
export interface RepairOptions {
  readonly bandit: string;
  /** The name of a new bandit that goes on from the last good event; the old one stays as it is. Without it, the log itself is cut. */
  readonly fork?: string | undefined;
  /** Only says what would be done. */
  readonly dryRun?: boolean;
  /** Who repairs it, for the log. */
  readonly by?: string | undefined;
  /** The clock, in milliseconds since 1970; for tests. */
  readonly now?: () => number;
}

/** What a repair has done, or would do. */
export interface Repaired {
  readonly name: string;
  /** The last event that follows from the log, and its hash. */
  readonly kept: number;
  readonly hash: string;
  /** How many events after it are dropped, and the hash of the last one; "" if that event is missing. */
  readonly dropped: number;
  readonly head: string;
  /** What is wrong with the first of them. */
  readonly reason: string;
}

/** Cuts the log of a bandit that is shut after its last good event, or copies it up to there. An event at the end names the head that was dropped. */
export async function repairBandit(store: Store, options: RepairOptions): Promise<Repaired> {
  const { bandit: name, fork, dryRun = false, by, now = Date.now } = options;
  const row = await store.bandit(name);
  if (row === null) throw unknownBandit(name);
  const { seq, hash: head } = await store.look(row.id, []);
  const { kept, reason } = await lastGood(store, row, seq);
  const audit = await auditedUpTo(store, row, kept);
  const { hash } = audit.bandit.state;
  const repaired = { name, kept, hash, dropped: seq - kept, head, reason };
  if (fork !== undefined) await requireForkable(store, row, fork);
  if (dryRun) return repaired;
  const erased = audit.unannounced;
  const fields = {
    dropped: seq - kept,
    head,
    ...(erased.length === 0 ? {} : { erased }),
    ...(fork === undefined ? {} : { of: name }),
    ...(by === undefined ? {} : { by }),
  };
  const pending = new PendingEvents(audit.bandit, new Map(), now(), 0);
  pending.repaired(fields);
  const [event] = pending.rows as [StoredEvent];
  if (fork !== undefined) await copied(store, row, kept, fork, event);
  else if (!(await store.truncate(row.id, { seq, hash: head }, kept, event)))
    throw new ServiceError("ERR_REPAIR", `the log of ${name} has changed meanwhile; look at it again`);
  return repaired;
}

/** The last event up to which everything follows from the log, and what is wrong with the next. */
async function lastGood(store: Store, row: StoredBandit, seq: number): Promise<{ kept: number; reason: string }> {
  const { result } = await auditedUpTo(store, row, Number.POSITIVE_INFINITY);
  const kept = result.after + result.events;
  if (result.differs !== null) return { kept, reason: result.differs.message };
  if (kept < seq) return { kept, reason: `event ${kept + 1} is missing: the log must go on to event ${seq}` };
  throw new ServiceError("ERR_REPAIR", `the log of ${row.name} follows from itself up to its last event, ${seq}: there is nothing to repair`);
}

async function auditedUpTo(store: Store, row: StoredBandit, upTo: number): Promise<Audit> {
  const audit = await oldestBandit(store, row).then(
    (bandit) => new Audit(row, [], bandit),
    (error) => {
      throw new ServiceError("ERR_REPAIR", `${row.name} cannot be repaired: ${(error as Error).message}`, { cause: error });
    },
  );
  for await (const rows of chunks(store, row.id, audit.bandit.state.seq)) {
    const part = rows.filter(({ seq }) => seq <= upTo);
    if (!audit.take(part) || part.length < rows.length) break;
  }
  return audit;
}

async function requireForkable(store: Store, { name, prunedSeq }: StoredBandit, fork: string): Promise<void> {
  const refuse = (message: string) => new ServiceError("ERR_REPAIR", message, { parameter: "fork" });
  if (prunedSeq > 0) throw refuse(`the first ${prunedSeq} events of ${name} were pruned, so it cannot be copied; repair it without a fork`);
  if ((await store.bandit(fork)) !== null) throw refuse(`there is a bandit ${fork} already; take another name`);
}

/** The same events under another name: the chain of a log begins with the name, so it is another chain. */
async function copied(store: Store, row: StoredBandit, kept: number, name: string, last: StoredEvent): Promise<void> {
  const { document, version, bits, createdAt } = row;
  const created = { name, document, version, bits, createdAt };
  if (!(await store.create(created))) throw new ServiceError("ERR_REPAIR", `the name ${name} was used before; take another`, { parameter: "fork" });
  const { id } = (await store.bandit(name))!;
  let head: Head = { seq: 0, hash: genesis(created) };
  const append = async (events: readonly StoredEvent[]) => {
    let before = head.hash;
    const chain = events.map((event) => {
      const again = { ...event, slot: SLOTS[event.kind], hash: chained(before, event) };
      before = again.hash;
      return again;
    });
    if ((await store.append(id, head, chain)) !== "written")
      throw new ServiceError("ERR_REPAIR", `others write to ${name} already; take another name`, { parameter: "fork" });
    head = { seq: chain.at(-1)!.seq, hash: before };
  };
  for await (const rows of chunks(store, row.id, 0)) {
    const part = rows.filter(({ seq }) => seq <= kept);
    if (part.length > 0) await append(part);
    if (part.length < rows.length) break;
  }
  await append([last]);
}

import type { DecisionEvent, LogEvent } from "../log/event.js";
import { fromRow, type NewBandit, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { BanditStore, Store, StoredBandit } from "../store/store.js";
import { turn } from "../turn.js";
import { Bandit } from "./bandit.js";
import { type BanditStateSnapshot, openDecision } from "./banditState.js";
import type { Learner } from "./learner.js";
import type { OpenDecision } from "./openDecisions.js";
import { replay } from "./replay.js";
import { partOf, restoreSaved, savedState } from "./savedState.js";

/** Called for each event, when it is in the log. `ended` is the decision that it ended, if it did. */
export type Listener = (event: LogEvent, ended: OpenDecision | undefined) => void;

const CHUNK = 10_000;
/** Events that are replayed before others have their turn: some milliseconds. */
const AT_ONCE = 500;
/** Events after which a long replay saves a snapshot, so that a start that is interrupted does not begin again. */
const SAVED_AFTER = 100_000;

/** The events of a log after `after`, in chunks; the next chunk is read while one is worked on. */
export async function* chunks(store: BanditStore, id: number, after: number, segment?: string): AsyncIterable<ReadEvent[]> {
  const read = (last: number) => {
    const reading = store.events(id, last, CHUNK, segment);
    // If nobody wants it any more, nobody minds its failure.
    reading.catch(() => {});
    return reading;
  };
  for (let next: Promise<ReadEvent[]> | null = read(after); next !== null; ) {
    const rows: ReadEvent[] = await next;
    next = rows.length < CHUNK ? null : read(rows.at(-1)!.seq);
    if (rows.length > 0) yield rows;
  }
}

/** Makes a bandit from its newest snapshot and the log after it. */
export async function loadBandit(store: Store, row: StoredBandit, onEvent?: Listener): Promise<Bandit> {
  const bandit = await restored(store, row, "", Number.MAX_SAFE_INTEGER);
  let saved = bandit.state.seq;
  await catchUp(store, row.id, bandit, true, onEvent, async () => {
    if (bandit.state.seq - saved < SAVED_AFTER) return;
    saved = bandit.state.seq;
    // It only saves time.
    await store.save(row.id, [savedState(bandit, "")]).catch(() => {});
  });
  if (bandit.state.seq < row.seq) throw missingEvent(bandit, row.seq);
  return bandit;
}

/** The log has fewer events than the bandit counts: the last ones are gone. */
export function missingEvent({ name, state }: Bandit, seq: number): ServiceError {
  const message = `${name} has ${seq} events, and its log ends at event ${state.seq}: event ${state.seq + 1} is missing; restore the store from a backup`;
  return new ServiceError("ERR_REPLAY", message, { seq: state.seq + 1 });
}

/** Replays what the log has after the last event that the bandit knows. `otherVersions`: whether another version of the library may have gone on with it. */
export async function catchUp(
  store: BanditStore,
  id: number,
  bandit: Bandit,
  otherVersions: boolean,
  onEvent?: Listener,
  onChunk?: () => Promise<void>,
): Promise<void> {
  for await (const rows of chunks(store, id, bandit.state.seq)) {
    for (const [i, row] of rows.entries()) {
      if (i % AT_ONCE === AT_ONCE - 1) await turn();
      requireNext(row, bandit);
      const { event, ended } = replay(bandit, row, { everySegment: false, otherVersions });
      onEvent?.(event, ended);
    }
    await onChunk?.();
  }
}

/** The events that this one follows on must be those that the bandit knows: a store that lost some may have others in their places. */
function requireNext({ seq, before }: ReadEvent, bandit: Bandit): void {
  const { state } = bandit;
  if (seq !== 1 && seq === state.seq + 1 && before !== state.hash) throw anotherEvent(bandit, before);
}

/** The log has another event where the bandit has its last one: the store has lost events, and others were written in their places. */
export function anotherEvent({ name, state: { seq, hash } }: Bandit, found: string): ServiceError {
  const message = `event ${seq} of ${name} is not the one that this server knows: its hash is ${found}, and was ${hash}; restart the server`;
  return new ServiceError("ERR_REPLAY", message, { seq });
}

/** The learner of a segment at the event where the bandit is; undefined if the log says nothing of the segment yet. */
export async function loadLearner(store: Store, row: StoredBandit, { state }: Bandit, segment: string): Promise<Learner | undefined> {
  if (!state.segments.has(segment)) return undefined;
  const shadow = await restored(store, row, segment, state.seq);
  for await (const rows of chunks(store, row.id, shadow.state.seq, segment)) {
    for (const read of rows) {
      if (read.seq > state.seq) break;
      // The events of other segments are passed over.
      shadow.state.seq = read.seq - 1;
      shadow.state.hash = read.seq === 1 ? shadow.genesis : read.before;
      replay(shadow, read, { everySegment: true, otherVersions: true });
    }
    if (rows.at(-1)!.seq > state.seq) break;
  }
  const [counted, found] = [state.segments.get(segment), shadow.state.segments.get(segment)];
  if (found !== counted) {
    const message = `the segment ${segment} of ${row.name} has ${counted} events, and the log now has ${found ?? 0}: it was changed; restore the store from a backup`;
    throw new ServiceError("ERR_REPLAY", message);
  }
  return shadow.learners.get(segment);
}

/** The learner of a segment after an event, replayed on a copy. */
export async function learnerAt(store: Store, row: StoredBandit, segment: string, seq: number): Promise<Learner> {
  const shadow = await restored(store, row, segment, seq);
  shadow.state.evidence = null;
  for await (const rows of chunks(store, row.id, shadow.state.seq, segment)) {
    for (const read of rows) {
      if (read.seq > seq) break;
      shadow.state.seq = read.seq - 1;
      shadow.state.hash = read.seq === 1 ? shadow.genesis : read.before;
      replay(shadow, read, { everySegment: true, otherVersions: true });
    }
    if (rows.at(-1)!.seq > seq) break;
    await turn();
  }
  return shadow.learners.get(segment) ?? shadow.freshLearner(segment);
}

/** A bandit at the beginning of its log. */
export function freshBandit(created: NewBandit): Bandit {
  const bandit = new Bandit(created);
  bandit.begin();
  return bandit;
}

/** A bandit with all its segments, at the oldest snapshot from which they can go on; null if there is none. */
export async function snapshotBandit(store: Store, row: StoredBandit): Promise<Bandit | null> {
  for (const { seq } of (await store.snapshots(row.id, partOf(""))).reverse()) {
    try {
      const bandit = await restored(store, row, "", seq);
      if (bandit.state.seq !== seq) continue;
      for (const segment of bandit.state.segments.keys()) bandit.learners.set(segment, (await loadLearner(store, row, bandit, segment))!);
      return bandit;
    } catch (error) {
      // A damaged one, or one that is older than what is left of a segment.
      if (!(error instanceof ServiceError && error.code === "ERR_REPLAY")) throw error;
    }
  }
  return null;
}

/** A bandit at the beginning of its log; if that was pruned, at its oldest snapshot. */
export async function oldestBandit(store: Store, row: StoredBandit): Promise<Bandit> {
  if (row.prunedSeq === 0) return freshBandit(row);
  const bandit = await snapshotBandit(store, row);
  if (bandit === null) throw lostBeginning(row);
  return bandit;
}

/** A bandit at its newest snapshot of a segment, or at the beginning. */
async function restored(store: Store, row: StoredBandit, segment: string, upTo: number): Promise<Bandit> {
  const bandit = new Bandit(row);
  const saved = await restoreSaved(store, row, bandit, segment, upTo);
  if (saved !== null) {
    await addWaiting(store, row, bandit, segment, saved);
    if (segment === "") await noteUnsettled(store, row, bandit);
    return bandit;
  }
  // It may have been pruned since the row was read.
  const present = (await store.bandit(row.name)) ?? row;
  if (segment !== "") bandit.state.evidence = null;
  if (present.prunedSeq === 0) return segment === "" ? freshBandit(row) : bandit;
  // A segment that is younger than a snapshot of the bandit begins there, with the arms of that time.
  const isOlder = ({ segments }: BanditStateSnapshot) => !segments.some(([name]) => name === segment);
  if (segment === "" || (await restoreSaved(store, present, bandit, "", upTo, isOlder)) === null) throw lostBeginning(present);
  bandit.learners.clear();
  bandit.state.evidence = null;
  return bandit;
}

/** Snapshots of the evidence have what is settled. The decisions after that, of which the oldest is open, are in the log. */
async function noteUnsettled(store: Store, row: StoredBandit, { state, genesis }: Bandit): Promise<void> {
  const { evidence, seq } = state;
  if (evidence === null || evidence.isTooWide) return;
  for await (const rows of chunks(store, row.id, evidence.settledSeq)) {
    for (const read of rows) {
      if (read.seq > seq) return;
      evidence.note(fromRow(read, genesis));
    }
  }
}

/** Adds the decisions that waited when a snapshot was taken. */
async function addWaiting(store: Store, { id, name }: StoredBandit, { state, genesis }: Bandit, segment: string, count: number): Promise<void> {
  const waiting = await store.open(id, state.oldestSaved, state.seq, segment === "" ? undefined : segment);
  for (const read of waiting) state.open.add(openDecision(fromRow(read, genesis) as DecisionEvent));
  if (waiting.length === count) return;
  const message = `at event ${state.seq} of ${name} ${count} decisions waited, and the log now says ${waiting.length}: it was changed; restore the store from a backup`;
  throw new ServiceError("ERR_REPLAY", message);
}

function lostBeginning({ name, prunedSeq }: StoredBandit): ServiceError {
  return new ServiceError(
    "ERR_REPLAY",
    `${name} has no intact snapshot, and its first ${prunedSeq} events were pruned: restore the store from a backup`,
  );
}

import { TsallisError } from "tsallis";
import { digest } from "../log/chain.js";
import type { LearnerSnapshot } from "../log/event.js";
import type { Store, StoredBandit, StoredSnapshot } from "../store/store.js";
import type { Bandit } from "./bandit.js";
import { Learner } from "./learner.js";
import type { LedgerSnapshot } from "./ledger.js";

/** What a snapshot holds: a segment's learner, and the ledger that it needs to go on. */
interface SavedState {
  /** The hash of the bandit as it was created, so that a changed document is noticed though the first event is not read. */
  readonly genesis: string;
  /** The hash of the last event that is in it. */
  readonly hash: string;
  readonly ledger: LedgerSnapshot;
  /** The number of decisions that waited, of the segment or of the whole bandit. */
  readonly open: number;
  readonly learner: LearnerSnapshot;
}

/** The default segment is saved with the whole ledger. */
export function partOf(segment: string): string {
  return segment === "" ? "bandit" : `segment:${segment}`;
}

/** The snapshot of a segment at the present event. */
export function savedState({ genesis, ledger, learners }: Bandit, segment: string): StoredSnapshot {
  const whole = ledger.snapshot();
  const isOwn = ([name]: readonly [string, unknown]) => name === segment;
  const shared = segment === "" ? whole : { ...whole, segments: whole.segments.filter(isOwn), bits: whole.bits.filter(isOwn) };
  const open = segment === "" ? ledger.open.size : ledger.open.sizeOf(segment);
  const state: SavedState = { genesis, hash: ledger.hash, ledger: shared, open, learner: learners.get(segment)!.snapshot() };
  const text = JSON.stringify(state);
  return { part: partOf(segment), seq: ledger.seq, body: digest(text) + text };
}

/**
 * Restores the newest snapshot of a segment, not after event `upTo`, that is undamaged, fits the bandit and its log, can be restored, and is wanted. Returns how
 * many decisions waited then; null if there is none.
 */
export async function restoreSaved(
  store: Store,
  row: StoredBandit,
  bandit: Bandit,
  segment: string,
  upTo: number,
  isWanted: (ledger: LedgerSnapshot) => boolean = () => true,
): Promise<number | null> {
  for (const snapshot of await store.snapshots(row.id, partOf(segment))) {
    const state = snapshot.seq <= upTo ? readState(snapshot) : null;
    if (state?.genesis !== bandit.genesis || !isWanted(state.ledger) || !(await fits(store, row, snapshot.seq, state.hash))) continue;
    try {
      bandit.learners.set(segment, Learner.restore(state.learner));
    } catch (error) {
      // Another version of the library wrote it: the log tells the same story.
      if (error instanceof TsallisError) continue;
      throw error;
    }
    bandit.ledger.restore(state.ledger, snapshot.seq, state.hash);
    return state.open;
  }
  return null;
}

/** Null if it is damaged. */
function readState({ body }: StoredSnapshot): SavedState | null {
  const text = body.slice(32);
  return digest(text) === body.slice(0, 32) ? (JSON.parse(text) as SavedState) : null;
}

/** Whether the log has an event with that number and hash. */
async function fits(store: Store, row: StoredBandit, seq: number, hash: string): Promise<boolean> {
  if (seq === row.prunedSeq) return hash === row.prunedHash;
  const [event] = await store.events(row.id, seq - 1, 1);
  return event?.seq === seq && event.hash === hash;
}

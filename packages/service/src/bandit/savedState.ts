import { TsallisError } from "tsallis";
import { BanditEvidence, type BanditEvidenceSnapshot } from "../evidence/banditEvidence.js";
import { digest } from "../log/digest.js";
import type { LearnerSnapshot } from "../log/event.js";
import type { Store, StoredBandit, StoredSnapshot } from "../store/store.js";
import type { Bandit } from "./bandit.js";
import type { BanditStateSnapshot } from "./banditState.js";
import { Learner } from "./learner.js";
import { packNumbers, unpackNumbers } from "./packedNumbers.js";

/** What a snapshot holds: a segment's learner, and the state that it needs to go on. */
export interface SavedState {
  /** The hash of the bandit as it was created, so that a changed document is noticed though the first event is not read. */
  readonly genesis: string;
  /** The hash of the last event that is in it. */
  readonly hash: string;
  readonly state: BanditStateSnapshot;
  /** The number of decisions that waited, of the segment or of the whole bandit. */
  readonly open: number;
  readonly learner: LearnerSnapshot;
  /** Of the whole bandit; saved with the default segment. */
  readonly evidence?: BanditEvidenceSnapshot;
}

/** The default segment is saved with the whole state. */
export function partOf(segment: string): string {
  return segment === "" ? "bandit" : `segment:${segment}`;
}

/** The snapshot of a segment at the present event. */
export function savedState({ genesis, state, learners }: Bandit, segment: string): StoredSnapshot {
  const open = segment === "" ? state.open.size : state.open.sizeOf(segment);
  const evidence = segment === "" && state.evidence !== null ? { evidence: state.evidence.snapshot() } : {};
  const saved: SavedState = {
    genesis,
    hash: state.hash,
    state: state.snapshot(segment),
    open,
    learner: learners.get(segment)!.snapshot(),
    ...evidence,
  };
  const text = JSON.stringify(withState(saved, packNumbers));
  return { part: partOf(segment), seq: state.seq, body: digest(text) + text };
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
  isWanted: (state: BanditStateSnapshot) => boolean = () => true,
): Promise<number | null> {
  for (const snapshot of await store.snapshots(row.id, partOf(segment))) {
    const saved = snapshot.seq <= upTo ? readSaved(snapshot) : null;
    if (saved?.genesis !== bandit.genesis || !isWanted(saved.state) || !(await fits(store, row, snapshot.seq, saved.hash))) continue;
    try {
      const evidence = saved.evidence === undefined ? null : BanditEvidence.restore(saved.evidence);
      bandit.learners.set(segment, Learner.restore(saved.learner));
      bandit.state.evidence = evidence;
    } catch (error) {
      // Another version of the library wrote it: the log tells the same story.
      if (error instanceof TsallisError) continue;
      throw error;
    }
    bandit.state.restore(saved.state, snapshot.seq, saved.hash);
    return saved.open;
  }
  return null;
}

/** Null if it is damaged. */
export function readSaved({ body }: StoredSnapshot): SavedState | null {
  const text = body.slice(32);
  if (digest(text) !== body.slice(0, 32)) return null;
  try {
    return withState(JSON.parse(text) as SavedState, unpackNumbers);
  } catch {
    // No server wrote it.
    return null;
  }
}

/** The same with every part of the policy's state as `change` makes it; one without such a state, which no server wrote, as it is. */
function withState(saved: SavedState, change: (part: unknown) => unknown): SavedState {
  const learner = (saved as SavedState | null)?.learner;
  if (typeof learner?.policy?.state !== "object" || learner.policy.state === null) return saved;
  const state = Object.fromEntries(Object.entries(learner.policy.state).map(([key, part]) => [key, change(part)]));
  return { ...saved, learner: { ...learner, policy: { ...learner.policy, state } } };
}

/** Whether the log has an event with that number and hash. Before the first one there is nothing to save. */
async function fits(store: Store, row: StoredBandit, seq: number, hash: string): Promise<boolean> {
  if (seq < 1) return false;
  if (seq === row.prunedSeq) return hash === row.prunedHash;
  const [event] = await store.events(row.id, seq - 1, 1);
  return event?.seq === seq && event.hash === hash;
}

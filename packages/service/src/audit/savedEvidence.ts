import { partOf, readSaved } from "../bandit/savedState.js";
import type { BanditEvidence } from "../evidence/banditEvidence.js";
import { genesis } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { Store, StoredBandit } from "../store/store.js";

/** What the snapshots of a bandit say about its evidence, by the numbers of their events. Damaged ones, and those of another bandit, are not used by anybody. */
export async function savedEvidence(store: Store, row: StoredBandit): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const snapshot of await store.snapshots(row.id, partOf(""))) {
    const saved = readSaved(snapshot);
    if (saved?.evidence !== undefined && saved.genesis === genesis(row)) found.set(snapshot.seq, comparable(saved.evidence));
  }
  return found;
}

/** Throws ERR_REPLAY if a snapshot has other evidence than the log. */
export function requireSameEvidence(saved: string | undefined, evidence: BanditEvidence, seq: number): void {
  if (saved === undefined || saved === comparable(evidence.snapshot())) return;
  throw new ServiceError("ERR_REPLAY", `the snapshot after event ${seq} has other evidence than the log gives: it was changed; delete the snapshot`);
}

/** Whether an alarm was on comes from looking, not from the log. */
function comparable({ moved: _, ...evidence }: ReturnType<BanditEvidence["snapshot"]>): string {
  return JSON.stringify(evidence);
}

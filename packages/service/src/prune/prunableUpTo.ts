import type { Bandit } from "../bandit/bandit.js";
import { loadBandit, snapshotBandit } from "../bandit/loadBandit.js";
import { partOf, savedState } from "../bandit/savedState.js";
import type { Store, StoredBandit } from "../store/store.js";

/**
 * The last event that the bandit can do without: it goes on from its oldest snapshot and the decisions that were open then. Segments that have no snapshot
 * there, because they have not moved for long, get one.
 */
export async function prunableUpTo(store: Store, row: StoredBandit): Promise<number> {
  const bandit = (await snapshotBandit(store, row)) ?? (await firstSnapshot(store, row));
  const { state, learners } = bandit;
  const missing: string[] = [];
  for (const segment of learners.keys()) {
    const snapshots = await store.snapshots(row.id, partOf(segment));
    if (!snapshots.some(({ seq }) => seq === state.seq)) missing.push(segment);
  }
  if (missing.length > 0) {
    await store.save(
      row.id,
      missing.map((segment) => savedState(bandit, segment)),
    );
  }
  // The event of the snapshot itself stays: it shows that the snapshot fits the log.
  return Math.min(state.seq, state.open.oldest(state.seq + 1)) - 1;
}

/** A bandit that was never saved, at its last event. */
async function firstSnapshot(store: Store, row: StoredBandit): Promise<Bandit> {
  const bandit = await loadBandit(store, row);
  await store.save(row.id, [savedState(bandit, "")]);
  return (await snapshotBandit(store, row)) ?? bandit;
}

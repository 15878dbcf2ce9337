import { partOf, readSaved, type SavedState, savedState } from "../bandit/savedState.js";
import type { Store, StoredBandit } from "../store/store.js";
import type { Audit } from "./audit.js";

type Saved = { readonly part: string; readonly seq: number };

/** Compares the snapshots of a bandit with what its log gives, while an audit passes by. */
export class SnapshotCheck {
  readonly #store: Store;
  readonly #row: StoredBandit;
  readonly #audit: Audit;
  /** By the events that they are of, oldest first. */
  #due: readonly Saved[];
  /** Those of events that the log does not have. No server starts from them, but only the newest three are kept, and so they displace those that fit. */
  readonly #stray: readonly Saved[];

  private constructor(store: Store, row: StoredBandit, audit: Audit, due: readonly Saved[], stray: readonly Saved[]) {
    this.#store = store;
    this.#row = row;
    this.#audit = audit;
    this.#due = due;
    this.#stray = stray;
  }

  static async of(store: Store, row: StoredBandit, audit: Audit): Promise<SnapshotCheck> {
    const { result, bandit } = audit;
    // The audit may have begun at a snapshot; that one has nothing to be compared with.
    const from = result.after === 0 ? bandit.state.seq : bandit.state.seq + 1;
    const saved = await store.saved(row.id);
    // Others may have written and saved meanwhile.
    const end = (await store.bandit(row.name))?.seq ?? row.seq;
    const due = saved.filter(({ seq }) => seq >= Math.max(from, 1) && seq <= row.seq).sort((a, b) => a.seq - b.seq);
    return new SnapshotCheck(
      store,
      row,
      audit,
      due,
      saved.filter(({ seq }) => seq < 1 || seq > end),
    );
  }

  /** At the end of the log: refuses snapshots of events that it does not have. */
  end(): void {
    for (const { part, seq } of this.#stray)
      this.#audit.refuse(seq, `the snapshot ${part} is of event ${seq}, and the log has no such event; delete it`);
  }

  /** The event after which there is something to compare; beyond all events if there is nothing. */
  get next(): number {
    return this.#due[0]?.seq ?? Number.POSITIVE_INFINITY;
  }

  /** Compares the snapshots of the event where the audit is. */
  async check(): Promise<void> {
    const { bandit } = this.#audit;
    const { seq } = bandit.state;
    const here = this.#due.filter((one) => one.seq === seq);
    if (here.length === 0) return;
    this.#due = this.#due.slice(here.length);
    for (const { part } of here) {
      const segment = ["", ...bandit.state.segments.keys()].find((name) => partOf(name) === part);
      const saved = (await this.#store.snapshots(this.#row.id, part)).find((one) => one.seq === seq);
      // One that is damaged, or is of another log, no server uses. One that is gone was replaced meanwhile. One of another version cannot be recomputed.
      const read = saved === undefined ? null : readSaved(saved);
      if (read?.genesis !== bandit.genesis || read.hash !== bandit.state.hash) continue;
      if (segment === undefined) this.#audit.refuse(seq, `the snapshot ${part} of event ${seq} is of a segment that the log does not have`);
      else if (this.#audit.isProved(segment) && comparable(readSaved(savedState(bandit, segment))!) !== comparable(read))
        this.#audit.refuse(seq, `the snapshot ${part} of event ${seq} is not what the log gives; delete it: the servers make another from the log`);
    }
  }
}

/** Whether an alarm was on comes from looking, not from the log. */
function comparable({ evidence, ...saved }: SavedState): string {
  return JSON.stringify({ ...saved, evidence: evidence === undefined ? undefined : { ...evidence, moved: undefined } });
}

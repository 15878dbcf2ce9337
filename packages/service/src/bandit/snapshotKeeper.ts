import type { LogEvent } from "../log/event.js";
import type { Store, StoredBandit } from "../store/store.js";
import type { Bandit } from "./bandit.js";
import { loadBandit, loadLearner } from "./loadBandit.js";
import { partOf, savedState } from "./savedState.js";

export interface SnapshotOptions {
  readonly store: Store;
  /** Milliseconds since 1970; for a bandit with this window, without jumps that do not last longer. */
  readonly now: (windowMs?: number) => number;
  readonly onProblem: (error: unknown) => void;
  /** Arms of all learners of a bandit in memory; for tests. */
  readonly mostArmsLoaded?: number;
}

const SNAPSHOT_EVENTS = 10_000;
const SNAPSHOT_MS = 60_000;
/** Arms of all learners in memory: when there are more, the learners that were not used for longest go. All segments of most bandits fit. */
const MOST_ARMS_LOADED = 4_000_000;
/** Arms of the learners that are saved at once: to write them down takes some milliseconds, during which requests wait. */
const ARMS_AT_ONCE = 10_000;

/** Saves the snapshots of a bandit from time to time, and with them forgets learners that were not used for long. */
export class SnapshotKeeper {
  readonly bandit: Bandit;
  readonly #row: StoredBandit;
  readonly #options: SnapshotOptions;
  /** The segments that have moved since their snapshots, including those that others have moved and that are not loaded. */
  readonly #moved: Set<string>;
  #savedSeq: number;
  #savedAt: number;
  /** The last event of the last snapshot that was completed, and when that was. */
  #complete: { readonly seq: number; readonly at: number };
  /** The segments that are still to be saved; null if none are. */
  #left: readonly string[] | null = null;

  private constructor(bandit: Bandit, row: StoredBandit, options: SnapshotOptions, moved: Set<string>, savedSeq: number) {
    this.bandit = bandit;
    this.#row = row;
    this.#options = options;
    this.#moved = moved;
    this.#savedSeq = savedSeq;
    this.#savedAt = options.now();
    this.#complete = { seq: savedSeq, at: this.#savedAt };
  }

  /** When the last snapshot was complete, or the bandit was loaded, in milliseconds since 1970; null if it has every event. */
  get completeAt(): number | null {
    return this.#complete.seq === this.bandit.state.seq ? null : this.#complete.at;
  }

  /** Loads a bandit, and notes what has moved since its last snapshot. */
  static async load(row: StoredBandit, options: SnapshotOptions): Promise<SnapshotKeeper> {
    const moved = new Set<string>();
    let savedSeq: number | undefined;
    const bandit = await loadBandit(options.store, row, (event) => {
      savedSeq ??= event.seq - 1;
      if ("segment" in event) moved.add(event.segment);
    });
    return new SnapshotKeeper(bandit, row, options, moved, savedSeq ?? bandit.state.seq);
  }

  /** Remembers which segments an event has moved. */
  note(event: LogEvent): void {
    if ("segment" in event) this.#moved.add(event.segment);
    else if (event.kind === "change" && event.arms !== undefined) for (const segment of this.bandit.learners.keys()) this.#moved.add(segment);
  }

  /** Whether something is to be saved now, or there are too many learners. */
  get isDue(): boolean {
    return this.#left !== null || this.#isOld || this.#excess > 0;
  }

  get #isOld(): boolean {
    return this.bandit.state.seq - this.#savedSeq >= SNAPSHOT_EVENTS || this.#options.now() - this.#savedAt >= SNAPSHOT_MS;
  }

  /** Saves a few learners, after each turn until all are saved, and forgets learners if there are too many. */
  async saveSome(): Promise<void> {
    if (this.#left === null && this.#isOld) this.#begin();
    if (this.#left !== null) await this.#tried(() => this.#saveNext());
    if (this.#excess > 0) await this.#tried(() => this.#forget());
  }

  /** Saves all that has changed since the last snapshot. */
  async save(): Promise<void> {
    this.#begin();
    while (this.#left !== null && (await this.#tried(() => this.#saveNext())));
  }

  #begin(): void {
    const { seq } = this.bandit.state;
    this.#savedAt = this.#options.now();
    if (seq === this.#savedSeq) return;
    this.#savedSeq = seq;
    // The default segment comes last, with the whole state: what the others were saved at is not after it.
    this.#left = [...[...this.#moved].filter((segment) => segment !== ""), ""];
  }

  /** The next learners that are to be saved. */
  async #saveNext(): Promise<void> {
    const { store } = this.#options;
    const { state, learners } = this.bandit;
    const left = this.#left!;
    const count = Math.max(1, Math.floor(ARMS_AT_ONCE / state.arms.size));
    const some = left.slice(0, count);
    for (const segment of some) {
      // Once the log is pruned, a segment can begin with a snapshot only: the server that saves the bandit ensures that each one has one.
      if (learners.has(segment) || (await store.snapshots(this.#row.id, partOf(segment))).length > 0) continue;
      const learner = await loadLearner(store, this.#row, this.bandit, segment);
      if (learner !== undefined) learners.set(segment, learner);
    }
    await this.#store(some.filter((segment) => learners.has(segment)));
    for (const segment of some) this.#moved.delete(segment);
    this.#left = left.length > count ? left.slice(count) : null;
    if (this.#left === null) this.#complete = { seq: this.#savedSeq, at: this.#options.now() };
  }

  #store(segments: readonly string[]): Promise<void> {
    const snapshots = segments.map((segment) => savedState(this.bandit, segment));
    return snapshots.length === 0 ? Promise.resolve() : this.#options.store.save(this.#row.id, snapshots);
  }

  /** How many learners are too many, besides that of the default segment, which stays. */
  get #excess(): number {
    const { learners, state } = this.bandit;
    return learners.size - 1 - Math.max(1, Math.floor((this.#options.mostArmsLoaded ?? MOST_ARMS_LOADED) / state.arms.size));
  }

  /** Those that were not used for longest go, and what they have learned since their snapshots is saved first. */
  async #forget(): Promise<void> {
    const { learners } = this.bandit;
    const gone = [...learners.keys()].filter((segment) => segment !== "").slice(0, this.#excess);
    await this.#store(gone.filter((segment) => this.#moved.has(segment)));
    for (const segment of gone) {
      learners.delete(segment);
      this.#moved.delete(segment);
    }
  }

  /** False if the store refused: the log has everything, and a snapshot only saves time at the next start. */
  async #tried(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#left = null;
      this.#options.onProblem(error);
      return false;
    }
  }
}

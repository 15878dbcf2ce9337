import type { LogEvent } from "../log/event.js";
import type { Store, StoredBandit } from "../store/store.js";
import type { Bandit } from "./bandit.js";
import { loadBandit, loadLearner } from "./loadBandit.js";
import { partOf, savedState } from "./savedState.js";

export interface SnapshotOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly onProblem: (error: unknown) => void;
}

const SNAPSHOT_EVENTS = 10_000;
const SNAPSHOT_MS = 60_000;
/** Learners in memory: when there are more, those that were not used for longest go, until there are fewer. */
const MOST_LOADED = 100;
const FEWER_LOADED = 80;

/** Saves the snapshots of a bandit from time to time, and with them forgets learners that were not used for long. */
export class SnapshotKeeper {
  readonly bandit: Bandit;
  readonly #row: StoredBandit;
  readonly #options: SnapshotOptions;
  /** The segments that have moved since their snapshots, including those that others have moved and that are not loaded. */
  readonly #moved: Set<string>;
  #savedSeq: number;
  #savedAt: number;

  private constructor(bandit: Bandit, row: StoredBandit, options: SnapshotOptions, moved: Set<string>, savedSeq: number) {
    this.bandit = bandit;
    this.#row = row;
    this.#options = options;
    this.#moved = moved;
    this.#savedSeq = savedSeq;
    this.#savedAt = options.now();
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
    else if (event.arms !== undefined) for (const segment of this.bandit.learners.keys()) this.#moved.add(segment);
  }

  async saveIfDue(): Promise<void> {
    const { learners, state } = this.bandit;
    const due = state.seq - this.#savedSeq >= SNAPSHOT_EVENTS || this.#options.now() - this.#savedAt >= SNAPSHOT_MS;
    if (!due && learners.size <= MOST_LOADED) return;
    if (!(await this.save()) || learners.size <= MOST_LOADED) return;
    for (const segment of learners.keys()) {
      if (learners.size <= FEWER_LOADED) return;
      if (segment !== "") learners.delete(segment);
    }
  }

  /** Saves what has changed since the last snapshot. False if the store refused: the log has everything, and a snapshot only saves time at the next start. */
  async save(): Promise<boolean> {
    try {
      await this.#save();
      return true;
    } catch (error) {
      this.#options.onProblem(error);
      return false;
    }
  }

  async #save(): Promise<void> {
    const { store, now } = this.#options;
    const { state, learners } = this.bandit;
    const { seq } = state;
    this.#savedAt = now();
    if (seq === this.#savedSeq) return;
    for (const segment of this.#moved) {
      // Once the log is pruned, a segment can begin with a snapshot only: the server that saves the bandit ensures that each one has one.
      if (learners.has(segment) || (await store.snapshots(this.#row.id, partOf(segment))).length > 0) continue;
      const learner = await loadLearner(store, this.#row, this.bandit, segment);
      if (learner === undefined || state.seq !== seq) return;
      learners.set(segment, learner);
    }
    if (state.seq !== seq) return;
    const segments = ["", ...[...this.#moved].filter((segment) => segment !== "" && learners.has(segment))];
    await store.save(
      this.#row.id,
      segments.map((segment) => savedState(this.bandit, segment)),
    );
    this.#moved.clear();
    this.#savedSeq = seq;
  }
}

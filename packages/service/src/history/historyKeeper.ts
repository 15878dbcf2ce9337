import type { BanditQueue } from "../bandit/banditQueue.js";
import { openDecision } from "../bandit/banditState.js";
import type { OpenDecision } from "../bandit/openDecisions.js";
import { takeSome } from "../bandit/takeSome.js";
import type { DecisionEvent, NumberedArm } from "../log/event.js";
import { eventOf } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import { POSITION, type Store, type StoredBandit } from "../store/store.js";
import { turn } from "../turn.js";
import { HistoryCell } from "./historyCell.js";
import type { HistoryChange, LossChange } from "./historyChange.js";
import { CHANGES, type FoldSnapshot, HistoryFold, type Piece } from "./historyFold.js";
import { KEPT_MS, LEVELS } from "./levels.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Open decisions that are read at once. */
const OPEN_AT_ONCE = 1_000;
/** Pieces that wait to be saved before a long catch-up saves. */
const MOST_UNSAVED = 2_000;

/** Where a history has got to, with the hash of that event and the oldest decision that was open then. */
interface Position {
  readonly fold: FoldSnapshot;
  readonly hash: string;
  readonly oldestOpen: number;
}

/** Folds the history of a bandit, from where the store has it on, or from the beginning of the log if the store has none that fits; and saves it there. */
export class HistoryKeeper {
  readonly #store: Store;
  readonly #queue: BanditQueue;
  #id = 0;
  #fold: HistoryFold;
  /** What was folded and is not in the store yet, and what is on its way there. */
  #unsaved = new Set<Piece>();
  #saving = new Set<Piece>();
  /** The changes of the last day, by their places. */
  readonly #recent = new Map<number, HistoryChange>();
  /** Whether events come from the queue; before that they are read from the log. */
  #isLive = false;
  #loading: Promise<void> | undefined;
  /** The decisions that are open where the log was read up to. */
  #waiting = new Map<string, OpenDecision>();
  #hash = "";

  constructor(store: Store, queue: BanditQueue) {
    this.#store = store;
    this.#queue = queue;
    this.#fold = this.#newFold([]);
    queue.listeners.add((event, ended) => {
      if (this.#isLive && event.seq > this.#fold.seq) this.#fold.take(event, ended);
    });
  }

  /** The last event that is in it, and the time of the log there. */
  get seq(): number {
    return this.#fold.seq;
  }

  get time(): number {
    return this.#fold.time;
  }

  /** Begins to read, if that was not begun; resolves when it has reached the end of the log. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    this.#loading.catch(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** The loss changes of the last day. */
  get recentChanges(): LossChange[] {
    const { time } = this;
    return [...this.#recent.values()].filter((change) => change.kind === "losses" && change.noticed > time - DAY) as LossChange[];
  }

  async cells(part: string, from: number, to: number): Promise<HistoryCell[]> {
    return (await this.#pieces(part, from, to)).map(([at, text]) => HistoryCell.fromText(at, text));
  }

  /** What began in a stretch of time, the newest first. */
  async changes(from: number, to: number): Promise<HistoryChange[]> {
    // It may have been noticed later.
    const all = (await this.#pieces(CHANGES, from, Number.MAX_SAFE_INTEGER)).map(([, text]) => JSON.parse(text) as HistoryChange);
    return all.filter(({ at }) => at >= from && at < to).sort((a, b) => b.at - a.at);
  }

  async #pieces(part: string, from: number, to: number): Promise<[number, string][]> {
    if (this.#id === 0) return [];
    const found = new Map((await this.#store.history(this.#id, part, from, to)).map(({ at, body }) => [at, body]));
    for (const pieces of [this.#saving, this.#unsaved])
      for (const piece of pieces) if (piece.part === part && piece.at >= from && piece.at < to) found.set(piece.at, piece.toText());
    return [...found].sort(([a], [b]) => a - b);
  }

  /** Saves what is new. What another server has saved already is left out. */
  async save(): Promise<void> {
    const { state } = this.#queue.bandit;
    const isAtEnd = this.#isLive && state.seq === this.#fold.seq;
    if (this.#saving.size > 0 || this.#unsaved.size === 0 || (this.#isLive && !isAtEnd)) return;
    const fold = this.#fold.snapshot();
    const position: Position = isAtEnd
      ? { fold, hash: state.hash, oldestOpen: state.open.oldest(state.seq + 1) }
      : { fold, hash: this.#hash, oldestOpen: oldestOf(this.#waiting) ?? fold.seq + 1 };
    const forget = [...LEVELS, { part: CHANGES, kept: KEPT_MS, width: 0 }].map(({ part, kept, width }) => ({
      part,
      before: fold.time - kept - width,
    }));
    const isKept = ({ part, at }: Piece) => forget.every((gone) => gone.part !== part || at >= gone.before);
    this.#saving = this.#unsaved;
    this.#unsaved = new Set();
    const pieces = [...this.#saving].filter(isKept).map((piece) => ({ part: piece.part, at: piece.at, body: piece.toText() }));
    try {
      await this.#store.saveHistory(this.#id, {
        seq: fold.seq,
        rows: [...pieces, { part: POSITION, at: 0, body: JSON.stringify(position) }],
        forget,
      });
    } catch (error) {
      this.#unsaved = new Set([...this.#saving, ...this.#unsaved]);
      throw error;
    } finally {
      this.#saving = new Set();
    }
  }

  #newFold(arms: readonly NumberedArm[]): HistoryFold {
    return new HistoryFold(
      arms,
      (piece) => this.#unsaved.add(piece),
      (place, change) => this.#noteRecent(place, change),
    );
  }

  #noteRecent(place: number, change: HistoryChange): void {
    this.#recent.set(place, change);
    for (const old of this.#recent.keys()) if (old < place - DAY) this.#recent.delete(old);
  }

  async #load(): Promise<void> {
    const { bandit } = this.#queue;
    const row = await this.#store.bandit(bandit.name);
    if (row === null) return;
    this.#id = row.id;
    this.#unsaved = new Set();
    if (!(await this.#restored(row))) {
      const created = bandit.document.arms.map((name, number) => ({ name, number }));
      this.#fold = this.#newFold(row.prunedSeq === 0 ? created : [...bandit.state.arms.values()].map(({ name, number }) => ({ name, number })));
      this.#fold.seq = row.prunedSeq;
      this.#waiting = new Map();
    }
    while (this.#fold.seq < bandit.state.seq) {
      const read = await takeSome(this.#store, row.id, this.#fold.seq, bandit.state.seq, this.#waiting, (event, ended, hash) => {
        this.#fold.take(event, ended);
        this.#hash = hash;
      });
      if (read === 0) throw new ServiceError("ERR_REPLAY", `the log of ${bandit.name} ends at event ${this.#fold.seq}: restart the server`);
      if (this.#unsaved.size > MOST_UNSAVED) await this.save();
      await turn();
    }
    this.#isLive = true;
    this.#waiting = new Map();
  }

  /** Takes over what the store has. False if it has nothing, or something that does not fit the log, which is dropped. */
  async #restored(row: StoredBandit): Promise<boolean> {
    const store = this.#store;
    const [saved] = await store.history(row.id, POSITION, 0, 1);
    if (saved === undefined) return false;
    const { fold, hash, oldestOpen } = JSON.parse(saved.body) as Position;
    const { seq, time } = fold;
    const [event] = seq > row.prunedSeq ? await store.events(row.id, seq - 1, 1) : [];
    const found = seq === row.prunedSeq ? row.prunedHash : event?.seq === seq ? event.hash : "";
    const cells: HistoryCell[] = [];
    for (const { part, width } of LEVELS) {
      const at = Math.floor(time / width) * width;
      const [cell] = await store.history(row.id, part, at, at + 1);
      if (cell !== undefined) cells.push(HistoryCell.fromText(at, cell.body));
    }
    if (found !== hash || cells.length < LEVELS.length) {
      await store.dropHistory(row.id, seq);
      return false;
    }
    const fine = LEVELS[0]!;
    const recent = await store.history(row.id, fine.part, time - HOUR, cells[0]!.at);
    const changes = await store.history(row.id, CHANGES, time - DAY, Number.MAX_SAFE_INTEGER);
    const open = new Map<number, LossChange>();
    for (const { at, body } of changes) {
      const change = JSON.parse(body) as HistoryChange;
      this.#recent.set(at, change);
      if (change.kind === "losses" && change.isOpen) open.set(at, change);
    }
    this.#fold = this.#newFold([]);
    const before = recent.map(({ at, body }) => HistoryCell.fromText(at, body));
    this.#fold.restore(fold, cells, before, open);
    this.#waiting = new Map();
    for (const [i, read] of (await store.open(row.id, oldestOpen, seq)).entries()) {
      this.#waiting.set(read.decision!, openDecision(eventOf(read) as DecisionEvent));
      if ((i + 1) % OPEN_AT_ONCE === 0) await turn();
    }
    this.#hash = hash;
    return true;
  }
}

function oldestOf(waiting: ReadonlyMap<string, OpenDecision>): number | undefined {
  for (const { seq } of waiting.values()) return seq;
  return undefined;
}

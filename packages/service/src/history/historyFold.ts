import type { OpenDecision } from "../bandit/openDecisions.js";
import type { ChangeEvent, DecisionEvent, ExpiryEvent, FeedbackEvent, LogEvent, NumberedArm } from "../log/event.js";
import { ChangeDetector, type DetectorSnapshot } from "./changeDetector.js";
import { HistoryCell } from "./historyCell.js";
import type { HistoryChange, LossChange } from "./historyChange.js";
import { LEVELS } from "./levels.js";
import { binOf } from "./lossSketch.js";
import { Patience } from "./patience.js";
import { settingsOf } from "./settingsOf.js";
import { TrafficWatch } from "./trafficWatch.js";

/** Arms whose losses are watched for changes, in the order in which they came. */
const MOST_WATCHED = 64;

/** What a fold goes on with after a restart, besides its last cells and changes. */
export interface FoldSnapshot {
  readonly seq: number;
  readonly time: number;
  readonly arms: readonly NumberedArm[];
  readonly detectors: readonly (readonly [number: number, name: string, detector: DetectorSnapshot])[];
  readonly patience: readonly number[];
  readonly lastChange: number;
}

/** A cell with its level, or a change, as it is to be saved: always the same object for the same one. */
export interface Piece {
  readonly part: string;
  readonly at: number;
  toText(): string;
}

/** The part of a history that has its changes. */
export const CHANGES = "change";

/**
 * The history of a bandit, folded from its log: what follows from the same events is the same. The time of an event is the latest that the log has had so far, so that a
 * clock that is behind adds to the cell that is under way.
 */
export class HistoryFold {
  seq = 0;
  time = 0;
  #arms: readonly NumberedArm[];
  /** The cells that are under way, with their pieces. */
  readonly #cells: ({ readonly cell: HistoryCell; readonly piece: Piece } | undefined)[] = LEVELS.map(() => undefined);
  readonly #detectors = new Map<number, { readonly name: string; detector: ChangeDetector }>();
  #patience = new Patience();
  readonly #traffic = new TrafficWatch();
  /** Loss changes whose medians or traffic may still move, by their places. */
  readonly #open = new Map<number, LossChange>();
  readonly #changes = new WeakMap<HistoryChange, Piece>();
  #lastChange = 0;

  /** `onPiece` is given every cell and change that is new or has changed, again and again while it changes; `onChange` the changes with their places. */
  constructor(
    arms: readonly NumberedArm[],
    readonly onPiece: (piece: Piece) => void,
    readonly onChange: (place: number, change: HistoryChange) => void,
  ) {
    this.#arms = arms;
  }

  /** Takes an event, in the order of the log. `ended` is the decision that it ended, if it did. */
  take(event: LogEvent, ended: OpenDecision | undefined): void {
    this.seq = event.seq;
    this.time = Math.max(this.time, event.at);
    this.#roll();
    if (event.kind === "decision") this.#decided(event);
    else if (event.kind === "change") this.#changed(event);
    else if ((event.kind === "feedback" || event.kind === "expiry") && ended !== undefined) this.#ended(event, ended);
  }

  #roll(): void {
    for (const [i, { width }] of LEVELS.entries()) {
      const at = Math.floor(this.time / width) * width;
      const last = this.#cells[i]?.cell;
      if (last?.at === at) continue;
      this.#begin(i, new HistoryCell(at));
      if (i > 0 || last === undefined) continue;
      this.#traffic.add(last);
      for (const number of this.#detectors.keys()) this.#look(number);
      for (const [place, change] of this.#open) this.#follow(place, change);
    }
  }

  #begin(level: number, cell: HistoryCell): void {
    this.#cells[level] = { cell, piece: { part: LEVELS[level]!.part, at: cell.at, toText: () => cell.toText() } };
  }

  #each(touch: (cell: HistoryCell) => void): void {
    for (const current of this.#cells) {
      touch(current!.cell);
      this.onPiece(current!.piece);
    }
  }

  #decided({ seq, arm, number, holdout, segment, probabilities }: DecisionEvent): void {
    const known = probabilities !== undefined && segment === "" && probabilities.length === this.#arms.length;
    this.#each((cell) => {
      cell.arm(number, arm)[holdout ? "holdout" : "decisions"]++;
      if (known) cell.probabilities = this.#arms.map((its, place) => [its.number, probabilities[place]!]);
    });
    let watched = this.#detectors.get(number);
    if (watched === undefined) {
      if (this.#detectors.size >= MOST_WATCHED) return;
      watched = { name: arm, detector: new ChangeDetector() };
      this.#detectors.set(number, watched);
    }
    watched.detector.decided(seq, this.time);
  }

  #ended(event: FeedbackEvent | ExpiryEvent, { number, arm, seq, at }: OpenDecision): void {
    const { loss } = event;
    const bin = loss === null ? null : binOf(loss);
    this.#each((cell) => {
      const its = cell.arm(number, arm);
      if (event.kind === "expiry") its.expired++;
      else its.losses.add(bin!);
    });
    if (event.kind === "feedback" && this.#patience.note(event.at - at)) {
      // What was left out before is not left out now: comparisons begin again.
      for (const watched of this.#detectors.values()) watched.detector = new ChangeDetector();
    }
    this.#detectors.get(number)?.detector.ended(seq, bin);
    this.#look(number);
  }

  #look(number: number): void {
    const watched = this.#detectors.get(number);
    const found = watched?.detector.look(this.time, this.#patience.ms) ?? null;
    if (found === null) return;
    const { at, before, after } = found;
    const share = this.#traffic.shareBefore(number, at);
    const own = { arm: watched!.name, number, before, after, share, movedAfter: null, shareLater: null, isOpen: true };
    for (const change of this.#open.values()) if (change.number === number) change.isOpen = false;
    const change: LossChange = { kind: "losses", at, noticed: this.time, ...own };
    this.#follow(this.#note(change), change);
  }

  #follow(place: number, change: LossChange): void {
    if (change.isOpen) {
      change.after = this.#detectors.get(change.number)?.detector.youngMedian ?? change.after;
      this.#traffic.follow(change, this.time);
    }
    if (change.isOpen) this.#open.set(place, change);
    else this.#open.delete(place);
    this.#say(place, change);
  }

  #changed(event: ChangeEvent): void {
    this.#note({ kind: "settings", at: this.time, noticed: this.time, settings: settingsOf(event, this.#arms), by: event.by ?? null });
    if (event.arms === undefined) return;
    this.#arms = event.arms;
    for (const number of this.#detectors.keys()) if (!this.#arms.some((arm) => arm.number === number)) this.#detectors.delete(number);
  }

  /** Gives a change its place: the time at which it was noticed, or the next that is free. */
  #note(change: HistoryChange): number {
    this.#lastChange = Math.max(this.time, this.#lastChange + 1);
    this.#say(this.#lastChange, change);
    return this.#lastChange;
  }

  #say(place: number, change: HistoryChange): void {
    this.onChange(place, change);
    const piece = this.#changes.get(change) ?? { part: CHANGES, at: place, toText: () => JSON.stringify(change) };
    this.#changes.set(change, piece);
    this.onPiece(piece);
  }

  snapshot(): FoldSnapshot {
    const { seq, time } = this;
    const detectors = [...this.#detectors].map(([number, { name, detector }]) => [number, name, detector.snapshot()] as const);
    return { seq, time, arms: this.#arms, detectors, patience: this.#patience.snapshot(), lastChange: this.#lastChange };
  }

  /** Goes on where a snapshot was taken. `cells` are the last ones of each level, `recent` the finest ones before, `changes` those that are still open, by their places. */
  restore(snapshot: FoldSnapshot, cells: readonly HistoryCell[], recent: readonly HistoryCell[], changes: ReadonlyMap<number, LossChange>): void {
    const { seq, time, arms, detectors, patience, lastChange } = snapshot;
    Object.assign(this, { seq, time });
    this.#arms = arms;
    for (const [number, name, detector] of detectors) this.#detectors.set(number, { name, detector: ChangeDetector.restore(detector) });
    this.#patience = Patience.restore(patience);
    this.#lastChange = lastChange;
    for (const [i, cell] of cells.entries()) this.#begin(i, cell);
    for (const cell of recent) this.#traffic.add(cell);
    for (const [place, change] of changes) this.#open.set(place, change);
  }
}

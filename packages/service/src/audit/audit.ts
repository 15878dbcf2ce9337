import { Compile } from "typebox/compile";
import type { Bandit } from "../bandit/bandit.js";
import { completeDocument } from "../bandit/document.js";
import { freshBandit } from "../bandit/loadBandit.js";
import { isMoment } from "../bandit/pendingEvents.js";
import { replay } from "../bandit/replay.js";
import type { LogEvent } from "../log/event.js";
import { isErased, markOf } from "../log/origin.js";
import type { NewBandit, ReadEvent } from "../log/storedEvent.js";
import { NAME, NewBandit as NewDocument } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import { OWN } from "../version.js";

/** What an audit found. */
export interface Audited {
  readonly name: string;
  /** The event after which it began: 0 if that was the first, more if the log was pruned and the audit began at a snapshot. */
  readonly after: number;
  readonly events: number;
  readonly decisions: number;
  /**
   * Decisions that this version cannot prove: another version of the library made them, or they follow from a state that another version handed over, or from a
   * snapshot of a log whose beginning was pruned and not given.
   */
  readonly unproved: number;
  /** The names of these versions, also of one that handed over a state from which nothing has been decided yet: if there is any, not everything is proved. */
  readonly versions: readonly string[];
  readonly segments: number;
  /** Decisions whose ids were erased: they are proved like the others. */
  readonly erased: number;
  /** Where events were dropped by a repair: the event that says so, how many they were, and the hash of the last one. */
  readonly repairs: readonly { readonly seq: number; readonly dropped: number; readonly head: string }[];
  /** The hash of the last event: kept elsewhere, it shows later whether the log still has it. */
  readonly head: string;
  /** Which of the hashes that were looked for the log has, each with the number of its event. */
  readonly heads: readonly { readonly hash: string; readonly seq: number }[];
  /** The first event that is not as it must be. */
  readonly differs: { readonly seq: number; readonly message: string } | null;
}

const AFTER = { decision: "open", feedback: "answered", expiry: "expired", late: "late" } as const;
type Became = (typeof AFTER)[keyof typeof AFTER];
const NAMES = new RegExp(NAME);
const documents = Compile(NewDocument);
const HOW = { everySegment: true, otherVersions: true };

/** Recomputes every decision of a log, from its first event on: the chain, the draws, the probabilities, to the last bit. */
export class Audit {
  readonly bandit: Bandit;
  /** What has become of each decision, so that no id is used twice and no late feedback comes twice. */
  #decided = new Map<string, Became>();
  /** The same of decisions before the last place where the log was pruned: their ids may come again. */
  #forgotten = new Map<string, Became>();
  /** Decisions that have expired, by their marks: the id of late feedback may have been erased since. */
  readonly #expired = new Map<string, string>();
  /** Marks of ids that were erased, with their first events, until an event says so. */
  readonly #unannounced = new Map<string, number>();
  /** Whether all events before the present one were seen as they are now, and not as a file or a snapshot had them before an erasure. */
  #isWhole: boolean;
  /** The first outcome that is not in its slot, though its decision was not pruned. */
  #slotless: number | null = null;
  /** Ids that were erased from some events of their decisions only, with these events. */
  readonly #halfErased = new Map<string, number>();
  readonly #repairs: { readonly seq: number; readonly dropped: number; readonly head: string }[] = [];
  #erased = 0;
  /** The segments of decisions that are not of the default one. */
  readonly #segments = new Map<string, string>();
  readonly #versions = new Set<string>();
  /** Segments whose state another version handed over. */
  readonly #handedOver = new Set<string>();
  readonly #sought: ReadonlySet<string>;
  readonly #heads: { readonly hash: string; readonly seq: number }[] = [];
  readonly #after: number;
  #events = 0;
  #decisions = 0;
  #unproved = 0;
  #differs: Audited["differs"] = null;

  /** `bandit` may be one that a snapshot was restored into; then the audit begins there. `heads`: hashes of events to look for. */
  constructor(created: NewBandit, heads: readonly string[] = [], bandit: Bandit = freshBandit(created)) {
    requireComplete(created, bandit);
    this.bandit = bandit;
    this.#after = bandit.state.seq;
    this.#isWhole = this.#after === 0;
    this.#sought = new Set(heads);
    this.#seek();
  }

  #seek(): void {
    const { hash, seq } = this.bandit.state;
    if (this.#sought.has(hash)) this.#heads.push({ hash, seq });
  }

  /** False at the first event that differs. */
  take(rows: Iterable<ReadEvent>): boolean {
    for (const row of rows) if (!this.takeOne(row)) return false;
    return true;
  }

  /** False if it differs, or one before it did. */
  takeOne(row: ReadEvent): boolean {
    if (this.#differs !== null) return false;
    const next = this.bandit.state.seq + 1;
    try {
      this.#replay(row);
    } catch (error) {
      // The one that should have come: one that is missing differs first.
      this.#differs = { seq: next, message: (error as Error).message };
      return false;
    }
    this.#events++;
    return true;
  }

  #replay(row: ReadEvent): void {
    const { state } = this.bandit;
    if (row.seq !== state.seq + 1) throw new ServiceError("ERR_REPLAY", `event ${state.seq + 1} is missing: event ${row.seq} stands in its place`);
    if (row.seq > 1 && row.before !== state.hash) {
      throw new ServiceError("ERR_REPLAY", `event ${row.seq} follows an event with the hash ${row.before}, and the one before it has ${state.hash}`);
    }
    const before = row.kind === "version" ? state.bitsOf(row.segment!) : null;
    const { event } = replay(this.bandit, row, HOW);
    this.#requireOnce(row, event);
    this.#seek();
    if (event.kind === "version") {
      this.#handedOver.add(event.segment);
      for (const { bits, version } of [before!, event]) if (bits !== OWN.bits) this.#versions.add(version);
    }
    if (event.kind === "repair") this.#repairs.push({ seq: event.seq, dropped: event.dropped, head: event.head });
    this.#noteErasure(row, event);
    if (event.kind !== "decision") return;
    this.#decisions++;
    const { bits, version } = state.bitsOf(event.segment);
    if (bits !== OWN.bits) this.#versions.add(version);
    if (bits !== OWN.bits || this.#after > 0 || this.#handedOver.has(event.segment)) this.#unproved++;
  }

  /** What was erased is in the log as it was, but for the id; an event after it says who did it. */
  #noteErasure({ seq, kind, decision }: ReadEvent, event: LogEvent): void {
    if (event.kind === "erasure") this.#announce(event.seq, event.mark);
    if (event.kind === "repair") for (const mark of event.erased ?? []) this.#announce(event.seq, mark);
    if (decision === null || !isErased(decision)) return;
    if (kind === "decision") this.#erased++;
    const mark = decision.slice(1);
    if (!this.#unannounced.has(mark)) this.#unannounced.set(mark, seq);
  }

  #announce(seq: number, mark: string): void {
    if (this.#unannounced.delete(mark) || !this.#isWhole) return;
    throw new ServiceError(
      "ERR_REPLAY",
      `event ${seq} says that the id with the mark ${mark} was erased, and no event before it has lost such an id`,
    );
  }

  /** The first outcome that is in no slot. That is so where its decision was pruned; this audit has seen the decision. */
  get slotless(): number | null {
    return this.#slotless;
  }

  /** Ids that were erased from some events of their decisions only, as far as this audit has seen them. */
  get halfErased(): ReadonlyMap<string, number> {
    return this.#halfErased;
  }

  /** The marks of ids that are gone though no event so far says so. */
  get unannounced(): readonly string[] {
    return [...this.#unannounced.keys()];
  }

  /** At the end of the log: refuses ids that are gone though no event says so. */
  end(): void {
    for (const seq of this.#unannounced.values()) this.refuse(seq, `the id of event ${seq} was erased, and no event of the log says so`);
  }

  /** Whether the state of a segment is recomputed from the first event on, by this version. */
  isProved(segment: string): boolean {
    return this.bandit.state.bitsOf(segment).bits === OWN.bits && !this.#handedOver.has(segment);
  }

  /** Notes that something else than an event differs. */
  refuse(seq: number, message: string): void {
    this.#differs ??= { seq, message };
  }

  #requireOnce(row: ReadEvent, event: LogEvent): void {
    if (!("decision" in event)) return;
    const { kind, seq, segment, origin } = event;
    const mark = kind === "expiry" || kind === "late" ? markOf(event.decision, origin) : "";
    const decision = (kind === "late" ? this.#expired.get(mark) : undefined) ?? event.decision;
    if (kind === "late" && this.#after === 0 && !this.#expired.has(mark))
      throw new ServiceError("ERR_REPLAY", `event ${seq} (late) does not follow from the log: no decision with its mark has expired`);
    const decided = kind === "decision" || this.#decided.has(decision) ? this.#decided : this.#forgotten;
    const before = decided.get(decision);
    if (kind !== "decision" && this.#decided.has(decision)) {
      if (row.slot === null) this.#slotless ??= seq;
      if (isErased(row.decision!) !== isErased(decision)) this.#halfErased.set(isErased(decision) ? row.decision! : decision, seq);
    }
    if (kind === "decision" ? before !== undefined : kind === "late" && before !== "expired" && this.#after === 0) {
      throw new ServiceError(
        "ERR_REPLAY",
        `event ${seq} (${kind}) does not follow from the log: the decision ${decision} is ${before ?? "unknown"} already`,
      );
    }
    if (kind === "late" && before !== undefined && (this.#segments.get(decision) ?? "") !== segment)
      throw new ServiceError("ERR_REPLAY", `event ${seq} (late) does not follow from the log: the decision ${decision} is of another segment`);
    if (kind === "decision" && segment !== "") this.#segments.set(decision, segment);
    decided.set(decision, AFTER[kind]);
    if (kind === "expiry") this.#expired.set(mark, decision);
  }

  /** The log was pruned here, and with its events their ids were forgotten. */
  forget(): void {
    if (this.bandit.state.seq === 0) return;
    if (this.#forgotten.size === 0) this.#forgotten = this.#decided;
    else for (const [decision, became] of this.#decided) this.#forgotten.set(decision, became);
    this.#decided = new Map();
    this.goOnLater();
  }

  /** What comes is read later than what came so far, and ids may have been erased in between. */
  goOnLater(): void {
    this.#isWhole = false;
  }

  get result(): Audited {
    const { name, state } = this.bandit;
    return {
      name,
      after: this.#after,
      events: this.#events,
      decisions: this.#decisions,
      unproved: this.#unproved,
      versions: [...this.#versions],
      segments: state.segments.size,
      erased: this.#erased,
      repairs: this.#repairs,
      head: state.hash,
      heads: this.#heads,
      differs: this.#differs,
    };
  }
}

/** A document that this version completed is what it completes now. */
function requireComplete({ name, document, bits, createdAt }: NewBandit, bandit: Bandit): void {
  if (!(NAMES.test(name) && isMoment(createdAt))) throw new ServiceError("ERR_REPLAY", `no bandit was created as ${name} at the time ${createdAt}`);
  const complete = () => {
    try {
      return JSON.stringify(completeDocument(bandit.document));
    } catch {
      return null;
    }
  };
  if (bits === OWN.bits && (complete() !== document || !documents.Check(bandit.document)))
    throw new ServiceError("ERR_REPLAY", `the document of ${name} is not one that the service writes`);
}

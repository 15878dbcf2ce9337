import type { Bandit } from "../bandit/bandit.js";
import { freshBandit } from "../bandit/loadBandit.js";
import type { LogEvent } from "../log/event.js";
import { fromRow, type NewBandit, type ReadEvent } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import { OWN } from "../version.js";
import { requireSameEvidence } from "./savedEvidence.js";

/** What an audit found. */
export interface Audited {
  readonly name: string;
  /** The event after which it began: 0 if that was the first, more if the log was pruned and the audit began at a snapshot. */
  readonly after: number;
  readonly events: number;
  readonly decisions: number;
  /** Decisions that another version of the library made: they are taken as recorded. */
  readonly otherVersions: number;
  /** The names of these versions. */
  readonly versions: readonly string[];
  readonly segments: number;
  /** The hash of the last event: whoever wrote it down can tell later whether the log is still the same. */
  readonly head: string;
  /** The first event that is not as it must be. */
  readonly differs: { readonly seq: number; readonly message: string } | null;
}

const AFTER = { decision: "open", feedback: "answered", expiry: "expired", late: "late" } as const;
type Became = (typeof AFTER)[keyof typeof AFTER];
const HOW = { everySegment: true, otherVersions: true };

/** Recomputes every decision of a log, from its first event on: the chain, the draws, the probabilities, to the last bit. */
export class Audit {
  readonly bandit: Bandit;
  /** What has become of each decision, so that no id is used twice and no late feedback comes twice. */
  #decided = new Map<string, Became>();
  /** The same of decisions before the last place where the log was pruned: their ids may come again. */
  #forgotten = new Map<string, Became>();
  readonly #versions = new Set<string>();
  readonly #after: number;
  #events = 0;
  #decisions = 0;
  #otherVersions = 0;
  #differs: Audited["differs"] = null;
  /** What snapshots say about the evidence after some events. */
  saved: ReadonlyMap<number, string> = new Map();

  /** `bandit` may be one that a snapshot was restored into; then the audit begins there. */
  constructor(created: NewBandit, bandit: Bandit = freshBandit(created)) {
    this.bandit = bandit;
    this.#after = bandit.state.seq;
  }

  /** False at the first event that differs. */
  take(rows: Iterable<ReadEvent>): boolean {
    for (const row of rows) if (!this.takeOne(row)) return false;
    return true;
  }

  /** False if it differs, or one before it did. */
  takeOne(row: ReadEvent): boolean {
    if (this.#differs !== null) return false;
    const { state } = this.bandit;
    const next = state.seq + 1;
    try {
      this.#replay(row);
      requireSameEvidence(this.saved.get(row.seq), state.evidence!, row.seq);
    } catch (error) {
      // The one that should have come: one that is missing differs first.
      this.#differs = { seq: next, message: (error as Error).message };
      return false;
    }
    this.#events++;
    return true;
  }

  #replay(row: ReadEvent): void {
    const { state, genesis } = this.bandit;
    if (row.seq !== state.seq + 1) throw new ServiceError("ERR_REPLAY", `event ${state.seq + 1} is missing: event ${row.seq} stands in its place`);
    if (row.seq > 1 && row.before !== state.hash) {
      throw new ServiceError("ERR_REPLAY", `event ${row.seq} follows an event with the hash ${row.before}, and the one before it has ${state.hash}`);
    }
    const event = fromRow(row, genesis);
    this.#requireOnce(event);
    this.bandit.replay(event, row.hash, HOW);
    if (event.kind !== "decision") return;
    this.#decisions++;
    const { bits, version } = state.bitsOf(event.segment);
    if (bits === OWN.bits) return;
    this.#otherVersions++;
    this.#versions.add(version);
  }

  #requireOnce(event: LogEvent): void {
    if (!("decision" in event)) return;
    const { decision, kind, seq } = event;
    const decided = kind === "decision" || this.#decided.has(decision) ? this.#decided : this.#forgotten;
    const before = decided.get(decision);
    if (kind === "decision" ? before !== undefined : kind === "late" && before !== "expired" && this.#after === 0) {
      throw new ServiceError(
        "ERR_REPLAY",
        `event ${seq} (${kind}) does not follow from the log: the decision ${decision} is ${before ?? "unknown"} already`,
      );
    }
    decided.set(decision, AFTER[kind]);
  }

  /** The log was pruned here, and with its events their ids were forgotten. */
  forget(): void {
    if (this.#forgotten.size === 0) this.#forgotten = this.#decided;
    else for (const [decision, became] of this.#decided) this.#forgotten.set(decision, became);
    this.#decided = new Map();
  }

  get result(): Audited {
    const { name, state } = this.bandit;
    return {
      name,
      after: this.#after,
      events: this.#events,
      decisions: this.#decisions,
      otherVersions: this.#otherVersions,
      versions: [...this.#versions],
      segments: state.segments.size,
      head: state.hash,
      differs: this.#differs,
    };
  }
}

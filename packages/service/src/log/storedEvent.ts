import type { EventKind } from "./event.js";

/**
 * One row of a log. Two constraints of the store are what "exactly once" rests on: (bandit, seq) is unique, and (bandit, decision, slot) is unique:
 * slot 0 is the decision itself, 1 its outcome (feedback or expiry), 2 its late feedback. Events that are about no decision have neither decision nor slot.
 * What is left of a decision that was pruned has no slot any more, so that its id can be used again.
 */
export interface StoredEvent {
  readonly seq: number;
  readonly kind: EventKind;
  readonly decision: string | null;
  readonly slot: 0 | 1 | 2 | null;
  /** "" is the default segment; null if the event is about the whole bandit. */
  readonly segment: string | null;
  readonly at: number;
  /** The other fields, as JSON. */
  readonly body: string;
  /** Chains it to the event before it. */
  readonly hash: string;
}

/** An event that was read, with the hash of the one before it ("" before the first), so that it can be checked. */
export interface ReadEvent extends StoredEvent {
  readonly before: string;
}

import type { DecisionEvent, ExpiryEvent, FeedbackEvent, LateEvent } from "../log/event.js";
import { fromRow } from "../log/storedEvent.js";
import { ServiceError } from "../serviceError.js";
import type { StoredDecision } from "../store/store.js";

/** All that the log says about one decision. */
export interface KnownDecision {
  readonly decision: DecisionEvent;
  readonly outcome: FeedbackEvent | ExpiryEvent | null;
  readonly late: LateEvent | null;
}

/** Reads a decision that is not open from the store; refuses rows that were changed, and a decision whose outcome is not there any more. */
export function knownDecision({ decision, outcome, late }: StoredDecision, genesis: string): KnownDecision {
  const made = fromRow(decision, genesis) as DecisionEvent;
  if (outcome === null) {
    const message = `the outcome of the decision ${made.decision} (event ${made.seq}) is missing: the log was changed; restore the store from a backup`;
    throw new ServiceError("ERR_REPLAY", message, { seq: made.seq });
  }
  return {
    decision: made,
    outcome: fromRow(outcome, genesis) as FeedbackEvent | ExpiryEvent,
    late: late === null ? null : (fromRow(late, genesis) as LateEvent),
  };
}

import { TsallisError } from "tsallis";
import type { Change, Decision, Feedback, FeedbackResult } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import type { Request } from "./desk.js";
import { timeOrderedId } from "./timeOrderedId.js";

/** Some decisions, each or the error that refuses it. */
export function decide(asked: readonly { readonly id?: string; readonly segment?: string }[]): Request<(Decision | Error)[]> {
  const decisions = asked.map(({ id = timeOrderedId(), segment = "" }) => ({ id, segment }));
  return {
    decisions: [],
    // An id that was made here is new.
    made: asked.flatMap(({ id }) => (id === undefined ? [] : [id])),
    segments: decisions.map(({ segment }) => segment),
    // The event of a version may come before each.
    weight: decisions.length,
    run: (draft) => decisions.map(({ id, segment }) => orError(() => draft.decide(id, segment))),
  };
}

/** Some feedback; for each what became of it, or the error that refuses it. */
export function feedback(given: readonly { readonly id: string; readonly feedback: Feedback }[]): Request<(FeedbackResult | Error)[]> {
  return {
    decisions: given.map(({ id }) => id),
    segments: [],
    weight: given.length,
    run: (draft) => given.map(({ id, feedback: one }) => orError(() => draft.feedback(id, one))),
  };
}

export function change(wanted: Change): Request<void> {
  return { decisions: [], segments: [], weight: 1, alone: true, run: (draft) => draft.change(wanted) };
}

/** One refused item does not refuse the others. A defect does. */
function orError<T>(run: () => T): T | Error {
  try {
    return run();
  } catch (error) {
    if (error instanceof ServiceError || error instanceof TsallisError) return error;
    throw error;
  }
}

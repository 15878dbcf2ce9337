import { randomUUID } from "node:crypto";
import { TsallisError } from "tsallis";
import type { Origin } from "../log/origin.js";
import type { Change, Feedback, FeedbackResult } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import type { Asker, MadeDecision, PendingEvents } from "./pendingEvents.js";

/** A request to a bandit. It may be tried more than once, until it is written. */
export interface BanditRequest<Answer> {
  /** The decisions that it is about; those that it makes, which are thought to be new until the store says otherwise; the segments in which it may decide. */
  readonly decisions: readonly string[];
  readonly made?: readonly string[];
  readonly segments: readonly string[];
  /** How many events it may write. */
  readonly weight: number;
  /** Whether it must have a turn of its own. */
  readonly alone?: boolean;
  /** The id that it erases. */
  readonly erases?: string;
  run(pending: PendingEvents): Answer;
}

/** Some decisions, each or the error that refuses it. */
export function decide(
  asked: readonly { readonly id?: string; readonly segment?: string }[],
  asker: Asker | null = null,
  from: Origin = {},
): BanditRequest<(MadeDecision | Error)[]> {
  const decisions = asked.map(({ id = timeOrderedId(), segment = "" }) => ({ id, segment }));
  return {
    decisions: [],
    // An id that was made here is new.
    made: asked.flatMap(({ id }) => (id === undefined ? [] : [id])),
    segments: decisions.map(({ segment }) => segment),
    // The event of a version may come before each.
    weight: decisions.length,
    run: (pending) => decisions.map(({ id, segment }) => orError(() => pending.decide(id, segment, asker, from))),
  };
}

/** Some feedback; for each what became of it, or the error that refuses it. */
export function feedback(
  given: readonly { readonly id: string; readonly feedback: Feedback & { readonly arm?: string } }[],
  from: Origin = {},
): BanditRequest<(FeedbackResult | Error)[]> {
  return {
    decisions: given.map(({ id }) => id),
    segments: [],
    weight: given.length,
    run: (pending) => given.map(({ id, feedback: one }) => orError(() => pending.feedback(id, one, from))),
  };
}

/** Changes the settings. `revision`: those that the change is meant for; if they are others by now, it is refused. */
export function change(
  wanted: Change & { readonly forgotten?: readonly string[] },
  { by, revision, from }: { readonly by?: string | undefined; readonly revision?: string | undefined; readonly from?: Origin } = {},
): BanditRequest<void> {
  const run = (pending: PendingEvents) => {
    const { name, revision: present } = pending.bandit;
    if (revision !== undefined && revision !== present) {
      const message = `${name} was changed meanwhile: its ETag is "${present}" now; look at it, and send the change again with that in if-match`;
      throw new ServiceError("ERR_REVISION", message, { parameter: "if-match" });
    }
    pending.change(wanted, by, from);
  };
  return { decisions: [], segments: [], weight: 1, alone: true, run };
}

/** Ends open decisions before their time, without learning anything from them. */
export function expire(decisions: readonly string[], by: string): BanditRequest<void> {
  const run = (pending: PendingEvents) => {
    for (const id of decisions) pending.expire(id, by);
  };
  return { decisions, segments: [], weight: decisions.length, run };
}

/** Erases the id of a decision from the log. Answers from how many events. */
export function erase(id: string, by?: string, from?: Origin): BanditRequest<number> {
  return { decisions: [], segments: [], weight: 2, alone: true, erases: id, run: (pending) => pending.erase(id, by, from) };
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

/** A UUID of version 7 (RFC 9562): the first 48 bits are the time, so that neighbours in time are neighbours in the index. */
function timeOrderedId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

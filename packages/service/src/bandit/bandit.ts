import type { DecisionEvent, ExpiryEvent, FeedbackEvent, LogEvent, VersionEvent } from "../log/event.js";
import { genesis, type NewBandit } from "../log/storedEvent.js";
import type { Document } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import { isNewer, OWN } from "../version.js";
import { BanditState, feedbackStatus } from "./banditState.js";
import { Learner } from "./learner.js";
import type { OpenDecision } from "./openDecisions.js";

/** What happens with segments that are not loaded, and with decisions of other versions of the library. */
export interface Replaying {
  /** Every segment is replayed, from its first decision on. */
  readonly everySegment: boolean;
  /** Decisions that another version made are taken as they are; otherwise a takeover by another version is refused. */
  readonly otherVersions: boolean;
}

/** What a decision is recomputed to. */
const DRAWN = ["number", "round", "probability", "threshold", "holdout"] as const;

/** A bandit in memory: its state, and the learners of the segments that are loaded. The document and the log determine it, to the last bit. */
export class Bandit {
  readonly name: string;
  readonly createdAt: number;
  /** As it was created: the policy and the seed hold for ever. */
  readonly document: Document;
  /** The hash before the first event. */
  readonly genesis: string;
  readonly state: BanditState;
  readonly learners = new Map<string, Learner>();

  constructor(created: NewBandit) {
    this.name = created.name;
    this.createdAt = created.createdAt;
    this.document = documentOf(created);
    this.genesis = genesis(created);
    this.state = new BanditState(this.document, { version: created.version, bits: created.bits }, this.genesis);
  }

  /** The document with everything that was changed since. */
  get presentDocument(): Document {
    const { windowSeconds, expired, holdout, arms, evidence } = this.state;
    const cap = evidence === null ? null : evidence.cap;
    return { ...this.document, arms: [...arms.values()].map(({ name }) => name), windowSeconds, expired, holdout, cap };
  }

  /** The default segment begins with the bandit, and the others with their first decisions: a change of arms before its first decision is one for it too. */
  begin(): void {
    try {
      this.learners.set("", this.freshLearner(""));
    } catch (error) {
      throw damagedDocument(this.name, error);
    }
  }

  /** A learner for a segment of which the log says nothing yet. */
  freshLearner(segment: string): Learner {
    return Learner.fresh(this.document, [...this.state.arms.keys()], segment);
  }

  /** Replays an event of the log that follows on the last one; returns the decision that it ended, if it did. Throws ERR_REPLAY if it is not what follows. */
  replay(event: LogEvent, hash: string, how: Replaying): OpenDecision | undefined {
    try {
      if (event.seq !== this.state.seq + 1) throw this.#refusal(event, `event ${this.state.seq + 1} is missing`);
      this.#learn(event, how);
      return this.state.apply(event, hash);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw new ServiceError("ERR_REPLAY", `event ${event.seq} (${event.kind}) cannot be replayed: ${(error as Error).message}`, {
        seq: event.seq,
        cause: error,
      });
    }
  }

  #learn(event: LogEvent, how: Replaying): void {
    switch (event.kind) {
      case "decision":
        this.#redecide(event, how);
        break;
      case "feedback":
      case "expiry":
        this.#relearn(event);
        break;
      case "late":
        break;
      case "change":
        if (event.arms === undefined) break;
        for (const learner of this.learners.values()) learner.rearrange(event.arms.map(({ number }) => number));
        break;
      case "version":
        this.#takeOver(event, how);
    }
  }

  #redecide(event: DecisionEvent, { everySegment }: Replaying): void {
    const { state } = this;
    if (state.open.get(event.decision) !== undefined) throw this.#refusal(event, `the decision ${event.decision} is open already`);
    if (state.arms.get(event.number)?.name !== event.arm) throw this.#refusal(event, `there is no arm ${event.arm} with the number ${event.number}`);
    const expires = event.at + state.windowSeconds * 1000;
    if (event.expires !== expires) throw this.#refusal(event, `its expiry is recorded as ${event.expires} and recomputed as ${expires}`);
    if (everySegment && !this.learners.has(event.segment)) this.learners.set(event.segment, this.freshLearner(event.segment));
    const learner = this.learners.get(event.segment);
    if (learner === undefined) return;
    if (state.bitsOf(event.segment).bits === OWN.bits) this.#redraw(event, learner);
    else learner.force(event);
  }

  #redraw(event: DecisionEvent, learner: Learner): void {
    const drawn = learner.decide(this.state.holdout, event.at);
    for (const field of DRAWN) {
      if (!Object.is(drawn[field], event[field]))
        throw this.#refusal(event, `its ${field} is recorded as ${event[field]} and recomputed as ${drawn[field]}`);
    }
    if (event.probabilities === undefined && drawn.probabilities === undefined) return;
    const [recorded, recomputed] = [JSON.stringify(event.probabilities), JSON.stringify(drawn.probabilities)];
    if (recorded !== recomputed) throw this.#refusal(event, `its probabilities are recorded as ${recorded} and recomputed as ${recomputed}`);
  }

  #relearn(event: FeedbackEvent | ExpiryEvent): void {
    const { state, learners } = this;
    const open = state.open.get(event.decision);
    if (open === undefined) throw this.#refusal(event, `the decision ${event.decision} is not open`);
    if (event.kind === "expiry" && event.loss !== null && event.loss !== state.expired)
      throw this.#refusal(event, `its loss is ${event.loss}, and must be ${state.expired}`);
    const status = feedbackStatus(open, state);
    if (event.kind === "feedback" && event.status !== status)
      throw this.#refusal(event, `its status is recorded as ${event.status}, and is ${status}`);
    if (event.loss !== null && status === "applied") learners.get(event.segment)?.learn(open, event.loss);
  }

  #takeOver({ segment, bits, version, state }: VersionEvent, { everySegment, otherVersions }: Replaying): void {
    const message = `tsallis ${version} (bits ${bits}) goes on with ${this.name}, and this is ${OWN.version} (bits ${OWN.bits}): update this server`;
    if (bits !== OWN.bits && !otherVersions) throw new ServiceError("ERR_VERSION", message);
    if (!(everySegment || this.learners.has(segment))) return;
    try {
      this.learners.set(segment, Learner.restore(state));
    } catch (error) {
      // It may know more than we do.
      if (isNewer(version)) throw new ServiceError("ERR_VERSION", message, { cause: error });
      throw error;
    }
  }

  #refusal(event: LogEvent, what: string): ServiceError {
    return new ServiceError("ERR_REPLAY", `event ${event.seq} (${event.kind}) of ${this.name} does not follow from the log: ${what}`, {
      seq: event.seq,
    });
  }
}

/** A document that was complete when it was written. */
function documentOf({ name, document }: NewBandit): Document {
  try {
    const read = JSON.parse(document) as Document;
    const { arms, policy, seed, windowSeconds, holdout } = read;
    if (Array.isArray(arms) && typeof policy === "object" && [seed, windowSeconds, holdout].every(Number.isFinite)) return read;
  } catch (error) {
    throw damagedDocument(name, error);
  }
  throw damagedDocument(name, new Error("a key is missing"));
}

function damagedDocument(name: string, cause: unknown): ServiceError {
  const message = `the document of ${name} is not as it was written: ${(cause as Error).message}; restore the store from a backup`;
  return new ServiceError("ERR_REPLAY", message, { cause });
}

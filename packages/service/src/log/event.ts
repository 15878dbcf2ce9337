import type { PolicySnapshot } from "tsallis";

/** The states of a bandit: running; paused (no decisions, but feedback counts); archived (neither, for good). */
export const STATES = ["running", "paused", "archived"] as const;
export type BanditStatus = (typeof STATES)[number];

/** What every event has. */
interface Logged {
  /** Its place in the log of its bandit, from 1 on, without gaps. */
  readonly seq: number;
  /** When, in milliseconds since 1970, by the clock of the server that wrote it. No rule depends on its order. */
  readonly at: number;
  /** The salt of its decision and the request that it came with, as log/origin.ts writes them; null if there is neither. */
  readonly origin: string | null;
}

/** What the events about one decision have. The default segment has the name "". */
interface OfDecision extends Logged {
  /** Its id; "~" and its mark if that was erased. */
  readonly decision: string;
  readonly origin: string;
  readonly segment: string;
}

export interface DecisionEvent extends OfDecision {
  readonly kind: "decision";
  readonly arm: string;
  /** The arm's number: arms are numbered from 0 on in the order in which they came, and no number is used twice. */
  readonly number: number;
  /** The policy's round; null for a decision of the holdout, which is none. */
  readonly round: number | null;
  readonly probability: number | null;
  readonly threshold: number | null;
  readonly holdout: boolean;
  /** When it expires, in milliseconds since 1970. */
  readonly expires: number;
  /** The probabilities that it was drawn with; now and then, so that the log shows where the traffic goes. */
  readonly probabilities?: readonly number[];
  /** The id of the key that it was asked for with; absent if that needed none. */
  readonly key?: string;
}

export interface FeedbackEvent extends OfDecision {
  readonly kind: "feedback";
  readonly loss: number;
  /** Whether it was learned: not if the arm was retired by then, and not from the holdout. */
  readonly status: "applied" | "retired" | "recorded";
  /** Whether it came as a reward; the loss is its negative. */
  readonly reward?: true;
}

export interface ExpiryEvent extends OfDecision {
  readonly kind: "expiry";
  /** What the document says that it costs: learned, or in the holdout recorded; null if the document says nothing, or if nothing could be learned. */
  readonly loss: number | null;
  /** Who ended it before its time; then nothing is learned. */
  readonly by?: string;
}

/** Feedback after the expiry: recorded, not learned. */
export interface LateEvent extends OfDecision {
  readonly kind: "late";
  readonly loss: number;
  readonly reward?: true;
}

export interface NumberedArm {
  readonly name: string;
  readonly number: number;
}

/** What the owner changed. */
export interface ChangeEvent extends Logged {
  readonly kind: "change";
  readonly windowSeconds?: number;
  readonly expired?: "ignore" | number;
  readonly holdout?: number;
  /** All segments in which decisions may be made from now on. */
  readonly segments?: readonly string[];
  /** Segments that go on from nothing, if decisions are ever made in them again. */
  readonly forgotten?: readonly string[];
  readonly cap?: number | null;
  readonly unit?: string;
  readonly state?: BanditStatus;
  /** All arms from now on, with their numbers. */
  readonly arms?: readonly NumberedArm[];
  /** Whose change it is: the id of a key and its note; absent where no key is needed. */
  readonly by?: string;
}

/** Another version of the library goes on with a segment, from this state: what it decides from here on can be recomputed by it. */
export interface VersionEvent extends Logged {
  readonly kind: "version";
  readonly segment: string;
  readonly version: string;
  readonly bits: string;
  readonly state: LearnerSnapshot;
}

/** The id of a decision was erased from the events before this one. */
export interface ErasureEvent extends Logged {
  readonly kind: "erasure";
  /** What the chain covers in place of the id. */
  readonly mark: string;
  readonly by?: string;
}

/** The events that followed here did not follow from the log, and were dropped. */
export interface RepairEvent extends Logged {
  readonly kind: "repair";
  /** How many there were, and the hash of the last one. */
  readonly dropped: number;
  readonly head: string;
  /** The marks of ids that were erased before, if the events that said so were dropped too. */
  readonly erased?: readonly string[];
  /** The bandit that this one is a copy of; absent if the log itself was cut. */
  readonly of?: string;
  readonly by?: string;
}

/** An event of any kind. @internal */
export type LogEvent = DecisionEvent | FeedbackEvent | ExpiryEvent | LateEvent | ChangeEvent | VersionEvent | ErasureEvent | RepairEvent;
export type EventKind = LogEvent["kind"];

/** The state of one segment: its policy, the numbers of its arms, its two generators, and when it last logged its probabilities. */
export interface LearnerSnapshot {
  readonly arms: readonly number[];
  readonly policy: PolicySnapshot;
  readonly rng: readonly number[];
  readonly holdoutRng: readonly number[];
  readonly probabilitiesAt: number;
}

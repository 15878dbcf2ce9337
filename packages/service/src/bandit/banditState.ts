import { isSkipped } from "tsallis";
import { BanditEvidence } from "../evidence/banditEvidence.js";
import type { BanditStatus, ChangeEvent, DecisionEvent, ExpiryEvent, FeedbackEvent, LogEvent, NumberedArm } from "../log/event.js";
import type { Document } from "../schemas.js";
import type { Head } from "../store/store.js";
import { type OpenDecision, OpenDecisions } from "./openDecisions.js";

/** What is counted for the whole bandit. */
const COUNTED = ["decisions", "holdout", "answered", "expired", "late", "retired", "skipped", "rewards"] as const;
type Counted = Record<(typeof COUNTED)[number], number>;

/** What is counted for each arm. */
export interface ArmRecord extends NumberedArm {
  decisions: number;
  answered: number;
  expired: number;
  skipped: number;
}

export interface Bits {
  readonly version: string;
  readonly bits: string;
}

export interface BanditStateSnapshot {
  readonly windowSeconds: number;
  readonly expired: "ignore" | number;
  readonly holdout: number;
  readonly unit: string;
  /** The segments in which decisions may be made. */
  readonly listed: readonly string[];
  readonly status: BanditStatus;
  readonly lastAt: number;
  /** Absent if they are those of the document, and nobody needs to know how often each was played. */
  readonly arms?: readonly ArmRecord[];
  readonly counted: Counted;
  /** With the number of events of each. */
  readonly segments: readonly (readonly [segment: string, events: number])[];
  readonly bits: readonly (readonly [segment: string, Bits])[];
  /** Segments that began again, each with the event after which it did. */
  readonly begunAgain: readonly (readonly [segment: string, seq: number])[];
  readonly nextNumber: number;
  readonly oldestOpen: number;
}

/** Everything about a bandit but what its policies have learned: its settings now, its arms, its open decisions, its counts. Made from the log alone. */
export class BanditState {
  readonly open = new OpenDecisions();
  seq = 0;
  hash: string;
  windowSeconds: number;
  expired: "ignore" | number;
  holdout: number;
  unit: string;
  /** The segments in which decisions may be made; one that has left keeps what it has learned. */
  listed: ReadonlySet<string>;
  status: BanditStatus = "running";
  /** When the last event was written; 0 if there is none. */
  lastAt = 0;
  /** The present arms, by their numbers, in order. */
  arms: Map<number, ArmRecord>;
  /** The number of the next arm that comes. */
  nextNumber: number;
  readonly counted: Counted = { decisions: 0, holdout: 0, answered: 0, expired: 0, late: 0, retired: 0, skipped: 0, rewards: 0 };
  /** The names of all segments but the default one, with the number of events of each. */
  readonly segments = new Map<string, number>();
  /** Segments that were forgotten, each with the event that did it: the generators of their next learners depend on it. */
  readonly begunAgain = new Map<string, number>();
  /** The oldest decision that was open when the snapshot was taken from which this was restored. */
  oldestSaved = 1;
  /** What the decisions say about the arms; null where only the events of one segment are read. */
  evidence: BanditEvidence | null;
  readonly #bits = new Map<string, Bits>();
  #numbers: { readonly of: BanditState["arms"]; readonly list: readonly number[] } | null = null;
  readonly #created: number;

  constructor(
    { arms, windowSeconds, expired, holdout, segments, cap, unit }: Document,
    readonly created: Bits,
    genesis: string,
  ) {
    this.hash = genesis;
    this.windowSeconds = windowSeconds;
    this.expired = expired;
    this.holdout = holdout;
    this.unit = unit;
    this.listed = new Set(segments);
    this.arms = new Map(arms.map((name, number) => [number, newArm(name, number)]));
    this.nextNumber = arms.length;
    this.#created = arms.length;
    this.evidence = new BanditEvidence({ cap: cap ?? null, holdout, arms: [...this.arms.keys()] });
  }

  /** Where the log ends, as the store has it. */
  get head(): Head {
    return { seq: this.seq, hash: this.hash };
  }

  /** The numbers of the present arms: one list for all learners, of which there may be thousands. */
  get armNumbers(): readonly number[] {
    if (this.#numbers?.of !== this.arms) this.#numbers = { of: this.arms, list: Array.from(this.arms.keys()) };
    return this.#numbers.list;
  }

  /** Which version of the library the last decisions of a segment were made with. */
  bitsOf(segment: string): Bits {
    return this.#bits.get(segment) ?? this.created;
  }

  /** Enters an event, which must follow on the last one; returns the decision that it ended, if it did. */
  apply(event: LogEvent, hash: string): OpenDecision | undefined {
    this.seq = event.seq;
    this.hash = hash;
    this.lastAt = event.at;
    this.evidence?.take(event);
    if ("segment" in event && event.segment !== "") this.segments.set(event.segment, (this.segments.get(event.segment) ?? 0) + 1);
    switch (event.kind) {
      case "decision":
        this.#decided(event);
        return undefined;
      case "feedback":
      case "expiry":
        return this.#ended(event);
      case "late":
        this.counted.late++;
        if (event.reward) this.counted.rewards++;
        return undefined;
      case "change":
        this.#changed(event);
        return undefined;
      case "version":
        this.#bits.set(event.segment, { version: event.version, bits: event.bits });
        return undefined;
      case "erasure":
      case "repair":
        return undefined;
    }
  }

  #decided(event: DecisionEvent): void {
    this.open.add(openDecision(event));
    this.counted.decisions++;
    if (event.holdout) this.counted.holdout++;
    this.arms.get(event.number)!.decisions++;
  }

  #ended(event: FeedbackEvent | ExpiryEvent): OpenDecision {
    const open = this.open.get(event.decision)!;
    this.open.delete(open);
    const arm = this.arms.get(open.number);
    if (event.kind === "expiry") {
      this.counted.expired++;
      if (arm !== undefined) arm.expired++;
      return open;
    }
    this.counted.answered++;
    if (event.reward) this.counted.rewards++;
    if (event.status === "retired") this.counted.retired++;
    if (arm === undefined) return open;
    arm.answered++;
    if (isSkippedIn(open, event.loss)) {
      this.counted.skipped++;
      arm.skipped++;
    }
    return open;
  }

  #changed({ seq, windowSeconds, expired, holdout, segments, forgotten, unit, state, arms }: ChangeEvent): void {
    if (windowSeconds !== undefined) this.windowSeconds = windowSeconds;
    if (expired !== undefined) this.expired = expired;
    if (holdout !== undefined) this.holdout = holdout;
    if (segments !== undefined) this.listed = new Set(segments);
    for (const segment of forgotten ?? []) {
      this.segments.delete(segment);
      this.#bits.delete(segment);
      this.begunAgain.set(segment, seq);
    }
    if (unit !== undefined) this.unit = unit;
    if (state !== undefined) this.status = state;
    if (arms === undefined) return;
    this.arms = new Map(arms.map(({ name, number }) => [number, this.arms.get(number) ?? newArm(name, number)]));
    this.nextNumber = arms.reduce((next, { number }) => Math.max(next, number + 1), this.nextNumber);
  }

  /** Whether the arms are those of the document. */
  get #isAsCreated(): boolean {
    if (this.arms.size !== this.#created) return false;
    let place = 0;
    for (const number of this.arms.keys()) if (number !== place++) return false;
    return true;
  }

  /** The state at the present event; for a segment other than the default one, what its events need: arms are thousands at times, as are segments, and each has a snapshot. */
  snapshot(segment = ""): BanditStateSnapshot {
    const { windowSeconds, expired, holdout, unit, status, lastAt, nextNumber } = this;
    const ofSegment = <Value>(all: ReadonlyMap<string, Value>): [string, Value][] => {
      if (segment === "") return [...all];
      const own = all.get(segment);
      return own === undefined ? [] : [[segment, own]];
    };
    return {
      windowSeconds,
      expired,
      holdout,
      unit,
      listed: segment === "" ? [...this.listed] : this.listed.has(segment) ? [segment] : [],
      status,
      lastAt,
      ...(segment !== "" && this.#isAsCreated ? {} : { arms: [...this.arms.values()] }),
      nextNumber,
      counted: { ...this.counted },
      segments: ofSegment(this.segments),
      bits: ofSegment(this.#bits),
      begunAgain: ofSegment(this.begunAgain),
      oldestOpen: this.open.oldest(this.seq + 1),
    };
  }

  /** Takes over a snapshot of an event; the open decisions are added afterwards. */
  restore(snapshot: BanditStateSnapshot, seq: number, hash: string): void {
    this.seq = seq;
    this.hash = hash;
    this.windowSeconds = snapshot.windowSeconds;
    this.expired = snapshot.expired;
    this.holdout = snapshot.holdout;
    this.unit = snapshot.unit;
    this.listed = new Set(snapshot.listed);
    this.status = snapshot.status;
    this.lastAt = snapshot.lastAt;
    if (snapshot.arms !== undefined) this.arms = new Map(snapshot.arms.map((arm) => [arm.number, { ...arm }]));
    this.nextNumber = snapshot.nextNumber;
    Object.assign(this.counted, snapshot.counted);
    this.oldestSaved = snapshot.oldestOpen;
    for (const [segment, events] of snapshot.segments) this.segments.set(segment, events);
    for (const [segment, bits] of snapshot.bits) this.#bits.set(segment, bits);
    for (const [segment, seq] of snapshot.begunAgain) this.begunAgain.set(segment, seq);
  }
}

function newArm(name: string, number: number): ArmRecord {
  return { name, number, decisions: 0, answered: 0, expired: 0, skipped: 0 };
}

/** A decision as it waits. */
export function openDecision(event: DecisionEvent): OpenDecision {
  const { decision: id, origin, seq, at, segment, arm, number, round, probability, threshold, holdout, expires, key } = event;
  const open: OpenDecision & { key?: string } = { id, origin, seq, at, segment, arm, number, round, probability, threshold, holdout, expires };
  if (key !== undefined) open.key = key;
  return open;
}

/** Whether feedback for a decision is learned, or only recorded: of the holdout, or because its arm is gone. */
export function feedbackStatus({ holdout, number }: OpenDecision, { arms }: BanditState): FeedbackEvent["status"] {
  if (holdout) return "recorded";
  return arms.has(number) ? "applied" : "retired";
}

/** Whether the policy skips the loss of a decision. */
export function isSkippedIn({ threshold, holdout }: Pick<OpenDecision, "threshold" | "holdout">, loss: number): boolean {
  return !holdout && threshold !== null && isSkipped({ policy: "", round: 1, arm: 0, probability: null, threshold }, loss);
}

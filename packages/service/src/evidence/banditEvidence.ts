import { DecisionOrder } from "tsallis/evidence";
import type { ChangeEvent, DecisionEvent, LogEvent } from "../log/event.js";
import { Claim, type ClaimSnapshot } from "./claim.js";

/** Why a claim began: with the bandit, by another cap, by other arms, or because a loss had a sign that the claim before did not count. */
export type ClaimStart = "created" | "cap" | "arms" | "sign";

/** A decision that waits for its turn. */
interface Unsettled {
  readonly seq: number;
  /** Its place among the arms of the claim. */
  readonly arm: number;
  readonly holdout: boolean;
  readonly segment: string;
}

/** The largest loss so far, while there is no cap. */
interface Pilot {
  decisions: number;
  largest: number;
}

export interface BanditEvidenceSnapshot {
  readonly cap: number | null;
  readonly guess: number | null;
  readonly holdout: number;
  readonly arms: readonly number[];
  readonly since: number;
  readonly startedBy: ClaimStart;
  readonly movingSince: number;
  readonly settledSeq: number;
  readonly signs: { readonly negative: boolean; readonly positive: boolean };
  readonly pilot: Pilot;
  readonly moved: boolean;
  readonly claim: ClaimSnapshot | null;
}

/** More arms are not compared: their evidence would take more room than everything else. */
export const MOST_COMPARED = 200;
/** Without a cap, the largest of so many decisions is the guess; they are not counted. */
export const PILOT = 200;
/** Decisions that wait for an older one. Beyond that the oldest counts as missing. */
export const MOST_UNSETTLED = 100_000;

/**
 * What a log says about the arms of its bandit, folded event by event: each decision counts when it and all before it have ended, in the order of the decisions. It is made
 * from the log alone, so every server and every audit has the same.
 */
export class BanditEvidence {
  /** The owner's cap; null if there is none. */
  cap: number | null;
  /** The cap that was guessed from the first decisions; null if there is none. */
  guess: number | null = null;
  /** The numbers of the arms that are compared. */
  arms: readonly number[];
  /** The event after which the claim began, and why. */
  since = 0;
  startedBy: ClaimStart = "created";
  /** Whether the alarm DRIFT was on at some time during the claim. It comes from looking, not from the log. */
  moved = false;
  claim: Claim | null = null;
  #holdout: number;
  #places = new Map<number, number>();
  #order = newOrder();
  /** The last decision that is settled, or the event after which the claim began. */
  #settledSeq = 0;
  /** The event after which the holdout has had its present share. */
  #movingSince = 0;
  #signs = { negative: false, positive: false };
  #pilot: Pilot = { decisions: 0, largest: 0 };

  constructor({ cap, holdout, arms }: { readonly cap: number | null; readonly holdout: number; readonly arms: readonly number[] }) {
    this.cap = cap;
    this.#holdout = holdout;
    this.arms = arms;
    this.#begin();
  }

  /** How many decisions wait: for their own outcome, or for that of an older one. */
  get unsettled(): number {
    return this.#order.waiting;
  }

  /** Decisions from which the cap is guessed, so far. */
  get piloted(): number {
    return this.#pilot.decisions;
  }

  /** What is settled is in the snapshot; what is not is in the log after this event. */
  get settledSeq(): number {
    return this.#settledSeq;
  }

  /** Whether there are too many arms. */
  get isTooWide(): boolean {
    return this.arms.length > MOST_COMPARED;
  }

  /** Takes an event, in the order of the log. */
  take(event: LogEvent): void {
    if (event.kind === "change") this.#changed(event);
    else if (this.note(event)) for (const { item, loss } of this.#order.settled()) this.#count(item, loss);
  }

  /** Notes a decision that waits, or its end; true if something may be settled now. After a restart, what a snapshot leaves out is noted again. */
  note(event: LogEvent): boolean {
    if (event.kind === "decision") return this.#decided(event);
    return (event.kind === "feedback" || event.kind === "expiry") && this.#order.ended(event.decision, event.loss);
  }

  #decided({ decision, seq, number, holdout, segment }: DecisionEvent): boolean {
    const arm = this.#places.get(number);
    if (arm === undefined) return false;
    this.#order.decided(decision, { seq, arm, holdout, segment });
    return this.#order.waiting > MOST_UNSETTLED;
  }

  #count({ seq, arm, holdout, segment }: Unsettled, loss: number | null): void {
    this.#settledSeq = seq;
    const isNewSign = loss !== null && !this.#holds(loss);
    if (loss !== null && loss !== 0) this.#signs[loss < 0 ? "negative" : "positive"] = true;
    if (this.claim === null) this.#explore(loss);
    else if (isNewSign) this.#restart("sign", seq);
    else this.claim.add({ arm, loss, holdout }, segment, seq > this.#movingSince);
  }

  /** Whether the range of the claim has the sign of the loss. */
  #holds(loss: number): boolean {
    const { cap, floor } = this.#range(1);
    return loss > 0 ? cap > 0 : loss === 0 || floor < 0;
  }

  /** Losses count from 0 up unless some were negative, and up to 0 if all were. */
  #range(cap: number): { cap: number; floor: number } {
    const { negative, positive } = this.#signs;
    return { cap: negative && !positive ? 0 : cap, floor: negative ? -cap : 0 };
  }

  #explore(loss: number | null): void {
    const pilot = this.#pilot;
    pilot.decisions++;
    if (loss !== null) pilot.largest = Math.max(pilot.largest, Math.abs(loss));
    if (pilot.decisions % PILOT !== 0 || pilot.largest === 0) return;
    this.guess = pilot.largest;
    this.since = this.#settledSeq;
    this.#begin();
  }

  #changed({ seq, cap, arms, holdout }: ChangeEvent): void {
    if (holdout !== undefined && holdout !== this.#holdout) {
      this.#holdout = holdout;
      this.#movingSince = seq;
      this.claim?.resize(holdout);
    }
    if (cap !== undefined && cap !== this.cap) {
      this.cap = cap;
      this.guess = null;
      this.#pilot = { decisions: 0, largest: 0 };
      this.#restart("cap", seq);
      this.#order = newOrder();
    }
    if (arms !== undefined) {
      this.arms = arms.map(({ number }) => number);
      this.#restart("arms", seq);
      this.#order = newOrder();
    }
  }

  #restart(by: ClaimStart, seq: number): void {
    this.since = seq;
    this.startedBy = by;
    this.moved = false;
    this.#settledSeq = seq;
    this.#begin();
  }

  /** A claim that knows nothing yet; none as long as there is no cap. */
  #begin(): void {
    const places = this.isTooWide ? [] : this.arms;
    this.#places = new Map(places.map((number, place) => [number, place]));
    const cap = this.cap ?? this.guess;
    this.claim = cap === null || this.isTooWide ? null : new Claim({ arms: this.arms.length, ...this.#range(cap) }, this.#holdout);
  }

  snapshot(): BanditEvidenceSnapshot {
    const { cap, guess, arms, since, startedBy, moved, claim } = this;
    return {
      ...{ cap, guess, holdout: this.#holdout, arms, since, startedBy, movingSince: this.#movingSince, settledSeq: this.#settledSeq },
      ...{ signs: { ...this.#signs }, pilot: { ...this.#pilot }, moved, claim: claim === null ? null : claim.snapshot() },
    };
  }

  /** The evidence that wrote the snapshot, but for what was not settled then: that is noted again from the log. */
  static restore(snapshot: BanditEvidenceSnapshot): BanditEvidence {
    const evidence = new BanditEvidence(snapshot);
    evidence.guess = snapshot.guess;
    evidence.since = snapshot.since;
    evidence.startedBy = snapshot.startedBy;
    evidence.moved = snapshot.moved;
    evidence.#movingSince = snapshot.movingSince;
    evidence.#settledSeq = snapshot.settledSeq;
    evidence.#signs = { ...snapshot.signs };
    evidence.#pilot = { ...snapshot.pilot };
    evidence.#begin();
    if (snapshot.claim !== null) evidence.claim = Claim.restore(evidence.claim!.limits, snapshot.holdout, snapshot.claim);
    return evidence;
  }
}

function newOrder(): DecisionOrder<Unsettled> {
  return new DecisionOrder<Unsettled>({ maxWaiting: MOST_UNSETTLED });
}

import { TsallisError } from "tsallis";
import type { ChangeEvent, DecisionEvent, ExpiryEvent, FeedbackEvent, LogEvent, NumberedArm, RepairEvent } from "../log/event.js";
import { erased, markOf, newSalt, type Origin, originText, saltOf } from "../log/origin.js";
import { type ReadEvent, type StoredEvent, toRow } from "../log/storedEvent.js";
import { type Change, type Feedback, type FeedbackResult, MOST_SEGMENTS } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import type { Erasure } from "../store/store.js";
import { isNewer, OWN } from "../version.js";
import type { Bandit } from "./bandit.js";
import { feedbackStatus, isSkippedIn, openDecision } from "./banditState.js";
import type { KnownDecision } from "./knownDecision.js";
import type { Drawn, Learner } from "./learner.js";
import type { OpenDecision } from "./openDecisions.js";

/** A decision, and whether it was made before. */
export interface MadeDecision {
  readonly decision: OpenDecision;
  readonly repeated: boolean;
}

/** The key that a decision is asked for with. */
export interface Asker {
  readonly key: string;
  /** How many decisions of the bandit that were made with it may be open. */
  readonly maxOpen: number;
  /** Whether it gets decisions that were made with another key. */
  readonly seesOthers: boolean;
}

/** An event that is still missing its place in the log. */
type Unplaced<Event> = Event extends LogEvent ? Omit<Event, "seq" | "at" | "origin"> : never;

/** Of an event that is about no decision. */
const NO_SALT = "-";
/** The last moment that a date can have, in milliseconds since 1970. */
const LAST_MOMENT = 8.64e15;

let turns = 0;

/** A decision that was made or has ended in this turn. */
interface Touched {
  readonly decision: OpenDecision;
  /** Null while it is open. */
  readonly outcome: FeedbackEvent | ExpiryEvent | null;
}

/**
 * What some requests would write, before it is written. The learners move at once; everything else waits for `commit`. If it could not be written, `undo` puts
 * the learners back. Between the first request and the commit nothing else may touch the bandit. All rules of a bandit are here: a log is replayed through them too.
 */
export class PendingEvents {
  readonly rows: StoredEvent[] = [];
  readonly events: LogEvent[] = [];
  /** Earlier events whose ids are erased with these. */
  readonly erasures: Erasure[] = [];
  readonly #turn = ++turns;
  readonly #moved: Learner[] = [];
  readonly #touched = new Map<string, Touched>();
  #opened = 0;
  #closed = 0;
  /** The learners of segments that begin here. Most turns have none, nor versions, nor decisions that the store was asked about. */
  #fresh: Map<string, Learner> | null = null;
  #versions: Set<string> | null = null;
  #refused = false;

  constructor(
    readonly bandit: Bandit,
    /** What the store says about the decisions that are asked for and not open. */
    private known: Map<string, KnownDecision> | null,
    readonly at: number,
    private readonly maxOpen: number,
    /** The events that have the id which is to be erased. */
    private readonly mentions: readonly ReadEvent[] = [],
  ) {}

  decide(id: string, segment: string, asker: Asker | null = null, from: Origin = {}): MadeDecision {
    const before = this.#find(id) ?? this.#decided(id);
    if (before === undefined) {
      try {
        return { decision: this.#decideNew(id, segment, asker, from), repeated: false };
      } catch (error) {
        this.#refused = true;
        throw error;
      }
    }
    if (asker?.seesOthers === false && before.key !== asker.key)
      throw new ServiceError("ERR_ID_TAKEN", `the id ${id} belongs to a decision that another key asked for; use another id`, { parameter: "id" });
    if (before.segment !== segment) {
      const message = `the decision ${id} was made ${inSegment(before.segment)}; use another id for a decision ${inSegment(segment)}`;
      throw new ServiceError("ERR_SEGMENT_DIFFERS", message, { parameter: "segment" });
    }
    return { decision: before, repeated: true };
  }

  /** Whether a decision was refused as a new one. If the store was not asked about it, it may have been made long ago. */
  get refused(): boolean {
    return this.#refused;
  }

  #decideNew(id: string, segment: string, asker: Asker | null, from: Origin): OpenDecision {
    const { state } = this.bandit;
    this.#requireStatus(state.status === "running");
    this.#requireListed(segment);
    this.#requireRoom(asker);
    const drawn = this.draw(segment);
    const { name } = state.arms.get(drawn.number) ?? {};
    if (name === undefined) throw new ServiceError("ERR_REPLAY", `there is no arm with the number ${drawn.number}`);
    const expires = this.at + state.windowSeconds * 1000;
    // A broken clock is a defect, which must not reach the log.
    if (!isMoment(expires)) throw new RangeError("the clock gives no valid time");
    const { number, round, probability, threshold, holdout, probabilities } = drawn;
    const origin = this.origin(this.salt(), from)!;
    // Spelled out, here and below: most events are of these kinds, and to copy such an object takes 50 times as long as to write it down.
    const event: { -readonly [Key in keyof DecisionEvent]: DecisionEvent[Key] } = {
      seq: this.#seq,
      at: this.at,
      kind: "decision",
      decision: id,
      segment,
      arm: name,
      number,
      round,
      probability,
      threshold,
      holdout,
      expires,
      origin,
    };
    if (probabilities !== undefined) event.probabilities = probabilities;
    if (asker !== null) event.key = asker.key;
    this.#write(event);
    const made = openDecision(event);
    this.#touched.set(id, { decision: made, outcome: null });
    this.#opened++;
    return made;
  }

  /** Draws an arm in a segment. */
  protected draw(segment: string): Drawn {
    return this.#learner(segment).decide(this.bandit.state.holdout, this.at);
  }

  /** The salt of a new decision. */
  protected salt(): string {
    return newSalt();
  }

  feedback(id: string, given: Feedback & { readonly arm?: string | undefined }, from: Origin = {}): FeedbackResult {
    const reward = "reward" in given;
    this.#requireDirection(reward);
    // Adding 0 turns -0 into 0, which is what JSON makes of both.
    const loss = (reward ? -given.reward : given.loss) + 0;
    this.#requireStatus(this.bandit.state.status !== "archived");
    const open = this.#find(id);
    requireArm(id, given.arm, open?.arm ?? this.#known(id)?.decision.arm);
    if (open !== undefined) {
      if (open.expires > this.at) return this.#answer(open, loss, reward, from);
      this.expire(id);
    }
    const known = this.#known(id);
    if (known === undefined) throw this.#unknownDecision(id);
    const recorded = known.outcome?.kind === "feedback" ? known.outcome : known.late;
    if (recorded === null) {
      const { segment, origin } = known.decision;
      const late = this.#place({ kind: "late", decision: id, segment, loss, ...rewarded(reward) }, saltOf(origin), from);
      this.know(id, { ...known, late: late as KnownDecision["late"] });
      return { status: "late" };
    }
    if (recorded.loss === loss) return { status: "repeated" };
    const message = `the decision ${id} has the loss ${recorded.loss} already, and this feedback says ${loss}; the first one stands`;
    throw new ServiceError("ERR_FEEDBACK_DIFFERS", message, { parameter: reward ? "reward" : "loss", recorded: recorded.loss });
  }

  #answer(open: OpenDecision, loss: number, reward: boolean, from: Origin): FeedbackResult {
    const status = feedbackStatus(open, this.bandit.state);
    if (status === "applied") this.learn(open, loss);
    const origin = this.origin(saltOf(open.origin), from)!;
    const event: FeedbackEvent = { seq: this.#seq, at: this.at, kind: "feedback", decision: open.id, segment: open.segment, loss, status, origin };
    this.#close(open, reward ? { ...event, reward } : event);
    return status === "applied" && isSkippedIn(open, loss) ? { status, skipped: true } : { status };
  }

  /** Learns the loss of a decision, in its segment. False if nothing was learned. */
  protected learn(open: OpenDecision, loss: number): boolean {
    this.#learner(open.segment).learn(open, loss);
    return true;
  }

  /** Ends a decision whose window is over, unless it has ended already. With `by`, an operator ends it before its time, and nothing is learned. */
  expire(id: string, by?: string): void {
    const open = this.#find(id);
    const { expired, status } = this.bandit.state;
    if (open === undefined || status === "archived" || (by === undefined && open.expires > this.at)) return;
    const loss = by === undefined ? this.#expiryLoss(open, expired) : null;
    const origin = this.origin(saltOf(open.origin), {})!;
    const event: ExpiryEvent = { seq: this.#seq, at: this.at, kind: "expiry", decision: id, segment: open.segment, loss, origin };
    this.#close(open, by === undefined ? event : { ...event, by });
  }

  /**
   * Erases an id from the events that have it; one that is open is ended first, and nothing is learned. Returns from how many events. It must be the only request of its
   * turn.
   */
  erase(id: string, by: string | undefined, from: Origin = {}): number {
    const { mentions } = this;
    const marks = new Set(mentions.map(({ origin }) => markOf(id, origin!)));
    this.expire(id, by ?? "operator");
    this.erasures.push(...mentions.map(({ seq, origin }) => ({ seq, ...erased(id, origin!) })));
    const own = this.rows.map((row) => ({ ...row, ...erased(id, row.origin!) }));
    this.rows.splice(0, own.length, ...own);
    for (const mark of marks) this.announce(mark, by, from);
    return mentions.length + own.length;
  }

  /** Writes that the id with this mark was erased. */
  protected announce(mark: string, by: string | undefined, from: Origin = {}): void {
    this.#place({ kind: "erasure", mark, ...(by === undefined ? {} : { by }) }, NO_SALT, from);
  }

  /** Writes that the events which followed were dropped. */
  repaired(fields: Omit<RepairEvent, "kind" | "seq" | "at" | "origin">): void {
    this.#place({ kind: "repair", ...fields }, NO_SALT, {});
  }

  /** What the document says that a decision without feedback costs. It is learned, except in the holdout, where it is only recorded. */
  #expiryLoss(open: OpenDecision, expired: "ignore" | number): number | null {
    const status = feedbackStatus(open, this.bandit.state);
    if (expired === "ignore" || status === "retired") return null;
    if (status === "recorded") return expired;
    try {
      return this.learn(open, expired) ? expired : null;
    } catch (error) {
      // Its estimates are full (ERR_OVERFLOW): nothing is learned, and the event says so.
      if (error instanceof TsallisError) return null;
      throw error;
    }
  }

  /** All that is known of a decision. */
  describe(id: string): KnownDecision {
    const open = this.#find(id);
    const known = open === undefined ? this.#known(id) : { decision: decisionEvent(open), outcome: null, late: null };
    if (known === undefined) throw this.#unknownDecision(id);
    return known;
  }

  /** Changes the settings; what is as it was is left out, and if nothing is left, nothing is written. It must be the only request of its turn. All learners that are loaded go on with the new arms. */
  change(wanted: Change & { readonly forgotten?: readonly string[] }, by?: string, from: Origin = {}): void {
    const { arms, windowSeconds, expired, holdout, segments, forgotten, cap, unit, state: status } = wanted;
    const { state, learners } = this.bandit;
    const event: { -readonly [Key in keyof Unplaced<ChangeEvent>]: Unplaced<ChangeEvent>[Key] } = { kind: "change" };
    if (windowSeconds !== undefined && windowSeconds !== state.windowSeconds) event.windowSeconds = windowSeconds;
    // -0 would be 0 in the log and -0 in memory.
    if (expired !== undefined && expired !== state.expired) event.expired = typeof expired === "number" ? expired + 0 : expired;
    if (holdout !== undefined && holdout !== state.holdout) event.holdout = holdout;
    if (segments !== undefined && !isSame(segments, [...state.listed])) event.segments = segments;
    if (forgotten !== undefined) event.forgotten = this.forgettable(forgotten);
    if (cap !== undefined && cap !== state.evidence?.cap) event.cap = cap;
    if (unit !== undefined && unit !== state.unit) event.unit = unit;
    if (status !== undefined && status !== state.status) event.state = status;
    const isOther = arms !== undefined && !isSame(arms, namesOf(state.arms.values()));
    if (Object.keys(event).length === 1 && !isOther) return;
    if (state.status === "archived") this.#requireStatus(false);
    if (isOther) {
      event.arms = this.#numbered(arms);
      const numbers = event.arms.map(({ number }) => number);
      // A learner of each kind that there is: the policy may refuse, and then nothing has happened.
      for (const learner of learners.size > 0 ? learners.values() : [this.bandit.freshLearner("")]) {
        this.#keep(learner);
        learner.rearrange(numbers);
      }
    }
    this.#place(by === undefined ? event : { ...event, by }, NO_SALT, from);
  }

  /** A decision of a learner that is gone could not be learned from. */
  protected forgettable(segments: readonly string[]): readonly string[] {
    const { name, state } = this.bandit;
    for (const segment of segments) {
      if (!state.segments.has(segment)) throw unknownSegment(name, segment);
      if (state.open.sizeOf(segment) === 0) continue;
      const message = `${state.open.sizeOf(segment)} decisions of ${name} in the segment ${JSON.stringify(segment)} are open; ask again`;
      throw new ServiceError("ERR_BUSY", message);
    }
    return segments;
  }

  /** Arms that are there already keep their numbers; a name that was retired before is a new arm. */
  #numbered(names: readonly string[]): NumberedArm[] {
    const { state } = this.bandit;
    const present = new Map([...state.arms.values()].map(({ name, number }) => [name, number]));
    let next = state.nextNumber;
    return names.map((name) => ({ name, number: present.get(name) ?? next++ }));
  }

  /** Makes what was written the present state. Returns each event with the decision that it ended. */
  commit(): { readonly event: LogEvent; readonly ended: OpenDecision | undefined }[] {
    const { state, learners } = this.bandit;
    const entered = this.events.map((event, i) => ({ event, ended: state.apply(event, this.rows[i]!.hash) }));
    // One whose first decision was refused has not begun.
    for (const [segment, learner] of this.#fresh ?? []) if (segment === "" || state.segments.has(segment)) learners.set(segment, learner);
    for (const event of this.events) if (event.kind === "change") for (const segment of event.forgotten ?? []) learners.delete(segment);
    return entered;
  }

  undo(): void {
    for (const learner of this.#moved) learner.reset();
  }

  #find(id: string): OpenDecision | undefined {
    const touched = this.#touched.get(id);
    if (touched === undefined) return this.bandit.state.open.get(id);
    return touched.outcome === null ? touched.decision : undefined;
  }

  /** A decision that has ended, as the store or this turn knows it. */
  #known(id: string): KnownDecision | undefined {
    const known = this.known?.get(id);
    if (known !== undefined) return known;
    const touched = this.#touched.get(id);
    return touched === undefined || touched.outcome === null ? undefined : { ...touched, decision: decisionEvent(touched.decision), late: null };
  }

  #decided(id: string): OpenDecision | undefined {
    const decision = this.#known(id)?.decision;
    return decision && openDecision(decision);
  }

  protected know(id: string, known: KnownDecision): void {
    this.known ??= new Map();
    this.known.set(id, known);
  }

  #close(decision: OpenDecision, outcome: FeedbackEvent | ExpiryEvent): void {
    this.#write(outcome);
    this.#touched.set(decision.id, { decision, outcome });
    this.#closed++;
  }

  /** The learner of a segment, which moves from here on. */
  #learner(segment: string): Learner {
    const loaded = this.bandit.learners.get(segment);
    if (loaded !== undefined) this.#keep(loaded);
    const learner = loaded ?? this.begun(segment);
    this.#takeOver(segment, learner);
    return learner;
  }

  /** The learner of a segment that had no decision before these. */
  protected begun(segment: string): Learner {
    const { bandit } = this;
    this.#fresh ??= new Map();
    const begun = this.#fresh.get(segment);
    if (begun !== undefined) return begun;
    if (segment !== "" && bandit.state.segments.size + this.#fresh.size >= MOST_SEGMENTS) {
      const message = `${bandit.name} has ${MOST_SEGMENTS} segments, and that is the limit; a segment is for a few groups that differ, not for each user`;
      throw new ServiceError("ERR_SEGMENTS", message, { parameter: "segment" });
    }
    const learner = bandit.freshLearner(segment);
    this.#fresh.set(segment, learner);
    return learner;
  }

  #keep(learner: Learner): void {
    if (learner.mark(this.#turn)) this.#moved.push(learner);
  }

  /** Marks in the log that this version goes on where another one was at work. */
  #takeOver(segment: string, learner: Learner): void {
    const { state, document, name } = this.bandit;
    const last = state.bitsOf(segment);
    if (last.bits === OWN.bits || this.#versions?.has(segment)) return;
    if (isNewer(last.version)) {
      throw new ServiceError("ERR_VERSION", `tsallis ${last.version} has worked on ${name}, and this is ${OWN.version}: update this server`);
    }
    this.#versions ??= new Set();
    this.#versions.add(segment);
    learner.reseed(document.seed, segment, this.#seq);
    this.#place({ kind: "version", segment, ...OWN, state: learner.snapshot() }, NO_SALT, {});
  }

  #unknownDecision(id: string): ServiceError {
    return new ServiceError("ERR_UNKNOWN_DECISION", `${this.bandit.name} has no decision with the id ${id}`, { parameter: "id" });
  }

  #requireListed(segment: string): void {
    const { name, state } = this.bandit;
    if (segment === "" || state.listed.has(segment)) return;
    throw unknownSegment(name, segment);
  }

  #requireDirection(reward: boolean): void {
    const { name, document } = this.bandit;
    if (reward === (document.direction === "reward")) return;
    const message = reward
      ? `${name} takes losses, and this feedback has a reward; send { "loss": ... }, or create a bandit with "direction": "reward"`
      : `${name} takes rewards, and this feedback has a loss; send { "reward": ... }`;
    throw new ServiceError("ERR_DIRECTION", message, { parameter: reward ? "reward" : "loss" });
  }

  #requireRoom(asker: Asker | null): void {
    const { name, state } = this.bandit;
    if (state.open.size + this.#opened - this.#closed >= this.maxOpen) {
      const message = `${this.maxOpen} decisions of ${name} wait for feedback, and that is the limit: send feedback, shorten the window, expire them, or raise the limit (maxOpen)`;
      throw new ServiceError("ERR_OPEN_LIMIT", message);
    }
    if (asker === null || state.open.sizeOfKey(asker.key) + this.#opened < asker.maxOpen) return;
    let open = state.open.sizeOfKey(asker.key);
    for (const { decision, outcome } of this.#touched.values()) {
      if (decision.key !== asker.key) continue;
      // One that was open before, and is not now; one that was not, and is.
      if (state.open.get(decision.id) !== undefined) open--;
      else if (outcome === null) open++;
    }
    if (open < asker.maxOpen) return;
    const message = `${asker.maxOpen} decisions of ${name} that the key ${asker.key} asked for wait for feedback, and that is its limit: send feedback, or let an operator expire them`;
    throw new ServiceError("ERR_OPEN_LIMIT", message);
  }

  #requireStatus(holds: boolean): void {
    if (holds) return;
    const { name, state } = this.bandit;
    if (state.status === "paused") {
      throw new ServiceError("ERR_PAUSED", `${name} is paused: it makes no decisions until its state is running again`);
    }
    throw new ServiceError("ERR_ARCHIVED", `${name} is archived, for good: it makes no decisions and takes no feedback; create a new bandit`);
  }

  /** The place of the next event. */
  get #seq(): number {
    return this.bandit.state.seq + this.rows.length + 1;
  }

  /** Writes an event with its place. */
  #place(unplaced: Unplaced<LogEvent>, salt: string, from: Origin): LogEvent {
    const event = { seq: this.#seq, at: this.at, ...unplaced, origin: this.origin(salt, from) } as LogEvent;
    this.#write(event);
    return event;
  }

  #write(event: LogEvent): void {
    this.rows.push(this.row(event, this.rows.at(-1)?.hash ?? this.bandit.state.hash));
    this.events.push(event);
  }

  protected origin(salt: string, from: Origin): string | null {
    return originText(salt, from);
  }

  protected row(event: LogEvent, before: string): StoredEvent {
    return toRow(event, before);
  }
}

/** Whether a time can be that of an event: whole milliseconds that a date can have. */
export function isMoment(at: number): boolean {
  return Number.isInteger(at) && Math.abs(at) <= LAST_MOMENT;
}

export function unknownSegment(name: string, segment: string): ServiceError {
  const message = `${name} has no segment ${JSON.stringify(segment)}; add it to the bandit's segments with PATCH, or leave it out`;
  return new ServiceError("ERR_UNKNOWN_SEGMENT", message, { parameter: "segment" });
}

/** What came of another arm than the decided one must not teach the decided one. */
function requireArm(id: string, given: string | undefined, decided: string | undefined): void {
  if (given === undefined || decided === undefined || given === decided) return;
  const message = `the decision ${id} is for the arm ${decided}, and this feedback is about ${given}; what came of another arm is not learned`;
  throw new ServiceError("ERR_ARM_DIFFERS", message, { parameter: "arm", recorded: decided });
}

function rewarded(reward: boolean): { reward?: true } {
  return reward ? { reward } : {};
}

function decisionEvent({ id, ...fields }: OpenDecision): DecisionEvent {
  return { kind: "decision", decision: id, ...fields };
}

function namesOf(arms: Iterable<{ readonly name: string }>): string[] {
  return Array.from(arms, ({ name }) => name);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, i) => one === others[i]);
}

function inSegment(segment: string): string {
  return segment === "" ? "without a segment" : `in the segment ${JSON.stringify(segment)}`;
}

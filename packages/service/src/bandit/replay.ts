import { Compile } from "typebox/compile";
import type {
  ChangeEvent,
  DecisionEvent,
  ErasureEvent,
  ExpiryEvent,
  FeedbackEvent,
  LateEvent,
  LogEvent,
  RepairEvent,
  VersionEvent,
} from "../log/event.js";
import { isErased, isOrigin, saltOf } from "../log/origin.js";
import { eventOf, fromRow, type ReadEvent, requireSlot, type StoredEvent, toRow } from "../log/storedEvent.js";
import { Change, type Feedback, ID, LARGEST_LOSS, SEGMENT } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import { isBefore, isNewer, OWN } from "../version.js";
import type { Bandit } from "./bandit.js";
import type { KnownDecision } from "./knownDecision.js";
import { type Drawn, Learner } from "./learner.js";
import type { OpenDecision } from "./openDecisions.js";
import { isMoment, PendingEvents } from "./pendingEvents.js";

/** What happens with segments that are not loaded, and with decisions of other versions of the library. */
export interface Replaying {
  /** Every segment is replayed, from its first decision on. */
  readonly everySegment: boolean;
  /** Decisions that another version made are taken as they are; otherwise a takeover by another version is refused. */
  readonly otherVersions: boolean;
}

export interface Replayed {
  readonly event: LogEvent;
  /** The decision that it ended, if it did. */
  readonly ended: OpenDecision | undefined;
}

const IDS = new RegExp(ID);
const SEGMENTS = new RegExp(SEGMENT, "u");
const HASH = /^[0-9a-f]{32}$/;
const changes = Compile(Change);
/** Equal to no list: a segment has a name. */
const NO_SEGMENTS: ReadonlySet<string> = new Set([""]);

/**
 * Replays an event of the log that follows on the last one: what it was made of (an id, a time, a loss) goes through the rules that wrote it, and what these
 * write must be the event, to the last byte. Throws ERR_REPLAY if it is not.
 */
export function replay(bandit: Bandit, row: ReadEvent, how: Replaying): Replayed {
  try {
    if (row.seq !== bandit.state.seq + 1) throw new ServiceError("ERR_REPLAY", `event ${bandit.state.seq + 1} is missing`);
    requireSlot(row);
    if (!isMoment(row.at)) throw refused(`no clock gives the time ${row.at}`);
    if (!isOrigin(row.decision, row.origin)) throw refused("no event has such an origin");
    if (row.kind === "version") return takeOver(bandit, row, how);
    const again = new ReplayedEvents(bandit, row, how);
    again.run();
    if (again.rows.length !== 1 || !isSame(again.rows[0]!, row)) throw difference(row, again);
    return again.commit()[0]!;
  } catch (error) {
    throw refusal(bandit, row, error);
  }
}

/** What an event of the log leads to, by the rules for new ones. */
class ReplayedEvents extends PendingEvents {
  readonly #row: ReadEvent;
  readonly #everySegment: boolean;
  #event: LogEvent | undefined;
  /** The id of its decision, as this server knows it: it may have been erased since. */
  readonly #id: string;

  constructor(bandit: Bandit, row: ReadEvent, { everySegment }: Replaying) {
    super(bandit, null, row.at, Number.POSITIVE_INFINITY);
    this.#row = row;
    this.#everySegment = everySegment;
    const { decision } = row;
    const { open } = bandit.state;
    const isGone = decision !== null && isErased(decision) && row.kind !== "decision" && open.get(decision) === undefined;
    this.#id = (isGone ? open.withMark(decision.slice(1))?.id : undefined) ?? decision ?? "";
  }

  protected override salt(): string {
    return saltOf(this.#row.origin!);
  }

  protected override origin(salt: string): string | null {
    const { origin } = this.#row;
    if (origin !== null && !isErased(origin) && saltOf(origin) !== salt) throw refused("its salt is not that of its decision");
    return origin;
  }

  protected override row(event: LogEvent, before: string): StoredEvent {
    return toRow("decision" in event ? { ...event, decision: this.#row.decision! } : event, before);
  }

  /** As it was recorded. A decision is recomputed without a look at it. */
  #recorded<Event extends LogEvent>(): Event {
    this.#event ??= eventOf(this.#row);
    return this.#event as Event;
  }

  run(): void {
    const { kind, segment } = this.#row;
    if (kind !== "decision" && kind !== "feedback" && kind !== "late") requireText("by", this.#recorded<ChangeEvent>().by);
    if (kind === "decision") this.#decide(this.#id, segment!);
    else if (kind === "feedback") this.feedback(this.#id, given(this.#recorded<FeedbackEvent>()));
    else if (kind === "late") this.#late(this.#recorded());
    else if (kind === "expiry") this.expire(this.#id, this.#recorded<ExpiryEvent>().by);
    else if (kind === "erasure") this.#erasure(this.#recorded());
    else if (kind === "repair") this.#repair(this.#recorded());
    else this.#change(this.#recorded());
  }

  #decide(id: string, segment: string): void {
    if (!((isErased(id) || IDS.test(id)) && (segment === "" || SEGMENTS.test(segment)))) throw refused("no request has such an id or segment");
    const key = this.#row.body.includes('"key":') ? this.#recorded<DecisionEvent>().key : undefined;
    requireText("key", key);
    const { repeated } = this.decide(id, segment, key === undefined ? null : { key, maxOpen: Number.POSITIVE_INFINITY, seesOthers: true });
    if (repeated) throw refused(`the decision ${id} is open already`);
  }

  protected override draw(segment: string): Drawn {
    const { state, learners } = this.bandit;
    const learner = learners.get(segment) ?? (this.#everySegment ? this.begun(segment) : undefined);
    if (learner !== undefined && state.bitsOf(segment).bits === OWN.bits) return learner.decide(state.holdout, this.at);
    const { number, round, probability, threshold, holdout, probabilities } = this.#recorded<DecisionEvent>();
    const drawn = { number, round, probability, threshold, holdout, ...(probabilities === undefined ? {} : { probabilities }) };
    learner?.force(drawn);
    return drawn;
  }

  protected override learn(open: OpenDecision, loss: number): boolean {
    const learner = this.bandit.learners.get(open.segment);
    // Whether there was room for it in the estimates of a learner that is not loaded, only the event says.
    if (learner === undefined) return this.#row.kind !== "expiry" || this.#recorded<ExpiryEvent>().loss !== null;
    learner.learn(open, loss);
    return true;
  }

  /** The store ensures that its decision has expired; the audit looks for it. */
  #late(event: LateEvent): void {
    const { decision, segment } = event;
    if (this.bandit.state.open.get(decision) !== undefined) throw refused(`the decision ${decision} is open`);
    this.know(decision, { decision: { segment, origin: event.origin }, outcome: { kind: "expiry" }, late: null } as unknown as KnownDecision);
    this.feedback(decision, given(event));
  }

  #change({ seq: _seq, at: _at, kind: _kind, origin: _origin, by, arms, forgotten, ...settings }: ChangeEvent): void {
    const change = { ...settings, ...(arms === undefined ? {} : { arms: arms.map(({ name }) => name) }) };
    const isAlone = Array.isArray(forgotten) && forgotten.length === 1 && Object.keys(change).length === 0;
    if (!(forgotten === undefined ? changes.Check(change) : isAlone)) throw refused("no request makes such a change");
    // Where only the events of one segment are read, nothing is known of others, so any list is another one.
    if (this.bandit.state.evidence === null && settings.segments !== undefined) this.bandit.state.listed = NO_SEGMENTS;
    this.change({ ...(change as Change), ...(forgotten === undefined ? {} : { forgotten }) }, by);
  }

  protected override forgettable(segments: readonly string[]): readonly string[] {
    // Without evidence, only the events of one segment are read, and those of others are not known.
    return this.bandit.state.evidence === null ? segments : super.forgettable(segments);
  }

  /** What was erased is for the audit to look for. An open decision was ended first, unless nothing ends any more. */
  #erasure({ mark, by }: ErasureEvent): void {
    if (!HASH.test(mark)) throw refused("no id has such a mark");
    const { open, status } = this.bandit.state;
    if (status !== "archived" && open.get(`~${mark}`) !== undefined) throw refused("its decision is open");
    this.announce(mark, by);
  }

  #repair({ dropped, head, erased, of, by }: RepairEvent): void {
    if (!(Number.isSafeInteger(dropped) && dropped > 0 && (head === "" || HASH.test(head)))) throw refused("no repair drops such events");
    requireText("of", of);
    if (erased !== undefined && !(Array.isArray(erased) && erased.length > 0 && erased.every((mark) => HASH.test(mark))))
      throw refused("no ids have such marks");
    this.repaired({
      dropped,
      head,
      ...(erased === undefined ? {} : { erased }),
      ...(of === undefined ? {} : { of }),
      ...(by === undefined ? {} : { by }),
    });
  }
}

/** What no rule looks at. */
function requireText(name: string, value: unknown): void {
  if (value !== undefined && (typeof value !== "string" || value === "")) throw refused(`its ${name} is not a text`);
}

function given({ loss, reward }: FeedbackEvent | LateEvent): Feedback {
  if (!(Math.abs(loss) <= LARGEST_LOSS)) throw refused(`no request has the loss ${loss}`);
  return reward === true ? { reward: -loss } : { loss };
}

/** Another version goes on. What it was given cannot be recomputed, but must fit the bandit; its generators follow from the seed. */
function takeOver(bandit: Bandit, row: ReadEvent, { everySegment, otherVersions }: Replaying): Replayed {
  const event = fromRow(row, bandit.genesis) as VersionEvent;
  const { segment, bits, version } = event;
  const { state, learners } = bandit;
  const before = state.bitsOf(segment);
  if (!(segment === "" || state.listed.has(segment) || state.segments.has(segment))) throw refused(`the bandit has no segment ${segment}`);
  if (bits === before.bits) throw refused(`${before.version} computes the same bits (${bits}), so there was nothing to take over`);
  if (isBefore(version, before.version)) throw refused(`${version} came before ${before.version}, which was at work`);
  const message = `tsallis ${version} (bits ${bits}) goes on with ${bandit.name}, and this is ${OWN.version} (bits ${OWN.bits}): update this server`;
  if (bits !== OWN.bits && !otherVersions) throw new ServiceError("ERR_VERSION", message);
  if (everySegment || learners.has(segment)) {
    try {
      learners.set(segment, takenOver(bandit, event));
    } catch (error) {
      // It may know more than we do.
      if (isNewer(version)) throw new ServiceError("ERR_VERSION", message, { cause: error });
      throw error;
    }
  }
  state.apply(event, row.hash);
  return { event, ended: undefined };
}

function takenOver({ state, document }: Bandit, { segment, seq, state: saved }: VersionEvent): Learner {
  const learner = Learner.restore(saved);
  learner.reseed(document.seed, segment, seq);
  const { rng, holdoutRng } = learner.snapshot();
  if (JSON.stringify([saved.rng, saved.holdoutRng]) !== JSON.stringify([rng, holdoutRng])) throw refused("its generators are not those of its place");
  if (JSON.stringify(saved.arms) !== JSON.stringify([...state.arms.keys()])) throw refused("its arms are not those of the bandit");
  return learner;
}

/** The hash covers all events before it, but what is stored may be something else than what was hashed. */
function isSame(written: StoredEvent, { kind, decision, segment, body, hash }: ReadEvent): boolean {
  return written.hash === hash && written.body === body && written.kind === kind && written.segment === segment && written.decision === decision;
}

/** Why an event is not what the rules write. */
function difference(row: ReadEvent, { bandit, rows, events }: PendingEvents): ServiceError {
  const recorded = fromRow(row, bandit.genesis) as unknown as Record<string, unknown>;
  const [again] = events;
  if (again === undefined) return refused("it would not have been written");
  if (rows.length > 1 || again.kind !== row.kind)
    return refused(`${events.map(({ kind }) => kind).join(" and ")} would have been written in its place`);
  const recomputed = again as unknown as Record<string, unknown>;
  const keys = [...new Set([...Object.keys(recorded), ...Object.keys(recomputed)])];
  const field = keys.find((key) => JSON.stringify(recorded[key]) !== JSON.stringify(recomputed[key]));
  if (field === undefined) return refused("it is written in another way");
  return refused(`its ${field} is recorded as ${shown(recorded[field])} and recomputed as ${shown(recomputed[field])}`);
}

function shown(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function refused(what: string): ServiceError {
  return new ServiceError("ERR_REPLAY", what);
}

function refusal({ name, genesis }: Bandit, row: ReadEvent, error: unknown): unknown {
  const { seq, kind } = row;
  const { message } = error as Error;
  try {
    // What was changed since it was written may fail in any way: that it was changed is what to say.
    fromRow(row, genesis);
  } catch (changed) {
    if (changed instanceof ServiceError) return changed;
  }
  if (!(error instanceof ServiceError))
    return new ServiceError("ERR_REPLAY", `event ${seq} (${kind}) cannot be replayed: ${message}`, { seq, cause: error });
  // What was changed since it was written, and newer versions, have words of their own.
  if (error.code === "ERR_VERSION" || error.details.seq !== undefined) return error;
  return new ServiceError("ERR_REPLAY", `event ${seq} (${kind}) of ${name} does not follow from the log: ${message}`, { seq, cause: error });
}

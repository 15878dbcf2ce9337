import { type BanditState, isSkippedIn } from "../bandit/banditState.js";
import type { OpenDecision } from "../bandit/openDecisions.js";
import type { LossChange } from "../history/historyChange.js";
import type { DecisionEvent, ExpiryEvent, FeedbackEvent, LogEvent } from "../log/event.js";
import type { Alarm, Document, History } from "../schemas.js";
import { turn } from "../turn.js";
import { alarms, asksForTails } from "./alarms.js";
import { alive } from "./alive.js";
import { Cohort } from "./cohort.js";
import { costs } from "./costs.js";
import { DecisionRing } from "./decisionRing.js";
import { Kept } from "./kept.js";
import { medians } from "./medians.js";
import { OutcomeRing } from "./outcomeRing.js";
import { ProbabilityRing } from "./probabilityRing.js";
import { NO_TAILS, type Tails, tails } from "./tails.js";
import { timeline } from "./timeline.js";

/** What the last events of a bandit say, for its owner. Events are taken one by one; nothing here touches what the bandit does. */
export class Insight {
  readonly #decisions = new DecisionRing();
  readonly #outcomes = new OutcomeRing();
  readonly #probabilities = new ProbabilityRing();
  #cohort = new Cohort(-Infinity);
  /** The segments by their names, numbered in the order in which they were seen; the default one is 0. */
  readonly #segments = new Map([["", 0]]);
  /** The numbers of the present arms; null if the first event that was taken is not the first of the log, and the arms have not changed since. */
  #arms: readonly number[] | null;
  #rounds = 0;
  #seq = 0;
  /** When somebody looked last. */
  #looked = 0;
  readonly #tails = new Kept<Tails>();
  readonly #tailsOfSegment = new Kept<Tails>();
  readonly #alarms = new Kept<Alarm[]>();
  /** The last answer, until the next event. */
  #shown: { readonly key: string; readonly history: Omit<History, "alive"> } | undefined;

  constructor(readonly document: Document) {
    this.#arms = document.arms.map((_, number) => number);
  }

  /** Takes an event, in the order of the log. `ended` is the decision that it ended, if it did. */
  take(event: LogEvent, ended: OpenDecision | undefined): void {
    if (this.#seq === 0 && event.seq > 1) {
      this.#arms = null;
      this.#cohort = new Cohort(event.at);
    }
    this.#seq = event.seq;
    this.#shown = undefined;
    switch (event.kind) {
      case "decision":
        this.#decided(event);
        break;
      case "feedback":
      case "expiry":
        if (ended !== undefined) this.#ended(event, ended);
        break;
      case "change":
        if (event.arms !== undefined) this.#arms = event.arms.map(({ number }) => number);
    }
  }

  #decided({ at, number, segment: name, holdout, round, probabilities }: DecisionEvent): void {
    const segment = this.#segment(name);
    this.#decisions.add(at, number, segment, holdout);
    if (round !== null && round > this.#rounds) this.#rounds = round;
    if (probabilities !== undefined) this.#probabilities.add(at, segment, probabilities, this.#arms);
  }

  #ended(event: FeedbackEvent | ExpiryEvent, ended: OpenDecision): void {
    const { at: decided, number, holdout } = ended;
    const segment = this.#segment(ended.segment);
    const missing = event.kind === "expiry";
    if (missing) this.#outcomes.expired(event.at, decided, number, segment, holdout);
    else this.#outcomes.answered(event.at, decided, number, segment, holdout, event.loss, isSkippedIn(ended, event.loss));
    this.#cohort.add(ended, event.at, missing);
  }

  #segment(name: string): number {
    const known = this.#segments.get(name);
    if (known !== undefined) return known;
    const { size } = this.#segments;
    this.#segments.set(name, size);
    return size;
  }

  /** What happened, over at most `points` stretches of time; of one segment ("" is the default one) or of all together. `now` is in milliseconds since 1970. */
  async history(state: BanditState, points: number, segment: string | undefined, now: number): Promise<History> {
    this.#looked = Math.max(this.#looked, now);
    // No event has the place -1.
    const place = segment === undefined ? null : (this.#segments.get(segment) ?? -1);
    const key = `${state.seq} ${points} ${segment === undefined ? "all" : `of ${segment}`}`;
    let shown = this.#shown;
    if (shown?.key !== key) {
      const found = await this.#tailsOf(state, segment, place);
      shown = { key, history: await this.#history(state, points, place, found) };
      this.#shown = shown;
    }
    return { ...shown.history, alive: alive(this.#decisions, this.#outcomes, state, segment, place, now) };
  }

  /** Whether decisions and feedback come; of one segment or of all together. */
  alive(state: BanditState, segment: string | undefined, now: number): History["alive"] {
    return alive(this.#decisions, this.#outcomes, state, segment, segment === undefined ? null : (this.#segments.get(segment) ?? -1), now);
  }

  /** Each part in a turn of the event loop of its own, since decisions wait meanwhile. The log may go on between them: each part is right by itself. */
  async #history(state: BanditState, points: number, segment: number | null, found: Tails): Promise<Omit<History, "alive">> {
    const sources = { decisions: this.#decisions, outcomes: this.#outcomes, probabilities: this.#probabilities };
    const arms = [...state.arms.values()];
    const numbers = arms.map(({ number }) => number);
    const times = timeline(sources, { segment, points, arms: numbers, unknownArms: this.#arms === null ? numbers : null });
    await turn();
    const each = costs(sources, segment, arms, found.byArm);
    await turn();
    return { ...times, arms: arms.map(({ name }) => name), costs: each, medians: medians(this.#outcomes, segment, state.expired) };
  }

  /** What the owner should know, over all segments. `of` names the changes. */
  alarms(state: BanditState, changes: readonly LossChange[] = [], of = ""): Promise<Alarm[]> {
    return this.#alarms.get(of, state.seq, this.#time(state), async () => {
      const found = asksForTails(this.document) ? await this.#tailsOf(state, undefined, null) : NO_TAILS;
      const { document } = this;
      return alarms({
        document,
        state,
        decisions: this.#decisions,
        outcomes: this.#outcomes,
        cohort: this.#cohort,
        rounds: this.#rounds,
        tails: found,
        changes,
      });
    });
  }

  #tailsOf(state: BanditState, segment: string | undefined, place: number | null): Promise<Tails> {
    const kept = segment === undefined ? this.#tails : this.#tailsOfSegment;
    return kept.get(segment ?? "", state.seq, this.#time(state), () => tails(this.#outcomes, place, [...state.arms.values()]));
  }

  /** No clock is needed: when nobody looked and nothing happened, nothing has to be recomputed. */
  #time({ lastAt }: BanditState): number {
    return Math.max(this.#looked, lastAt);
  }
}

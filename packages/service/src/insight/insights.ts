import type { BanditQueue } from "../bandit/banditQueue.js";
import type { OpenDecision } from "../bandit/openDecisions.js";
import { takeSome } from "../bandit/takeSome.js";
import { HistoryKeeper } from "../history/historyKeeper.js";
import { TimelineAnswers } from "../history/timelineAnswer.js";
import type { LogEvent } from "../log/event.js";
import type { Alarm } from "../schemas.js";
import type { Store } from "../store/store.js";
import { Insight } from "./insight.js";

/** An insight begins with this many of the last events, and follows those to come. */
const EVENTS = 30_000;

/** The insights into the bandits that somebody has looked at. */
export class Insights {
  readonly #store: Store;
  readonly #insights = new Map<BanditQueue, Promise<Insight>>();
  readonly #timelines = new Map<BanditQueue, TimelineAnswers>();
  /** Resolves when the histories that alarms asked for are read. */
  #loads = Promise.resolve();
  readonly #alarms = new Map<BanditQueue, { readonly of: string; readonly alarms: readonly Alarm[] }>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(queue: BanditQueue): Promise<Insight> {
    let insight = this.#insights.get(queue);
    if (insight === undefined) {
      insight = this.#open(queue);
      this.#insights.set(queue, insight);
      insight.catch(() => this.#insights.delete(queue));
    }
    return insight;
  }

  /** The timeline of a bandit, which is read from the store in the background. */
  timeline(queue: BanditQueue): TimelineAnswers {
    const timeline = this.#timeline(queue);
    // What fails now is tried again when somebody looks.
    timeline.keeper.load().catch(() => {});
    return timeline;
  }

  #timeline(queue: BanditQueue): TimelineAnswers {
    let timeline = this.#timelines.get(queue);
    if (timeline === undefined) {
      timeline = new TimelineAnswers(new HistoryKeeper(this.#store, queue));
      this.#timelines.set(queue, timeline);
    }
    return timeline;
  }

  /** Saves what is new in the histories of these bandits, and lets go of the others: they were deleted, repaired or shut. */
  async save(queues: Iterable<BanditQueue>): Promise<void> {
    const present = new Set(queues);
    for (const [queue, { keeper }] of this.#timelines) {
      if (present.has(queue) && queue.fault === null) await keeper.save();
      else this.#timelines.delete(queue);
    }
  }

  /** The alarms that were on when they were last looked for. */
  known(queue: BanditQueue): readonly Alarm[] {
    return this.#alarms.get(queue)?.alarms ?? [];
  }

  /** Looks for alarms, if something has happened since the last time. */
  async alarms(queue: BanditQueue): Promise<readonly Alarm[]> {
    const { state } = queue.bandit;
    if (state.seq === 0) return this.known(queue);
    const { keeper } = this.#timeline(queue);
    // One after the other: many that are read at the same moment would keep decisions waiting.
    this.#loads = this.#loads.then(() => keeper.load()).catch(() => {});
    const changes = keeper.recentChanges;
    // The history may be read later than the last events; an arm that is retired ends its alarm at once.
    const found = `${state.arms.size} ${changes.map(({ at, movedAfter, after }) => [at, movedAfter, after]).join()}`;
    const of = `${state.seq} ${found}`;
    if (this.#alarms.get(queue)?.of !== of) {
      const insight = await this.of(queue);
      const alarms = await insight.alarms(state, changes, found);
      this.#alarms.set(queue, { of, alarms });
      // From now on arms that change are not compared by all their plays, though the alarm may end.
      if (state.evidence !== null && alarms.some(({ code }) => code === "DRIFT")) state.evidence.moved = true;
    }
    return this.known(queue);
  }

  async #open(queue: BanditQueue): Promise<Insight> {
    const { bandit, listeners } = queue;
    const insight = new Insight(bandit.document);
    const { seq } = bandit.state;
    const later: [LogEvent, OpenDecision | undefined][] = [];
    let take = (event: LogEvent, ended: OpenDecision | undefined): void => {
      later.push([event, ended]);
    };
    listeners.add((event, ended) => take(event, ended));
    const row = await this.#store.bandit(bandit.name);
    const waiting = new Map<string, OpenDecision>();
    for (let after = Math.max(row?.prunedSeq ?? 0, seq - EVENTS), read = 1; after < seq && read > 0; after += read)
      read = await takeSome(this.#store, row!.id, after, seq, waiting, (event, ended) => insight.take(event, ended));
    for (const [event, ended] of later) insight.take(event, ended);
    take = (event, ended) => insight.take(event, ended);
    return insight;
  }
}

import type { Desk } from "../bandit/desk.js";
import { openDecision } from "../bandit/ledger.js";
import type { OpenDecision } from "../bandit/openDecisions.js";
import type { LogEvent } from "../log/event.js";
import { eventOf } from "../log/rows.js";
import type { Alarm } from "../schemas.js";
import type { Store } from "../store/store.js";
import { Insight } from "./insight.js";

/** An insight begins with this many of the last events, and follows those to come. */
const EVENTS = 30_000;
const CHUNK = 2_000;

/** The insights into the bandits that somebody has looked at. */
export class Insights {
  readonly #store: Store;
  readonly #insights = new Map<Desk, Promise<Insight>>();
  readonly #alarms = new Map<Desk, { readonly seq: number; readonly alarms: readonly Alarm[] }>();

  constructor(store: Store) {
    this.#store = store;
  }

  of(desk: Desk): Promise<Insight> {
    let insight = this.#insights.get(desk);
    if (insight === undefined) {
      insight = this.#open(desk);
      this.#insights.set(desk, insight);
      insight.catch(() => this.#insights.delete(desk));
    }
    return insight;
  }

  /** The alarms that were on when they were last looked for. */
  known(desk: Desk): readonly Alarm[] {
    return this.#alarms.get(desk)?.alarms ?? [];
  }

  /** Looks for alarms, if something has happened since the last time. */
  async alarms(desk: Desk): Promise<readonly Alarm[]> {
    const { ledger } = desk.bandit;
    const { seq } = ledger;
    if (this.#alarms.get(desk)?.seq !== seq && seq > 0) {
      const insight = await this.of(desk);
      this.#alarms.set(desk, { seq, alarms: await insight.alarms(ledger) });
    }
    return this.known(desk);
  }

  async #open(desk: Desk): Promise<Insight> {
    const { bandit, listeners } = desk;
    const insight = new Insight(bandit.document);
    const { seq } = bandit.ledger;
    const later: [LogEvent, OpenDecision | undefined][] = [];
    let take = (event: LogEvent, ended: OpenDecision | undefined): void => {
      later.push([event, ended]);
    };
    listeners.add((event, ended) => take(event, ended));
    const row = await this.#store.bandit(bandit.name);
    const waiting = new Map<string, OpenDecision>();
    for (let after = Math.max(row?.prunedSeq ?? 0, seq - EVENTS); after < seq; ) {
      const rows = await this.#store.events(row!.id, after, Math.min(CHUNK, seq - after));
      if (rows.length === 0) break;
      for (const read of rows) {
        const event = eventOf(read);
        if (event.kind === "decision") waiting.set(event.decision, openDecision(event));
        const ended = event.kind === "feedback" || event.kind === "expiry" ? waiting.get(event.decision) : undefined;
        if (ended !== undefined) waiting.delete(ended.id);
        insight.take(event, ended);
      }
      after = rows.at(-1)!.seq;
    }
    for (const [event, ended] of later) insight.take(event, ended);
    take = (event, ended) => insight.take(event, ended);
    return insight;
  }
}

import { monitorEventLoopDelay } from "node:perf_hooks";
import type { BanditQueue } from "../bandit/banditQueue.js";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** More arms than these would make a family of their own for each bandit. */
const MOST_ARMS = 20;

const LAG_RESOLUTION_MS = 20;

/** A histogram with fixed buckets. */
class Histogram {
  readonly #counts: number[];
  #sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let i = 0;
    while (i < this.bounds.length && value > this.bounds[i]!) i++;
    this.#counts[i]!++;
    this.#sum += value;
  }

  text(name: string, labels: string): string {
    const more = labels === "" ? "" : `${labels},`;
    let below = 0;
    let text = "";
    for (const [i, bound] of [...this.bounds, "+Inf"].entries()) {
      below += this.#counts[i]!;
      text += `${name}_bucket{${more}le="${bound}"} ${below}\n`;
    }
    const own = labels === "" ? "" : `{${labels}}`;
    return `${text}${name}_sum${own} ${this.#sum}\n${name}_count${own} ${below}\n`;
  }
}

/** What Prometheus asks for, in its text format, version 0.0.4. */
export class Metrics {
  /** By route and status. */
  readonly #http = new Map<string, Map<number, Histogram>>();
  readonly #commits = new Histogram(SECONDS);
  readonly #batches = new Histogram(EVENTS);
  /** By bandit and status. */
  readonly #feedback = new Map<string, Map<string, number>>();
  readonly #lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  #lostRaces = 0;
  #storeErrors = 0;

  constructor() {
    this.#lag.enable();
  }

  close(): void {
    this.#lag.disable();
  }

  request(route: string, status: number, seconds: number): void {
    const ofRoute = inner(this.#http, route);
    let histogram = ofRoute.get(status);
    if (histogram === undefined) {
      histogram = new Histogram(SECONDS);
      ofRoute.set(status, histogram);
    }
    histogram.observe(seconds);
  }

  commit(events: number, seconds: number): void {
    this.#commits.observe(seconds);
    this.#batches.observe(events);
  }

  feedback(bandit: string, status: string): void {
    const ofBandit = inner(this.#feedback, bandit);
    ofBandit.set(status, (ofBandit.get(status) ?? 0) + 1);
  }

  lostRace(): void {
    this.#lostRaces++;
  }

  storeError(): void {
    this.#storeErrors++;
  }

  /** By how much timers were late since the last look, which ends with it. */
  #lagText(): string {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1e3);
    const [p50, p99, max] = this.#lag.max === 0 ? [0, 0, 0] : [this.#lag.percentile(50), this.#lag.percentile(99), this.#lag.max].map(seconds);
    this.#lag.reset();
    const name = "tsallis_event_loop_lag_seconds";
    return `${name}{quantile="0.5"} ${p50}\n${name}{quantile="0.99"} ${p99}\n${name}{quantile="1"} ${max}\n`;
  }

  text(
    queues: readonly BanditQueue[],
    alarms: ReadonlyMap<string, readonly string[]>,
    shut: ReadonlyMap<string, string>,
    sees: (bandit: string) => boolean,
    now: number,
  ): string {
    const seen = queues.filter(({ bandit }) => sees(bandit.name));
    let text = "";
    const family = (name: string, type: string, help: string) => {
      text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    };
    family("tsallis_decisions_total", "counter", "Decisions, by arm; of at most 20 arms.");
    for (const { bandit } of seen) {
      for (const { name, decisions } of few([...bandit.state.arms.values()]))
        text += `tsallis_decisions_total{bandit="${bandit.name}",arm="${name}"} ${decisions}\n`;
    }
    family("tsallis_outcomes_total", "counter", "Decisions that have ended.");
    for (const { bandit } of seen) {
      const { answered, expired } = bandit.state.counted;
      text += `tsallis_outcomes_total{bandit="${bandit.name}",outcome="answered"} ${answered}\ntsallis_outcomes_total{bandit="${bandit.name}",outcome="expired"} ${expired}\n`;
    }
    family("tsallis_feedback_total", "counter", "Feedback since the start, by what became of it.");
    for (const [bandit, counts] of this.#feedback)
      if (sees(bandit)) for (const [status, count] of counts) text += `tsallis_feedback_total{bandit="${bandit}",status="${status}"} ${count}\n`;
    family("tsallis_open_decisions", "gauge", "Decisions that wait for feedback.");
    for (const { bandit } of seen) text += `tsallis_open_decisions{bandit="${bandit.name}"} ${bandit.state.open.size}\n`;
    family("tsallis_probability", "gauge", "Probability that the arm is chosen next, in the default segment; of at most 20 arms.");
    for (const { bandit } of seen) {
      if (bandit.state.arms.size > MOST_ARMS) continue;
      const probabilities = bandit.learners.get("")?.probabilities() ?? null;
      if (probabilities !== null)
        for (const [i, { name }] of [...bandit.state.arms.values()].entries())
          text += `tsallis_probability{bandit="${bandit.name}",arm="${name}"} ${probabilities[i]}\n`;
    }
    family("tsallis_alarm", "gauge", "1 for each alarm that is on; the bandit's page says what to do.");
    for (const [bandit, codes] of alarms) if (sees(bandit)) for (const code of codes) text += `tsallis_alarm{bandit="${bandit}",code="${code}"} 1\n`;
    family("tsallis_shut", "gauge", "1 for each bandit that is shut, with the code that says why.");
    for (const [bandit, code] of shut) if (sees(bandit)) text += `tsallis_shut{bandit="${bandit}",code="${code}"} 1\n`;
    family("tsallis_queue_events", "gauge", "Events that wait to be written; above 10,000, requests are refused.");
    for (const { bandit, waiting } of seen) text += `tsallis_queue_events{bandit="${bandit.name}"} ${waiting}\n`;
    family("tsallis_snapshot_age_seconds", "gauge", "How long ago the last snapshot was complete; 0 if it has every event.");
    for (const { bandit, snapshotAt } of seen)
      text += `tsallis_snapshot_age_seconds{bandit="${bandit.name}"} ${snapshotAt === null ? 0 : Math.max(0, now - snapshotAt) / 1000}\n`;
    family("tsallis_store_errors_total", "counter", "Calls that the store refused or did not answer.");
    text += `tsallis_store_errors_total ${this.#storeErrors}\n`;
    family("tsallis_event_loop_lag_seconds", "gauge", "By how much timers were late since the last scrape: median, 99 %, most.");
    text += this.#lagText();
    family("tsallis_lost_races_total", "counter", "Turns that began again because another server had written first.");
    text += `tsallis_lost_races_total ${this.#lostRaces}\n`;
    family("tsallis_commit_seconds", "histogram", "How long commits took.");
    text += this.#commits.text("tsallis_commit_seconds", "");
    family("tsallis_batch_events", "histogram", "Events per commit.");
    text += this.#batches.text("tsallis_batch_events", "");
    family("tsallis_http_seconds", "histogram", "How long requests took.");
    for (const [route, histograms] of this.#http)
      for (const [status, histogram] of histograms) text += histogram.text("tsallis_http_seconds", `route="${route}",status="${status}"`);
    return text;
  }
}

function few<T>(arms: readonly T[]): readonly T[] {
  return arms.length > MOST_ARMS ? [] : arms;
}

/** The map of a key, which is new if there was none. */
function inner<Key, Value>(maps: Map<string, Map<Key, Value>>, key: string): Map<Key, Value> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}

import { TsallisError } from "tsallis";
import { ServiceError } from "../serviceError.js";
import type { BanditStore, Head, StoredBandit } from "../store/store.js";
import { storeError } from "../store/storeError.js";
import { turn } from "../turn.js";
import type { Bandit } from "./bandit.js";
import { type KnownDecision, knownDecision } from "./knownDecision.js";
import { anotherEvent, catchUp, type Listener, loadLearner, missingEvent } from "./loadBandit.js";
import { PendingEvents } from "./pendingEvents.js";
import type { BanditRequest } from "./requests.js";
import { SnapshotKeeper, type SnapshotOptions } from "./snapshotKeeper.js";

interface Waiting {
  readonly request: BanditRequest<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request failed by a defect, perhaps half-way: nothing of its turn may be written. */
class Spoilt {
  constructor(readonly cause: unknown) {}
}

/** Events that are in the log, and what answers their requests. */
interface Written {
  readonly pending: PendingEvents;
  readonly answers: readonly (() => void)[];
  /** When it was sent to the store. */
  readonly start: number;
}

export interface BanditQueueOptions extends SnapshotOptions {
  readonly maxOpen: number;
  /** Called after each commit, with the number of events and how long it took. */
  readonly onCommit: (events: number, seconds: number) => void;
  readonly onLostRace: () => void;
  /** How long a turn may take, in milliseconds, before its requests are refused; for tests. */
  readonly turnMs?: number;
}

const MOST_WAITING = 10_000;
const MOST_IN_TURN = 1_000;
/** A store that falls silent is given up after 15 s: so long nobody shall wait who could ask another server. */
const TURN_MS = 5_000;
/** After so many races that others won, the bandit is locked for one turn. */
const RACES = 3;

/**
 * Serves one bandit. Requests that come while a turn is under way wait for the next. A turn asks the store what it must know, collects the events of the
 * requests, and appends them; only then are they answered. If another server has written first, the turn reads what it wrote and starts again.
 */
export class BanditQueue {
  readonly bandit: Bandit;
  /** Called with every event that is in the log. */
  readonly listeners = new Set<Listener>();
  readonly #row: StoredBandit;
  readonly #options: BanditQueueOptions;
  #queue: Waiting[] = [];
  #weight = 0;
  #running: Promise<void> | null = null;
  /** Whether the turn under way takes too long. */
  #stalled = false;
  /** Why the bandit is shut: its log does not replay, or a newer version has taken it over. */
  #shut: unknown = null;
  /** What the turn under way would write. */
  #pending: PendingEvents | null = null;
  readonly #snapshots: SnapshotKeeper;

  private constructor(snapshots: SnapshotKeeper, row: StoredBandit, options: BanditQueueOptions) {
    this.bandit = snapshots.bandit;
    this.#snapshots = snapshots;
    this.#row = row;
    this.#options = options;
    this.listeners.add((event) => snapshots.note(event));
  }

  static async open(row: StoredBandit, options: BanditQueueOptions): Promise<BanditQueue> {
    return new BanditQueue(await SnapshotKeeper.load(row, options), row, options);
  }

  /** Why the bandit is shut; null if it is not. */
  get fault(): unknown {
    return this.#shut;
  }

  /** The number of events that wait to be written. */
  get waiting(): number {
    return this.#weight;
  }

  /** When the last snapshot was complete, in milliseconds since 1970; null if it has every event. */
  get snapshotAt(): number | null {
    return this.#snapshots.completeAt;
  }

  /** Resolves to the answer when everything that it rests on is in the log. */
  submit<Answer>(request: BanditRequest<Answer>): Promise<Answer> {
    if (this.#shut !== null) return Promise.reject(this.#shut);
    if (this.#stalled) return Promise.reject(this.#tooLong());
    if (this.#weight + request.weight > MOST_WAITING) {
      return Promise.reject(
        new ServiceError("ERR_BUSY", `${this.#weight} events of ${this.bandit.name} wait to be written; ask again, with the same id`),
      );
    }
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#queue.push({ request, resolve: resolve as (answer: unknown) => void, reject });
    });
    this.#weight += request.weight;
    this.#running ??= this.#run();
    return answer;
  }

  /** Reads what others have written. */
  async refresh(): Promise<void> {
    await this.submit({ decisions: [], segments: [], weight: 0, run: () => undefined });
  }

  /** Saves what has changed since the last snapshot, when everything that waits is written. */
  async close(): Promise<void> {
    while (this.#running !== null) await this.#running;
    if (this.#shut === null) await this.#snapshots.save();
  }

  /** Loads a segment that is not in memory, so that it can be looked at. False if there is no such segment. */
  async visit(segment: string): Promise<boolean> {
    await this.submit({ decisions: [], segments: [segment], weight: 0, run: () => undefined });
    return this.bandit.learners.has(segment);
  }

  async #run(): Promise<void> {
    // Requests that have arrived together share a turn.
    await turn();
    while (this.#queue.length > 0) {
      const taken = this.#take();
      const timer = setTimeout(() => this.#stall(taken), this.#options.turnMs ?? TURN_MS);
      try {
        // Most requests make new decisions, or end open ones, and nothing else has written: then one call to the store does.
        if (!(await this.#turn(taken, false))) await this.#race(taken);
      } catch (error) {
        await this.#refused(taken, error);
      } finally {
        clearTimeout(timer);
        this.#stalled = false;
      }
      // What could not be replayed may have moved a learner: no snapshot may come of that.
      if (this.#shut === null && this.#snapshots.isDue) await this.#snapshots.saveSome();
    }
    this.#running = null;
  }

  /** Serves requests one by one if the store refuses what one of them writes: the others must not suffer for it. */
  async #refused(taken: readonly Waiting[], error: unknown): Promise<void> {
    if (taken.length === 1 || !isRefusal(error)) return this.#fail(taken, error);
    for (const one of taken) await this.#race([one]).catch((own) => this.#fail([one], own));
  }

  /** The turn goes on, since what it writes may be written already; those who wait for it, and those who come, are asked to come again. */
  #stall(taken: readonly Waiting[]): void {
    this.#stalled = true;
    for (const { reject } of [...taken, ...this.#queue.splice(0)]) reject(this.#tooLong());
    this.#weight = 0;
  }

  #tooLong(): ServiceError {
    return storeError(this.#options.store.name, "it does not answer in time; ask again, with the same id");
  }

  #take(): Waiting[] {
    let [count, weight] = [0, 0];
    for (const { request } of this.#queue) {
      if (count > 0 && (weight + request.weight > MOST_IN_TURN || request.alone === true)) break;
      weight += request.weight;
      count++;
      if (request.alone === true) break;
    }
    this.#weight -= weight;
    return this.#queue.splice(0, count);
  }

  /** Nothing was promised: a client that asks again with the same id gets the same answer as if nothing had happened. */
  #fail(taken: readonly Waiting[], error: unknown): void {
    if (error instanceof Spoilt) {
      for (const { reject } of taken) reject(error.cause);
      this.#options.onProblem(error.cause);
      return;
    }
    for (const { reject } of taken) reject(error);
    if (!(error instanceof ServiceError && error.code === "ERR_STORE")) {
      this.#shut = error;
      this.#options.onProblem(error);
      for (const { reject } of this.#queue.splice(0)) reject(error);
      this.#weight = 0;
    }
  }

  /** Serves requests though others write to the bandit too. */
  async #race(taken: readonly Waiting[]): Promise<void> {
    for (let race = 0; race < RACES; race++) {
      if (await this.#turn(taken, true)) return;
      this.#options.onLostRace();
    }
    if (await this.#turn(taken, true, true)) return;
    throw new ServiceError("ERR_STORE", `others write to ${this.bandit.name} all the time; ask again, with the same id`);
  }

  /**
   * False if another server has written first, or a decision that was thought to be new is not. `surely`: whether the store is asked first about decisions that are
   * thought to be new. `isLocked`: whether others are kept from writing meanwhile; such a turn ends with a commit, which may fail. Nothing is answered before.
   */
  async #turn(taken: readonly Waiting[], surely: boolean, isLocked = false): Promise<boolean> {
    const { store } = this.#options;
    let written: Written | null = null;
    try {
      written = await (isLocked ? store.locked(this.#row.id, (own) => this.#write(own, taken, surely)) : this.#write(store, taken, surely));
    } finally {
      if (written === null) this.#pending?.undo();
      this.#pending = null;
    }
    if (written === null) return false;
    this.#commit(written);
    for (const answer of written.answers) answer();
    return true;
  }

  /** Collects the events of the requests and appends them. Null if another server has written first. */
  async #write(store: BanditStore, taken: readonly Waiting[], surely: boolean): Promise<Written | null> {
    let known: Map<string, KnownDecision> | null = null;
    if (surely || this.#unknown(taken, surely).length > 0) {
      known = await this.#look(store, taken, surely);
      if (known === null) return null;
    }
    const absent = this.#absent(taken);
    if (absent.length > 0 && !(await this.#load(store, absent))) return null;
    const [{ request }] = taken as [Waiting];
    const mentions = request.erases === undefined ? [] : await store.mentions(this.#row.id, request.erases);
    const { state } = this.bandit;
    const pending = new PendingEvents(this.bandit, known, this.#options.now(state.windowSeconds * 1000), this.#options.maxOpen, mentions);
    this.#pending = pending;
    const answers = taken.map((waiting) => tried(waiting, pending));
    if (pending.refused && !surely) return null;
    const start = performance.now();
    // Where nothing is to be written, nothing but a look tells whether the answers rest on the last event.
    if (pending.rows.length === 0) return surely || isSame(await store.look(this.#row.id, []), state.head) ? { pending, answers, start } : null;
    const appended = await store.append(this.#row.id, state.head, pending.rows, pending.erasures);
    if (appended === "taken" && surely)
      throw storeError(
        this.#options.store.name,
        `it refuses an event of ${this.bandit.name} that its log does not have; audit it with tsallis audit`,
      );
    return appended === "written" ? { pending, answers, start } : null;
  }

  /** The decisions about which the store must be asked: those that are not open. */
  #unknown(taken: readonly Waiting[], surely: boolean): string[] {
    const { open } = this.bandit.state;
    const unknown: string[] = [];
    for (const { request } of taken) {
      for (const id of request.decisions) if (open.get(id) === undefined) unknown.push(id);
      if (surely) for (const id of request.made ?? []) if (open.get(id) === undefined) unknown.push(id);
    }
    return unknown;
  }

  /** What the log says about decisions that are not open. Null if others write faster than this one reads. Afterwards the bandit is where the log is. */
  async #look(store: BanditStore, taken: readonly Waiting[], surely: boolean): Promise<Map<string, KnownDecision> | null> {
    const { bandit } = this;
    const { state } = bandit;
    for (let look = 0; look <= RACES; look++) {
      const { seq, hash, found } = await store.look(this.#row.id, [...new Set(this.#unknown(taken, surely))]);
      if (isSame({ seq, hash }, state.head)) return new Map([...found].map(([id, decision]) => [id, knownDecision(decision, bandit.genesis)]));
      if (seq < state.seq)
        throw new ServiceError("ERR_REPLAY", `the log of ${bandit.name} ends at event ${seq}, and ended at ${state.seq} before: restart the server`);
      if (seq === state.seq) throw anotherEvent(bandit, hash);
      await catchUp(store, this.#row.id, bandit, false, this.#tell);
      if (state.seq < seq) throw missingEvent(bandit, seq);
    }
    return null;
  }

  /** The segments of the requests whose learners are not in memory. Those that are were used last, and stand last from here on. */
  #absent(taken: readonly Waiting[]): string[] {
    const { state, learners } = this.bandit;
    const absent: string[] = [];
    const use = (segment: string) => {
      const learner = learners.get(segment);
      if (learner === undefined) {
        if (state.segments.has(segment)) absent.push(segment);
      } else if (learners.size > 1) {
        learners.delete(segment);
        learners.set(segment, learner);
      }
    };
    for (const { request } of taken) {
      for (const segment of request.segments) use(segment);
      for (const id of request.decisions) use(state.open.get(id)?.segment ?? "");
    }
    return absent;
  }

  /** Loads learners. False if one cannot be loaded because the bandit lags behind: another server has saved it, and prune has deleted what was before. */
  async #load(store: BanditStore, segments: readonly string[]): Promise<boolean> {
    const { state, learners } = this.bandit;
    try {
      for (const segment of new Set(segments)) {
        const learner = await loadLearner(this.#options.store, this.#row, this.bandit, segment);
        if (learner !== undefined) learners.set(segment, learner);
      }
      return true;
    } catch (error) {
      if (isOfLog(error) && (await store.look(this.#row.id, [])).seq > state.seq) return false;
      throw error;
    }
  }

  #commit({ pending, start }: Written): void {
    if (pending.rows.length > 0) this.#options.onCommit(pending.rows.length, (performance.now() - start) / 1000);
    for (const { event, ended } of pending.commit()) this.#tell(event, ended);
  }

  readonly #tell: Listener = (event, ended) => {
    for (const listener of this.listeners) listener(event, ended);
  };
}

function isSame(a: Head, b: Head): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}

/** Whether the store has refused what was to be written, and would refuse it again. */
function isRefusal(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "ERR_STORE" && error.details.refused === true;
}

/** Whether a log is not as it must be. */
function isOfLog(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "ERR_REPLAY";
}

/** Runs a request. Returns what answers it, once its events are written. */
function tried({ request, resolve, reject }: Waiting, pending: PendingEvents): () => void {
  try {
    const answer = request.run(pending);
    return () => resolve(answer);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof TsallisError)) throw new Spoilt(error);
    if (request.alone === true) pending.undo();
    return () => reject(error);
  }
}

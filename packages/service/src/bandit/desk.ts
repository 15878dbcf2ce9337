import { TsallisError } from "tsallis";
import type { LogEvent } from "../log/event.js";
import { ServiceError } from "../serviceError.js";
import type { BanditStore, Head, Store, StoredBandit } from "../store/store.js";
import type { Bandit } from "./bandit.js";
import { Draft } from "./draft.js";
import { type KnownDecision, knownDecision } from "./knownDecision.js";
import { anotherEvent, catchUp, type Listener, loadBandit, loadLearner, missingEvent } from "./loadBandit.js";
import { partOf, savedState } from "./savedState.js";

/** A request to a bandit. It may be tried more than once, until it is written. */
export interface Request<Answer> {
  /** The decisions that it is about; those that it makes, which are thought to be new until the store says otherwise; the segments in which it may decide. */
  readonly decisions: readonly string[];
  readonly made?: readonly string[];
  readonly segments: readonly string[];
  /** How many events it may write. */
  readonly weight: number;
  /** Whether it must have a draft of its own. */
  readonly alone?: boolean;
  run(draft: Draft): Answer;
}

interface Waiting {
  readonly request: Request<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A request failed by a defect, perhaps half-way: nothing of its draft may be written. */
class Spoilt {
  constructor(readonly cause: unknown) {}
}

/** A draft that is in the log, and what answers its requests. */
interface Written {
  readonly draft: Draft;
  readonly answers: readonly (() => void)[];
  /** When it was sent to the store. */
  readonly start: number;
}

export interface DeskOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly mostOpen: number;
  /** Called after each commit, with the number of events and how long it took. */
  readonly onCommit: (events: number, seconds: number) => void;
  readonly onLostRace: () => void;
  readonly onProblem: (error: unknown) => void;
}

const MOST_WAITING = 10_000;
const MOST_IN_DRAFT = 1_000;
const SNAPSHOT_EVENTS = 10_000;
const SNAPSHOT_MS = 60_000;
/** Learners in memory: when there are more, those that were not used for longest go, until there are fewer. */
const MOST_LOADED = 100;
const FEWER_LOADED = 80;
/** After so many races that others won, the bandit is locked for one turn. */
const RACES = 3;

/**
 * Serves one bandit. Requests that come while a turn is under way wait for the next. A turn asks the store what it must know, lets the requests write a draft,
 * and appends it; only then they are answered. If somebody else has written first, it reads what they wrote and begins again.
 */
export class Desk {
  readonly bandit: Bandit;
  /** Who else wants to know the events. */
  readonly listeners = new Set<Listener>();
  readonly #row: StoredBandit;
  readonly #options: DeskOptions;
  #queue: Waiting[] = [];
  #weight = 0;
  #running: Promise<void> | null = null;
  /** Why the bandit is shut: its log does not replay, or a newer version has taken it over. */
  #shut: unknown = null;
  /** The segments that have moved since their snapshots, also those that others have moved and that are not loaded. */
  readonly #moved: Set<string>;
  #savedSeq: number;
  #savedAt: number;

  private constructor(bandit: Bandit, row: StoredBandit, options: DeskOptions, moved: Set<string>, savedSeq: number) {
    this.bandit = bandit;
    this.#row = row;
    this.#options = options;
    this.#moved = moved;
    this.#savedSeq = savedSeq;
    this.#savedAt = options.now();
  }

  static async open(row: StoredBandit, options: DeskOptions): Promise<Desk> {
    const moved = new Set<string>();
    let first = 0;
    const bandit = await loadBandit(options.store, row, (event) => {
      if (first === 0) first = event.seq;
      if ("segment" in event) moved.add(event.segment);
    });
    return new Desk(bandit, row, options, moved, first === 0 ? bandit.ledger.seq : first - 1);
  }

  /** Why the bandit is shut; null if it is not. */
  get fault(): unknown {
    return this.#shut;
  }

  /** The number of events that wait to be written. */
  get waiting(): number {
    return this.#weight;
  }

  /** Resolves to the answer when everything that it rests on is in the log. */
  submit<Answer>(request: Request<Answer>): Promise<Answer> {
    if (this.#shut !== null) return Promise.reject(this.#shut);
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
    // The log has everything: a snapshot only saves time at the next start.
    if (this.#shut === null) await this.#save().catch(this.#options.onProblem);
  }

  /** Loads a segment that is not in memory, so that it can be looked at. False if there is no such segment. */
  async visit(segment: string): Promise<boolean> {
    await this.submit({ decisions: [], segments: [segment], weight: 0, run: () => undefined });
    return this.bandit.learners.has(segment);
  }

  async #run(): Promise<void> {
    // Requests of the same tick share a turn.
    await undefined;
    while (this.#queue.length > 0) {
      const taken = this.#take();
      try {
        await this.#serve(taken);
      } catch (error) {
        this.#fail(taken, error);
      }
      // What could not be replayed may have moved a learner: no snapshot may come of that.
      if (this.#shut === null) await this.#saveIfDue();
    }
    this.#running = null;
  }

  #take(): Waiting[] {
    let [count, weight] = [0, 0];
    for (const { request } of this.#queue) {
      if (count > 0 && (weight + request.weight > MOST_IN_DRAFT || request.alone === true)) break;
      weight += request.weight;
      count++;
      if (request.alone === true) break;
    }
    this.#weight -= weight;
    return this.#queue.splice(0, count);
  }

  /** Nothing was promised: whoever asks again with the same id gets the same answer as if nothing had happened. */
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

  async #serve(taken: readonly Waiting[]): Promise<void> {
    const { store, onLostRace } = this.#options;
    if (await this.#tryAtOnce(taken)) return;
    for (let race = 0; race < RACES; race++) {
      if (await this.#turn(taken, true, (turn) => turn(store))) return;
      onLostRace();
    }
    const done = await this.#turn(taken, true, (turn) => store.locked(this.#row.id, turn));
    if (!done) throw new ServiceError("ERR_STORE", `others write to ${this.bandit.name} all the time; ask again, with the same id`);
  }

  /** Most requests make new decisions, or end open ones, and nobody else has written: then one call to the store does. */
  async #tryAtOnce(taken: readonly Waiting[]): Promise<boolean> {
    try {
      return await this.#turn(taken, false, (turn) => turn(this.#options.store));
    } catch (error) {
      if ((error as { taken?: true }).taken) return false;
      throw error;
    }
  }

  /**
   * False if somebody else has written first. `within` does the work on a store and resolves when what was written is there to stay: a turn under a lock ends
   * with a commit, which may fail. Nothing is answered before. `surely`: whether the store is asked first about decisions that are thought to be new.
   */
  async #turn(
    taken: readonly Waiting[],
    surely: boolean,
    within: (turn: (store: BanditStore) => Promise<Written | null>) => Promise<Written | null>,
  ): Promise<boolean> {
    let draft: Draft | undefined;
    let written: Written | null = null;
    try {
      written = await within(async (store) => {
        const known = await this.#look(store, taken, surely);
        if (known === null) return null;
        if (!(await this.#load(store, taken))) return null;
        draft = new Draft(this.bandit, known, this.#options.now(), this.#options.mostOpen);
        const answers = taken.map((waiting) => tried(waiting, draft!));
        if (draft.refused && !surely) return null;
        const start = performance.now();
        return (await this.#append(store, draft, surely)) ? { draft, answers, start } : null;
      });
    } finally {
      if (written === null) draft?.undo();
    }
    if (written === null) return false;
    this.#commit(written);
    for (const answer of written.answers) answer();
    return true;
  }

  /** Where nothing is to be written, nothing but a look tells whether the answers rest on the last event. */
  async #append(store: BanditStore, { rows }: Draft, surely: boolean): Promise<boolean> {
    const { head } = this.bandit.ledger;
    if (rows.length > 0) return store.append(this.#row.id, head, rows);
    return surely || isSame(await store.look(this.#row.id, []), head);
  }

  /**
   * What the log says about decisions that are not open. Null if others write faster than this one reads. Afterwards the bandit is where the log is, unless
   * there was nothing to ask, and it need not be sure.
   */
  async #look(store: BanditStore, taken: readonly Waiting[], surely: boolean): Promise<Map<string, KnownDecision> | null> {
    const { bandit } = this;
    const { ledger } = bandit;
    for (let look = 0; look <= RACES; look++) {
      const asked = taken.flatMap(({ request }) => [...request.decisions, ...(surely ? (request.made ?? []) : [])]);
      const ids = new Set(asked.filter((id) => ledger.open.get(id) === undefined));
      if (ids.size === 0 && !surely) return new Map();
      const { seq, hash, found } = await store.look(this.#row.id, [...ids]);
      if (isSame({ seq, hash }, ledger.head)) return new Map([...found].map(([id, decision]) => [id, knownDecision(decision, bandit.genesis)]));
      if (seq < ledger.seq)
        throw new ServiceError("ERR_REPLAY", `the log of ${bandit.name} ends at event ${seq}, and ended at ${ledger.seq} before: restart the server`);
      if (seq === ledger.seq) throw anotherEvent(bandit, hash);
      await this.#catchUp(store);
      if (ledger.seq < seq) throw missingEvent(bandit, seq);
    }
    return null;
  }

  async #catchUp(store: BanditStore): Promise<void> {
    const onEvent: Listener = (event, ended) => {
      this.#note(event);
      this.#tell(event, ended);
    };
    await catchUp(store, this.#row.id, this.bandit, false, onEvent);
  }

  /**
   * Loads the learners that the requests need. False if one cannot be loaded because the bandit lags behind: another server has saved it, and prune has deleted
   * what was before.
   */
  async #load(store: BanditStore, taken: readonly Waiting[]): Promise<boolean> {
    const { ledger, learners } = this.bandit;
    const open = (id: string): string => ledger.open.get(id)?.segment ?? "";
    try {
      for (const segment of new Set(taken.flatMap(({ request }) => [...request.segments, ...request.decisions.map(open)]))) {
        const learner = learners.get(segment) ?? (await loadLearner(this.#options.store, this.#row, this.bandit, segment));
        if (learner === undefined) continue;
        // The one that was used last stands last.
        learners.delete(segment);
        learners.set(segment, learner);
      }
      return true;
    } catch (error) {
      if (isOfLog(error) && (await store.look(this.#row.id, [])).seq > ledger.seq) return false;
      throw error;
    }
  }

  #commit({ draft, start }: Written): void {
    if (draft.rows.length > 0) this.#options.onCommit(draft.rows.length, (performance.now() - start) / 1000);
    for (const { event, ended } of draft.commit()) {
      this.#note(event);
      this.#tell(event, ended);
    }
  }

  /** Remembers which segments an event has moved. */
  #note(event: LogEvent): void {
    if ("segment" in event) this.#moved.add(event.segment);
    else if (event.arms !== undefined) for (const segment of this.bandit.learners.keys()) this.#moved.add(segment);
  }

  readonly #tell: Listener = (event, ended) => {
    for (const listener of this.listeners) listener(event, ended);
  };

  async #saveIfDue(): Promise<void> {
    const { learners, ledger } = this.bandit;
    const due = ledger.seq - this.#savedSeq >= SNAPSHOT_EVENTS || this.#options.now() - this.#savedAt >= SNAPSHOT_MS;
    if (!due && learners.size <= MOST_LOADED) return;
    try {
      await this.#save();
    } catch (error) {
      // The log has everything: a snapshot only saves time at the next start.
      this.#options.onProblem(error);
      return;
    }
    if (learners.size <= MOST_LOADED) return;
    for (const segment of learners.keys()) {
      if (learners.size <= FEWER_LOADED) return;
      if (segment !== "") learners.delete(segment);
    }
  }

  async #save(): Promise<void> {
    const { store, now } = this.#options;
    const { ledger, learners } = this.bandit;
    const { seq } = ledger;
    this.#savedAt = now();
    if (seq === this.#savedSeq) return;
    for (const segment of this.#moved) {
      // Once the log is pruned, a segment can begin with a snapshot only: whoever saves the bandit sees to it that each one has one.
      if (learners.has(segment) || (await store.snapshots(this.#row.id, partOf(segment))).length > 0) continue;
      const learner = await loadLearner(store, this.#row, this.bandit, segment);
      if (learner === undefined || ledger.seq !== seq) return;
      learners.set(segment, learner);
    }
    if (ledger.seq !== seq) return;
    const segments = ["", ...[...this.#moved].filter((segment) => segment !== "" && learners.has(segment))];
    const saved = segments.map((segment) => savedState(this.bandit, segment));
    await store.save(this.#row.id, saved);
    this.#moved.clear();
    this.#savedSeq = seq;
  }
}

function isSame(a: Head, b: Head): boolean {
  return a.seq === b.seq && a.hash === b.hash;
}

/** Whether a log is not as it must be. */
function isOfLog(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "ERR_REPLAY";
}

/** Runs a request on the draft. Returns what answers it, once the draft is written. */
function tried({ request, resolve, reject }: Waiting, draft: Draft): () => void {
  try {
    const answer = request.run(draft);
    return () => resolve(answer);
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof TsallisError)) throw new Spoilt(error);
    if (request.alone === true) draft.undo();
    return () => reject(error);
  }
}

import type { Document, NewBandit } from "../schemas.js";
import { ServiceError, unknownBandit } from "../serviceError.js";
import type { Head } from "../store/store.js";
import { OWN } from "../version.js";
import { BanditQueue, type BanditQueueOptions } from "./banditQueue.js";
import { completeDocument } from "./document.js";
import { unknownSegment } from "./pendingEvents.js";
import { change, expire } from "./requests.js";

export const MOST_BANDITS = 10_000;
const EXPIRED_AT_ONCE = 1_000;

/** All bandits of a service: each is loaded when it is first asked for, and stays. */
export class BanditRegistry {
  readonly #options: BanditQueueOptions;
  readonly #queues = new Map<string, Promise<BanditQueue>>();
  readonly #open = new Map<string, BanditQueue>();
  /** Why bandits could not be loaded. */
  readonly #faults = new Map<string, ServiceError>();
  /** Where the logs of bandits that are shut ended when that was noticed. */
  readonly #shutAt = new Map<string, string>();
  #isWarm = false;

  constructor(options: BanditQueueOptions) {
    this.#options = options;
  }

  /** The bandits that are loaded. */
  get loaded(): ReadonlyMap<string, BanditQueue> {
    return this.#open;
  }

  /** Whether every bandit was loaded once, or is shut. */
  get isWarm(): boolean {
    return this.#isWarm;
  }

  /** The bandits that are shut, each with the code that says why. */
  get shut(): ReadonlyMap<string, string> {
    const faults = [...this.#open].flatMap(([name, { fault }]) => (fault === null ? [] : [[name, fault] as const]));
    return new Map([...this.#faults, ...faults].map(([name, fault]) => [name, fault instanceof ServiceError ? fault.code : "ERR_INTERNAL"]));
  }

  /** The names of all bandits, in order. */
  async names(): Promise<string[]> {
    return (await this.#options.store.bandits()).map(({ name }) => name).sort();
  }

  queue(name: string): Promise<BanditQueue> {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const opening = this.#load(name);
    this.#queues.set(name, opening);
    opening.catch((error) => {
      // A log that does not replay will not do so the next time either.
      if (!(error instanceof ServiceError && (error.code === "ERR_REPLAY" || error.code === "ERR_VERSION"))) this.#queues.delete(name);
      else {
        this.#faults.set(name, error);
        this.#options.onProblem(error);
      }
    });
    return opening;
  }

  async #load(name: string): Promise<BanditQueue> {
    const row = await this.#options.store.bandit(name);
    if (row === null) throw unknownBandit(name);
    const queue = await BanditQueue.open(row, this.#options);
    this.#open.set(name, queue);
    return queue;
  }

  /** Creates a bandit, or finds one that was created from the same document. */
  async create(name: string, given: NewBandit): Promise<{ readonly queue: BanditQueue; readonly created: boolean }> {
    const { store, now } = this.#options;
    const found = await store.bandit(name);
    if (found === null) {
      const document = JSON.stringify(completeDocument(given));
      if ((await store.bandits()).length >= MOST_BANDITS) {
        throw new ServiceError("ERR_BANDITS", `there are ${MOST_BANDITS} bandits, and that is the limit; segments of one bandit may do`);
      }
      if (await store.create({ name, document, ...OWN, createdAt: now() })) return { queue: await this.#created(name), created: true };
      if ((await store.bandit(name)) === null)
        throw new ServiceError("ERR_DELETED", `a bandit ${name} was deleted, and names are not used twice; take another name`, { parameter: "name" });
    }
    const queue = await this.#created(name);
    const { document } = queue.bandit;
    const asked = completeDocument(given, document.seed);
    const present = queue.bandit.presentDocument;
    if (!(isSame(asked, document) || isSame(asked, present))) {
      const parts = (Object.keys(asked) as (keyof Document)[]).filter((key) => JSON.stringify(asked[key]) !== JSON.stringify(present[key]));
      const message = `a bandit ${name} exists, and differs in ${parts.join(", ")}; change it with PATCH (arms, windowSeconds, expired, holdout, cap, unit), or take another name`;
      throw new ServiceError("ERR_BANDIT_DIFFERS", message, { parameter: parts[0]! });
    }
    return { queue, created: false };
  }

  /** Loads a bandit that is there. Somebody who asked for it just before it was created may still be told that it is not. */
  #created(name: string): Promise<BanditQueue> {
    return this.queue(name).catch((error) => {
      if (error instanceof ServiceError && error.code === "ERR_UNKNOWN_BANDIT") return this.queue(name);
      throw error;
    });
  }

  /** Ends the decisions of the loaded bandits whose windows are over. */
  async sweep(): Promise<void> {
    // Whoever could not now will try again: nothing is lost.
    await Promise.allSettled([...this.#open.values()].map((queue) => this.#expire(queue)));
  }

  /** As many as there are: otherwise more decisions could come than expire. */
  async #expire(queue: BanditQueue): Promise<void> {
    const { state } = queue.bandit;
    for (let decisions: string[]; ; ) {
      decisions = state.open.due(this.#options.now(state.windowSeconds * 1000), EXPIRED_AT_ONCE).map(({ id }) => id);
      if (decisions.length === 0 || state.status === "archived") return;
      const run = (pending: { expire(id: string): void }) => {
        for (const id of decisions) pending.expire(id);
      };
      await queue.submit({ decisions, segments: [], weight: decisions.length, run });
      if (decisions.length < EXPIRED_AT_ONCE) return;
    }
  }

  /** Forgets what is in memory of a bandit, so that it is loaded again. */
  forget(name: string): void {
    this.#queues.delete(name);
    this.#open.delete(name);
    this.#faults.delete(name);
    this.#shutAt.delete(name);
  }

  /** Deletes a bandit that is archived or shut. Returns where its log ended. */
  async remove(name: string): Promise<Head> {
    const { store, now } = this.#options;
    const row = await store.bandit(name);
    if (row === null) throw unknownBandit(name);
    const queue = await this.queue(name).catch(() => null);
    await queue?.refresh().catch(() => {});
    if (queue !== null && queue.fault === null && queue.bandit.state.status !== "archived") {
      const message = `${name} is ${queue.bandit.state.status}; archive it first: PATCH /v1/bandits/${name} with { "state": "archived" }`;
      throw new ServiceError("ERR_NOT_ARCHIVED", message, { parameter: "state" });
    }
    const { seq, hash } = await store.look(row.id, []);
    await store.remove(row.id, now());
    this.forget(name);
    return { seq, hash };
  }

  /** Takes a segment out of a bandit: its open decisions end, and what it has learned is forgotten. */
  async removeSegment(queue: BanditQueue, segment: string, by: string | undefined): Promise<void> {
    await queue.refresh();
    const { state } = queue.bandit;
    const segments = [...state.listed].filter((name) => name !== segment);
    // No more decisions are made in it from here on.
    if (segments.length < state.listed.size) await queue.submit(change({ segments }, { by }));
    else if (!state.segments.has(segment)) throw unknownSegment(queue.bandit.name, segment);
    const open = [...state.open.idsIn(segment)];
    for (let from = 0; from < open.length; from += EXPIRED_AT_ONCE)
      await queue.submit(expire(open.slice(from, from + EXPIRED_AT_ONCE), by ?? "operator"));
    if (state.segments.has(segment)) await queue.submit(change({ forgotten: [segment] }, { by }));
  }

  /** Bandits that are shut are tried again when their logs have changed: they may have been repaired. */
  async #reopen(): Promise<void> {
    const { store } = this.#options;
    for (const name of this.shut.keys()) {
      const row = await store.bandit(name);
      const head = row === null ? null : await store.look(row.id, []);
      const known = this.#shutAt.get(name);
      const found = head === null ? "" : `${head.seq} ${head.hash}`;
      if (known === undefined && head !== null) this.#shutAt.set(name, found);
      else if (known !== found) this.forget(name);
    }
  }

  /** Ends the open decisions of a bandit now, or those that were asked for with a key. Returns how many. */
  async expireNow(queue: BanditQueue, key: string | undefined, by: string): Promise<number> {
    await queue.refresh();
    const { open, status } = queue.bandit.state;
    if (status === "archived") return 0;
    const decisions = [...open.ids(key)];
    for (let from = 0; from < decisions.length; from += EXPIRED_AT_ONCE)
      await queue.submit(expire(decisions.slice(from, from + EXPIRED_AT_ONCE), by));
    return decisions.length;
  }

  /** Loads every bandit, so that its decisions expire though nobody asks for it. */
  async warm(signal: AbortSignal): Promise<void> {
    await this.#reopen();
    for (const name of await this.names()) {
      if (signal.aborted) return;
      await this.queue(name).catch(() => {});
    }
    this.#isWarm = true;
  }

  /** Writes what waits, and the snapshots. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((queue) => queue.close()));
  }
}

function isSame(a: Document, b: Document): boolean {
  return (Object.keys(a) as (keyof Document)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

import type { Document, NewBandit } from "../schemas.js";
import { ServiceError } from "../serviceError.js";
import { OWN } from "../version.js";
import { Desk, type DeskOptions } from "./desk.js";
import { completeDocument } from "./document.js";

export const MOST_BANDITS = 10_000;
const EXPIRED_AT_ONCE = 1_000;

/** All bandits of a service: each is loaded when it is first asked for, and stays. */
export class Bureau {
  readonly #options: DeskOptions;
  readonly #desks = new Map<string, Promise<Desk>>();
  readonly #open = new Map<string, Desk>();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /** The bandits that are loaded. */
  get loaded(): ReadonlyMap<string, Desk> {
    return this.#open;
  }

  /** The names of all bandits, in order. */
  async names(): Promise<string[]> {
    return (await this.#options.store.bandits()).map(({ name }) => name).sort();
  }

  desk(name: string): Promise<Desk> {
    const known = this.#desks.get(name);
    if (known !== undefined) return known;
    const opening = this.#load(name);
    this.#desks.set(name, opening);
    opening.catch((error) => {
      // A log that does not replay will not do so the next time either.
      if (!(error instanceof ServiceError && (error.code === "ERR_REPLAY" || error.code === "ERR_VERSION"))) this.#desks.delete(name);
      else this.#options.onProblem(error);
    });
    return opening;
  }

  async #load(name: string): Promise<Desk> {
    const row = await this.#options.store.bandit(name);
    if (row === null) throw unknownBandit(name);
    const desk = await Desk.open(row, this.#options);
    this.#open.set(name, desk);
    return desk;
  }

  /** Creates a bandit, or finds one that was created from the same document. */
  async create(name: string, given: NewBandit): Promise<{ readonly desk: Desk; readonly created: boolean }> {
    const { store, now } = this.#options;
    const found = await store.bandit(name);
    if (found === null) {
      const document = JSON.stringify(completeDocument(given));
      if ((await store.bandits()).length >= MOST_BANDITS) {
        throw new ServiceError("ERR_BANDITS", `there are ${MOST_BANDITS} bandits, and that is the limit; segments of one bandit may do`);
      }
      if (await store.create({ name, document, ...OWN, createdAt: now() })) return { desk: await this.#created(name), created: true };
    }
    const desk = await this.#created(name);
    const { document } = desk.bandit;
    const asked = completeDocument(given, document.seed);
    const present = desk.bandit.presentDocument;
    if (!(isSame(asked, document) || isSame(asked, present))) {
      const parts = (Object.keys(asked) as (keyof Document)[]).filter((key) => JSON.stringify(asked[key]) !== JSON.stringify(present[key]));
      const message = `a bandit ${name} exists, and differs in ${parts.join(", ")}; change it with PATCH (arms, window, expired, holdout), or take another name`;
      throw new ServiceError("ERR_BANDIT_DIFFERS", message, { parameter: parts[0]! });
    }
    return { desk, created: false };
  }

  /** Loads a bandit that is there. Somebody who asked for it just before it was created may still be told that it is not. */
  #created(name: string): Promise<Desk> {
    return this.desk(name).catch((error) => {
      if (error instanceof ServiceError && error.code === "ERR_UNKNOWN_BANDIT") return this.desk(name);
      throw error;
    });
  }

  /** Ends the decisions of the loaded bandits whose windows are over. */
  async sweep(): Promise<void> {
    // Whoever could not now will try again: nothing is lost.
    await Promise.allSettled([...this.#open.values()].map((desk) => this.#expire(desk)));
  }

  /** As many as there are: otherwise more decisions could come than expire. */
  async #expire(desk: Desk): Promise<void> {
    const { ledger } = desk.bandit;
    for (let decisions: string[]; ; ) {
      decisions = ledger.open.due(this.#options.now(), EXPIRED_AT_ONCE).map(({ id }) => id);
      if (decisions.length === 0 || ledger.status === "archived") return;
      const run = (draft: { expire(id: string): void }) => {
        for (const id of decisions) draft.expire(id);
      };
      await desk.submit({ decisions, segments: [], weight: decisions.length, run });
      if (decisions.length < EXPIRED_AT_ONCE) return;
    }
  }

  /** Loads every bandit, so that its decisions expire though nobody asks for it. */
  async warm(signal: AbortSignal): Promise<void> {
    for (const name of await this.names()) {
      if (signal.aborted) return;
      await this.desk(name).catch(() => {});
    }
  }

  /** Writes what waits, and the snapshots. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((desk) => desk.close()));
  }
}

export function unknownBandit(name: string): ServiceError {
  return new ServiceError("ERR_UNKNOWN_BANDIT", `there is no bandit ${name}; create it with PUT /v1/bandits/${name}`, { parameter: "name" });
}

function isSame(a: Document, b: Document): boolean {
  return (Object.keys(a) as (keyof Document)[]).every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]));
}

import type { Store, StoredKey } from "../store/store.js";
import { hashOf, isInForce } from "./key.js";

/** For this long a key that was added or revoked elsewhere may go unnoticed. */
const FRESH_MS = 1_000;

/**
 * The keys, read again when they are older than a second. They are found by their hash, so that no comparison of secrets takes a time that tells
 * something. While the store does not answer, those that were read last stay in force until they expire: nothing can be written then anyway.
 */
export class Keyring {
  readonly #store: Store;
  #keys = new Map<string, StoredKey>();
  #isEmpty = true;
  #hasRead = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** What `isEmpty` said last, at once: for what must be answered though the store is not. The next one who asks gets news. */
  wasEmpty(): boolean {
    if (!this.#isFresh) this.#refresh().catch(() => {});
    return this.#isEmpty;
  }

  /** Whether there never was a key. A service whose keys are all revoked is shut, not open to everybody. */
  async isEmpty(): Promise<boolean> {
    if (!this.#isFresh) await this.#refresh();
    return this.#isEmpty;
  }

  async find(key: string): Promise<StoredKey | undefined> {
    if (!this.#isFresh) await this.#refresh();
    const found = this.#keys.get(hashOf(key));
    if (found === undefined || !isInForce(found, Date.now())) return undefined;
    this.#note(found);
    return found;
  }

  #note(key: StoredKey): void {
    const lastUsed = new Date().toISOString().slice(0, 10);
    if (key.lastUsed === lastUsed) return;
    this.#keys.set(key.hash, { ...key, lastUsed });
    this.#store.useKey(key.id, lastUsed).catch(() => {});
  }

  get #isFresh(): boolean {
    return this.#hasRead && performance.now() - this.#readAt < FRESH_MS;
  }

  #refresh(): Promise<void> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const keys = await this.#store.keys();
      this.#isEmpty = keys.length === 0;
      this.#keys = new Map(keys.map((key) => [key.hash, key]));
      this.#hasRead = true;
    } catch (error) {
      if (!this.#hasRead) throw error;
    } finally {
      this.#readAt = performance.now();
      this.#reading = null;
    }
  }
}

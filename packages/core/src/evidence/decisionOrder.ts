import { show, TsallisError } from "../errors.js";
import { EVIDENCE_SNAPSHOT_VERSION, fromSnapshot, requireCounts, requireSnapshot } from "./snapshotFields.js";

/** A decision whose turn has come, with its loss, or null if there was no feedback. */
export interface Settled<T> {
  readonly item: T;
  readonly loss: number | null;
}

/** The decisions that wait, JSON-safe if their items are. */
export interface DecisionOrderSnapshot<T> {
  readonly version: number;
  readonly maxWaiting: number;
  readonly expired: number;
  /** In the order of decision; the loss is absent if the decision is open. */
  readonly waiting: readonly { readonly id: string; readonly item: T; readonly loss?: number | null }[];
}

interface Waiting<T> {
  readonly id: string;
  readonly item: T;
  /** Undefined while the decision is open. */
  loss: number | null | undefined;
}

/**
 * Puts late feedback back into the order of the decisions: a decision is settled when it and all before it have ended. In the order of arrival, losses that take longer
 * because they are large would make evidence wrong.
 *
 * Memory is bounded, if what is settled is taken: if more than `maxWaiting` decisions wait, the oldest open one ends without feedback.
 *
 * @example
 * ```ts
 * import { DecisionOrder } from "tsallis/evidence";
 *
 * const order = new DecisionOrder<string>();
 * order.decided("a", "first");
 * order.decided("b", "second");
 * order.ended("b", 2);
 * console.log([...order.settled()].length); // 0
 * order.ended("a", 7);
 * console.log([...order.settled()].map(({ item, loss }) => `${item} ${loss}`)); // [ 'first 7', 'second 2' ]
 * ```
 */
export class DecisionOrder<T> {
  readonly maxWaiting: number;
  #queue: Waiting<T>[] = [];
  /** Where the queue begins; what is before it is settled. */
  #first = 0;
  readonly #byId = new Map<string, Waiting<T>>();
  #expired = 0;

  constructor({ maxWaiting = 1_000_000 }: { readonly maxWaiting?: number } = {}) {
    if (!(Number.isSafeInteger(maxWaiting) && maxWaiting >= 1)) {
      throw new TsallisError("ERR_PARAMETER", "maxWaiting", maxWaiting, `maxWaiting must be an integer of at least 1, got ${show(maxWaiting)}`);
    }
    this.maxWaiting = maxWaiting;
  }

  /** How many decisions wait for their turn, ended or not. */
  get waiting(): number {
    return this.#queue.length - this.#first;
  }

  /** How many decisions ended without feedback because too many were waiting. */
  get expired(): number {
    return this.#expired;
  }

  /** The next decision. Returns false, with nothing changed, if one with that id is waiting. */
  decided(id: string, item: T): boolean {
    if (this.#byId.has(id)) return false;
    const decision: Waiting<T> = { id, item, loss: undefined };
    this.#byId.set(id, decision);
    this.#queue.push(decision);
    if (this.waiting > this.maxWaiting && this.#queue[this.#first]!.loss === undefined) {
      this.#queue[this.#first]!.loss = null;
      this.#expired++;
    }
    return true;
  }

  /** The loss of a decision, or null if there will be none. Returns false, with nothing changed, if no open decision has that id. */
  ended(id: string, loss: number | null): boolean {
    const decision = this.#byId.get(id);
    if (decision === undefined || decision.loss !== undefined) return false;
    decision.loss = loss;
    return true;
  }

  /** Removes and returns, one by one, the decisions whose turn has come. */
  *settled(): Iterable<Settled<T>> {
    while (this.waiting > 0) {
      const { id, item, loss } = this.#queue[this.#first]!;
      if (loss === undefined) return;
      this.#byId.delete(id);
      this.#first++;
      if (this.#first >= 1024 && this.#first * 2 >= this.#queue.length) {
        this.#queue = this.#queue.slice(this.#first);
        this.#first = 0;
      }
      yield { item, loss };
    }
  }

  /** What waits, as JSON. */
  snapshot(): DecisionOrderSnapshot<T> {
    const waiting = this.#queue.slice(this.#first).map(({ id, item, loss }) => ({ id, item, ...(loss !== undefined && { loss }) }));
    return { version: EVIDENCE_SNAPSHOT_VERSION, maxWaiting: this.maxWaiting, expired: this.#expired, waiting };
  }

  /** The order that wrote the snapshot. */
  static restore<T>(snapshot: DecisionOrderSnapshot<T>): DecisionOrder<T> {
    requireSnapshot(snapshot);
    const { maxWaiting, expired, waiting } = snapshot;
    if (!(Array.isArray(waiting) && waiting.every((entry) => typeof entry?.id === "string"))) {
      throw new TsallisError("ERR_SNAPSHOT", "waiting", waiting, `waiting must be a list of decisions with their ids, got ${show(waiting)}`);
    }
    requireCounts({ expired });
    const order = fromSnapshot(() => new DecisionOrder<T>({ maxWaiting }));
    for (const { id, item, loss } of waiting as DecisionOrderSnapshot<T>["waiting"]) {
      order.decided(id, item);
      if (loss !== undefined) order.ended(id, loss);
    }
    order.#expired = expired;
    return order;
  }
}

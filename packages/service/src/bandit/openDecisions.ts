import { markOf } from "../log/origin.js";

/** A decision that waits for its outcome. */
export interface OpenDecision {
  readonly id: string;
  readonly origin: string;
  readonly seq: number;
  readonly at: number;
  readonly segment: string;
  readonly arm: string;
  readonly number: number;
  readonly round: number | null;
  readonly probability: number | null;
  readonly threshold: number | null;
  readonly holdout: boolean;
  readonly expires: number;
  /** The id of the key that it was asked for with; absent if that needed none. */
  readonly key?: string;
}

/** Decisions in the order of the log in which none expires before the one before it. */
interface Run {
  readonly open: Map<string, OpenDecision>;
  /** When the last one expires. */
  last: number;
}

/**
 * The decisions that wait, found by id, and in the order in which they expire. Most of them are one run. A window that is made shorter, a clock that is put
 * back, and every other server whose clock is behind begin another, so that one decision from the future does not keep those after it from expiring.
 */
export class OpenDecisions {
  #runs: Run[] = [];
  #size = 0;
  readonly #inSegment = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();

  get size(): number {
    return this.#size;
  }

  /** How many there are in a segment. */
  sizeOf(segment: string): number {
    return this.#inSegment.get(segment) ?? 0;
  }

  /** How many were asked for with a key. */
  sizeOfKey(key: string): number {
    return this.#ofKey.get(key) ?? 0;
  }

  /** One whose id was erased elsewhere, found by its mark. That happens so rarely that it may take long. */
  withMark(mark: string): OpenDecision | undefined {
    for (const { open } of this.#runs) for (const one of open.values()) if (markOf(one.id, one.origin) === mark) return one;
    return undefined;
  }

  /** The ids of all of them in a segment. */
  *idsIn(segment: string): Iterable<string> {
    for (const { open } of this.#runs) for (const one of open.values()) if (one.segment === segment) yield one.id;
  }

  /** All of them, or those that were asked for with a key. */
  *ids(key?: string): Iterable<string> {
    for (const { open } of this.#runs) for (const one of open.values()) if (key === undefined || one.key === key) yield one.id;
  }

  get(id: string): OpenDecision | undefined {
    for (const { open } of this.#runs) {
      const found = open.get(id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  add(open: OpenDecision): void {
    let run: Run | undefined;
    // The run that ends closest before it: then there are as few runs as there can be.
    for (const one of this.#runs) if (one.last <= open.expires && one.last >= (run?.last ?? one.last)) run = one;
    if (run === undefined) {
      run = { open: new Map(), last: open.expires };
      this.#runs.push(run);
    }
    run.open.set(open.id, open);
    run.last = open.expires;
    this.#count(open, 1);
  }

  delete(open: OpenDecision): void {
    const run = this.#runs.find((one) => one.open.delete(open.id));
    if (run === undefined) return;
    this.#count(open, -1);
    if (run.open.size === 0) this.#runs = this.#runs.filter((one) => one !== run);
  }

  #count({ segment, key }: OpenDecision, by: 1 | -1): void {
    this.#size += by;
    count(this.#inSegment, segment, by);
    if (key !== undefined) count(this.#ofKey, key, by);
  }

  /** The number of the oldest one's event; `otherwise` if there is none. */
  oldest(otherwise: number): number {
    let oldest = otherwise;
    for (const { open } of this.#runs) for (const { seq } of first(open)) oldest = Math.min(oldest, seq);
    return oldest;
  }

  /** Up to `most` of those that expire by `now`. */
  due(now: number, most: number): OpenDecision[] {
    const due: OpenDecision[] = [];
    for (const { open } of this.#runs) {
      for (const one of open.values()) {
        if (one.expires > now || due.length >= most) break;
        due.push(one);
      }
    }
    return due;
  }
}

function count(sizes: Map<string, number>, name: string, by: 1 | -1): void {
  const size = (sizes.get(name) ?? 0) + by;
  if (size === 0) sizes.delete(name);
  else sizes.set(name, size);
}

function* first(group: Map<string, OpenDecision>): Iterable<OpenDecision> {
  for (const open of group.values()) {
    yield open;
    return;
  }
}

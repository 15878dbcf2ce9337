import type { OpenDecision } from "../bandit/openDecisions.js";
import { grown, Ring } from "./ring.js";

const WINDOWS = 2;
/** 2^32 divided by the golden ratio: multiplied by it, neighbours are spread evenly (Knuth, The Art of Computer Programming 3, section 6.4). */
const SPREAD = 2_654_435_769;
const ALL = 2 ** 32;

/** How many decisions of an arm ended, and how many of them without feedback. */
export interface Ended {
  ended: number;
  expired: number;
}

/**
 * A sample of the decisions that ended, over at least two windows, to compare arms in how much of their feedback goes missing. The last outcomes cannot
 * do that: feedback comes at once and expiry comes a window later, so that an arm whose traffic grows (a new one, or the one that turned out well)
 * shows the answers of its many recent decisions beside the expiries of its few older ones. Here decisions count only if they were made after the
 * oldest known outcome and their window is over, so that all of their outcomes are known, of either kind. Which decisions are in the sample depends on
 * their numbers alone; whenever the sample is full and too short, every second one of the rest is left out for good.
 */
export class Cohort extends Ring {
  decided = new Float64Array(0);
  expires = new Float64Array(0);
  at = new Float64Array(0);
  arm = new Uint32Array(0);
  missing = new Uint8Array(0);
  /** The number of the decision's event. */
  seq = new Float64Array(0);
  /** All outcomes of decisions since then are known. */
  #since: number;
  /** Whatever was due by then has expired. */
  #until = -Infinity;
  #share = ALL;

  constructor(since: number) {
    super(4_096);
    this.#since = since;
  }

  add({ seq, at: decided, number, expires }: OpenDecision, at: number, missing: boolean): void {
    if (missing && expires > this.#until) this.#until = expires;
    while (this.size === this.most && this.#samples(seq) && at - this.at[this.slot(0)]! < WINDOWS * (expires - decided)) this.#thin();
    if (!this.#samples(seq)) return;
    if (this.size === this.most) this.#since = Math.max(this.#since, this.at[this.slot(0)]!);
    const slot = this.claim();
    this.decided[slot] = decided;
    this.expires[slot] = expires;
    this.at[slot] = at;
    this.arm[slot] = number;
    this.missing[slot] = missing ? 1 : 0;
    this.seq[slot] = seq;
  }

  /** The counts of those arms that are asked for, in their order. */
  count(arms: Iterable<number>): Ended[] {
    const counts = new Map<number, Ended>();
    for (const number of arms) counts.set(number, { ended: 0, expired: 0 });
    for (let slot = 0; slot < this.size; slot++) {
      const count = counts.get(this.arm[slot]!);
      if (count === undefined || this.decided[slot]! < this.#since || this.expires[slot]! > this.#until) continue;
      count.ended++;
      count.expired += this.missing[slot]!;
    }
    return [...counts.values()];
  }

  #samples(seq: number): boolean {
    return Math.imul(seq, SPREAD) >>> 0 < this.#share;
  }

  #thin(): void {
    this.#share /= 2;
    const kept: number[] = [];
    for (let i = 0; i < this.size; i++) if (this.#samples(this.seq[this.slot(i)]!)) kept.push(this.slot(i));
    for (const column of [this.decided, this.expires, this.at, this.arm, this.missing, this.seq]) {
      column.set(kept.map((slot) => column[slot]!));
    }
    this.settle(kept.length);
  }

  protected override grow(capacity: number): void {
    this.decided = grown(this.decided, capacity);
    this.expires = grown(this.expires, capacity);
    this.at = grown(this.at, capacity);
    this.arm = grown(this.arm, capacity);
    this.missing = grown(this.missing, capacity);
    this.seq = grown(this.seq, capacity);
  }
}

import { observedQuantile } from "tsallis/statistics";

/** So many answers set the deadline at first. */
const FIRST = 50;
/** By how much, in logarithms, one request moves the deadline. */
const STEP = 0.05;
/** An upstream's share of late answers is that of about so many of its last ones. */
const MEMORY = 16;
/** An upstream of which more than this share is late is slow itself. */
const SLOW = 0.5;

/**
 * When a request of a route is late: a quantile of its latency, which is learned. Whether a request is answered before the deadline is known by then, even if it is never answered, so
 * what happens to late ones can not bias it: each late one moves the deadline up, each other down, and it rests where the right share is late.
 */
export class Lateness {
  #first: number[] = [];
  #deadline: number | null = null;
  readonly #late = new Map<string, number>();

  constructor(readonly quantile: number) {}

  /** In seconds; null while too little is known. */
  get deadline(): number | null {
    return this.#deadline;
  }

  /** A request was answered by an upstream after so many seconds, or has waited for the deadline (null). */
  observe(upstream: string, seconds: number | null): void {
    if (this.#deadline === null) {
      if (seconds !== null) this.#begin(seconds);
      return;
    }
    const isLate = seconds === null || seconds > this.#deadline;
    this.observeUpstream(upstream, isLate);
    this.#deadline *= Math.exp(STEP * (isLate ? this.quantile : this.quantile - 1));
  }

  /** The same, but it says nothing about the deadline: the request was sent because another was late. */
  observeUpstream(upstream: string, isLate: boolean): void {
    const share = this.#late.get(upstream) ?? 0;
    this.#late.set(upstream, share + ((isLate ? 1 : 0) - share) / MEMORY);
  }

  /** Whether an upstream is mostly late itself. */
  isSlow(upstream: string): boolean {
    return (this.#late.get(upstream) ?? 0) > SLOW;
  }

  #begin(seconds: number): void {
    this.#first.push(Math.max(seconds, 1e-6));
    if (this.#first.length < FIRST) return;
    this.#deadline = observedQuantile(Float64Array.from(this.#first).sort(), this.quantile);
    this.#first = [];
  }
}

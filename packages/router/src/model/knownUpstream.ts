import { FailureRate } from "./failureRate.js";
import { Latency } from "./latency.js";
import type { Upstream } from "./upstream.js";
import { UpstreamRecord } from "./upstreamRecord.js";

/** While fewer answers than this are missing, all is well. Beyond that the upstream looks slower, in proportion. */
export const PATIENCE = 8;

/** What the router knows about an upstream besides what its policies have learned, whatever the route of a request: its history, its latency under load and its failures. */
export class KnownUpstream {
  readonly record = new UpstreamRecord();
  latency = new Latency();
  failures = new FailureRate();
  /** It has asked to be left alone until then, in seconds of the router's clock. */
  restsUntil = Number.NEGATIVE_INFINITY;
  /** The number of its requests that had been sent when it asked: the success of a later one ends the rest. */
  #sentBeforeRest = 0;
  /** The answers that were due by the time `#counted` and have not come, and how many more each second adds. */
  #due = 0;
  #duePerSecond = 0;
  #counted = 0;

  constructor(readonly upstream: Upstream) {}

  get name(): string {
    return this.upstream.name;
  }

  /** The router's own requests under way there. */
  get inFlight(): number {
    return this.record.open;
  }

  /**
   * How many answers are missing: the waits of all requests since the last answer came, each divided by how long such a request usually takes. It is about 1 while all is well, and
   * grows fast when an upstream hangs, with every request that is sent there.
   */
  missing(now: number): number {
    return this.#due + this.#duePerSecond * (now - this.#counted);
  }

  /** A request is sent that usually takes so many seconds; 0 if that is not known. */
  sent(now: number, usual: number): void {
    this.#count(now);
    this.#duePerSecond += rateOf(usual);
    this.record.chosen++;
    this.record.open++;
  }

  /** A request has ended, somehow. */
  ended(now: number, usual: number): void {
    this.#count(now);
    this.record.open--;
    this.#duePerSecond = this.record.open === 0 ? 0 : Math.max(0, this.#duePerSecond - rateOf(usual));
  }

  /** The upstream's request of a number has been answered without a failure. */
  answered(request: number): void {
    this.#due = 0;
    if (request >= this.#sentBeforeRest) this.restsUntil = Number.NEGATIVE_INFINITY;
  }

  /** It asks to be left alone until then. */
  rest(until: number): void {
    this.restsUntil = Math.max(this.restsUntil, until);
    this.#sentBeforeRest = this.record.chosen;
  }

  #count(now: number): void {
    this.#due = this.missing(now);
    this.#counted = now;
  }
}

function rateOf(usual: number): number {
  return usual > 0 ? 1 / usual : 0;
}

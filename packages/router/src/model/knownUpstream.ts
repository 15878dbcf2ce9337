import { FailureRate } from "./failureRate.js";
import { LoadCurve } from "./loadCurve.js";
import type { Upstream } from "./upstream.js";
import { UpstreamRecord } from "./upstreamRecord.js";

/** What the router knows about an upstream besides what its policies have learned, whatever the route of a request: its history, its load curve and its failures. */
export class KnownUpstream {
  readonly record = new UpstreamRecord();
  curve = new LoadCurve();
  failures = new FailureRate();
  /** It has asked to be left alone until then, in seconds of the router's clock. */
  restsUntil = Number.NEGATIVE_INFINITY;
  /** The number of its requests that had been sent when it asked: the success of a later one ends the rest. */
  #sentBeforeRest = 0;

  constructor(readonly upstream: Upstream) {}

  get name(): string {
    return this.upstream.name;
  }

  /** The router's own requests under way there. */
  get inFlight(): number {
    return this.record.open;
  }

  /** It asks to be left alone until then. */
  rest(until: number): void {
    this.restsUntil = Math.max(this.restsUntil, until);
    this.#sentBeforeRest = this.record.chosen;
  }

  /** The upstream's request of a number has been answered without a failure. */
  answered(request: number): void {
    if (request >= this.#sentBeforeRest) this.restsUntil = Number.NEGATIVE_INFINITY;
  }
}

import { FailureRate } from "./failureRate.js";
import { LoadCurve } from "./loadCurve.js";
import type { Upstream } from "./upstream.js";
import { UpstreamRecord } from "./upstreamRecord.js";

/** A request is stuck when more successes than this have overtaken it, and it has waited this many times as long as any success lately. */
const OVERTAKEN = 16;
const PATIENCE = 3;
/** What is left of the peak after each success. */
const PEAK_KEPT = 63 / 64;

/** What the router knows about an upstream besides what its policies have learned, whatever the route of a request: its history, its load curve and its failures. */
export class KnownUpstream {
  readonly record = new UpstreamRecord();
  curve = new LoadCurve();
  failures = new FailureRate();
  /** It has asked to be left alone until then, in seconds of the router's clock. */
  restsUntil = Number.NEGATIVE_INFINITY;

  /** The largest latency of a success, fading with each success. */
  peak = 0;
  /** Requests under way that have been passed by so many others that they do not tell how busy the upstream is. */
  stuck = 0;

  constructor(readonly upstream: Upstream) {}

  get name(): string {
    return this.upstream.name;
  }

  /** The router's own requests under way there, without those that are stuck. */
  get inFlight(): number {
    return this.record.open - this.stuck;
  }

  succeeded(seconds: number): void {
    this.peak = Math.max(seconds, this.peak * PEAK_KEPT);
  }

  /** Whether a request that has waited so long is stuck, when it was sent after `before` successes: the others overtake it, and no success takes nearly as long. */
  overtakes(waitedSeconds: number, before: number): boolean {
    return this.record.done - before > OVERTAKEN && waitedSeconds > PATIENCE * this.peak;
  }
}

import { Recent } from "./recent.js";

/** How a ticket can end. */
export const OUTCOMES = ["done", "failed", "timedOut", "abandoned", "ignored", "refused", "forgotten"] as const;
/** How a ticket ended. @useDeclaredType */
export type Outcome = (typeof OUTCOMES)[number];

/** All counters, the outcomes among them. */
export const COUNTERS = ["chosen", "open", ...OUTCOMES, "skipped", "overdue", "late", "repeated"] as const;
/** The name of a counter. @useDeclaredType */
export type Counter = (typeof COUNTERS)[number];

/** Quantiles are over the last losses of an upstream, at most this many. */
export const RECENT = 1000;

/** The upper bounds of the buckets that losses are counted in, for losses in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;

/** The history of one upstream. At any time chosen = done + failed + timedOut + abandoned + ignored + refused + forgotten + open. */
export class UpstreamRecord implements Record<Counter, number> {
  chosen = 0;
  open = 0;
  done = 0;
  failed = 0;
  timedOut = 0;
  abandoned = 0;
  /** Answers that teach nothing, such as a 404. */
  ignored = 0;
  refused = 0;
  forgotten = 0;
  /** Losses that the policy counted as rounds but learned nothing else from. */
  skipped = 0;
  /** Requests that were learned before they ended, from the time they had waited. */
  overdue = 0;
  /** Forgotten tickets that were closed later. */
  late = 0;
  /** Calls that closed a ticket which was already closed. */
  repeated = 0;
  /** The sum of all losses that were learned. */
  sum = 0;
  /** How many of these losses are in each bucket, above the bound of the one before; the last counts those above all bounds. */
  readonly buckets: number[] = Array(BUCKETS.length + 1).fill(0);
  readonly losses = new Recent(RECENT);
  /** For each recent loss, 1 if it was the cost of a failure or a timeout, and 0 otherwise. */
  readonly failures = new Recent(RECENT);

  learned(loss: number, failure: boolean): void {
    this.sum = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, this.sum + loss));
    let bucket = 0;
    while (bucket < BUCKETS.length && loss > BUCKETS[bucket]!) bucket++;
    this.buckets[bucket]!++;
    this.losses.push(loss);
    this.failures.push(failure ? 1 : 0);
  }
}

import { Recent } from "./recent.js";

/** How a ticket can end. */
export const OUTCOMES = ["done", "failed", "timedOut", "abandoned", "refused", "forgotten"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** All counters, the outcomes among them. */
export const COUNTERS = ["chosen", "open", ...OUTCOMES, "skipped", "overdue", "late", "repeated"] as const;
export type Counter = (typeof COUNTERS)[number];

/** Quantiles are over the last losses of an upstream, at most this many. */
export const RECENT = 1000;

/** The history of one upstream. At any time chosen = done + failed + timedOut + abandoned + refused + forgotten + open. */
export class UpstreamRecord implements Record<Counter, number> {
  chosen = 0;
  open = 0;
  done = 0;
  failed = 0;
  timedOut = 0;
  abandoned = 0;
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
  readonly losses = new Recent(RECENT);
  /** For each recent loss, 1 if it was the cost of a failure or a timeout, and 0 otherwise. */
  readonly failures = new Recent(RECENT);

  learned(loss: number, failure: boolean): void {
    this.sum = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, this.sum + loss));
    this.losses.push(loss);
    this.failures.push(failure ? 1 : 0);
  }
}

import { Recent } from "./recent.js";

/** How a ticket can end. */
export const OUTCOMES = ["done", "failed", "timedOut", "abandoned", "refused", "forgotten"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What is counted beside the outcomes. */
export const COUNTERS = ["chosen", "open", ...OUTCOMES, "skipped", "overdue", "late", "repeated"] as const;
export type Counter = (typeof COUNTERS)[number];

/** Quantiles are over so many losses of an upstream. */
export const RECENT = 1000;

/** What has happened to one upstream. At any time chosen = done + failed + timedOut + abandoned + refused + forgotten + open. */
export class UpstreamRecord implements Record<Counter, number> {
  chosen = 0;
  open = 0;
  done = 0;
  failed = 0;
  timedOut = 0;
  abandoned = 0;
  refused = 0;
  forgotten = 0;
  /** Losses that the policy has counted as rounds and learned nothing else from. */
  skipped = 0;
  /** Requests that were learned before they ended, by what they had waited. */
  overdue = 0;
  /** Forgotten tickets that were closed after all. */
  late = 0;
  /** Closings of a ticket that was closed already. */
  repeated = 0;
  /** Of all losses that were learned. */
  sum = 0;
  readonly losses = new Recent(RECENT);
  /** For each of the losses, 1 if it was the cost of a failure or a timeout. */
  readonly failures = new Recent(RECENT);

  learned(loss: number, failure: boolean): void {
    this.sum = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, this.sum + loss));
    this.losses.push(loss);
    this.failures.push(failure ? 1 : 0);
  }
}

import { type Choice, createPolicy, isSkipped, LARGEST_LOSS, type Policy, stream, TsallisError, type Xoshiro128 } from "tsallis";
import { Baseline } from "./baseline.js";
import { chooseChannel, closeChannel, regimeChannel } from "./channels.js";
import type { CompletedOptions } from "./completeOptions.js";
import type { OpenTicket } from "./openTicket.js";
import { Regimes } from "./regimes.js";
import type { Router } from "./router.js";
import { show } from "./routerError.js";
import { type Outcome, UpstreamRecord } from "./upstreamRecord.js";

/** What the router knows: the policy, its random stream, and the history of each upstream. */
export class Ledger {
  policy: Policy;
  rng: Xoshiro128;
  readonly names: readonly string[];
  readonly records: readonly UpstreamRecord[];
  readonly regimes: Regimes;
  readonly baseline: Baseline | null;
  /** Increases with every change. */
  revision = 0;

  constructor(
    readonly options: CompletedOptions,
    readonly router: Router,
  ) {
    this.names = options.upstreams.map(({ name }) => name);
    this.policy = createPolicy(options.policy, this.names.length, { path: "policy." });
    this.rng = stream(options.seed, "router");
    this.records = this.names.map(() => new UpstreamRecord());
    this.regimes = new Regimes(this.names);
    this.baseline = options.baseline && new Baseline(options.baseline);
  }

  choose(): Choice {
    const choice = this.policy.choose(this.rng);
    const { arm, round, probability } = choice;
    const record = this.records[arm]!;
    record.chosen++;
    record.open++;
    this.revision++;
    const change = this.regimes.observe(arm, probability, round);
    if (chooseChannel.hasSubscribers) chooseChannel.publish({ router: this.router, upstream: this.names[arm]!, round, probability });
    if (change !== null && regimeChannel.hasSubscribers) regimeChannel.publish({ router: this.router, ...change });
    return choice;
  }

  /** Ends a ticket and learns its loss if the outcome has one. A loss that cannot be learned makes the outcome "refused". */
  settle(ticket: OpenTicket, outcome: Outcome, loss: number | null, error?: unknown): void {
    const { choice } = ticket;
    const record = this.records[choice.arm]!;
    record.open--;
    this.revision++;
    let ended = outcome;
    let skipped = false;
    let reason = error;
    if (outcome === "done" || outcome === "failed" || outcome === "timedOut") {
      try {
        skipped = this.#learn(ticket, loss, outcome !== "done");
      } catch (refusal) {
        ended = "refused";
        reason = refusal;
      }
    }
    record[ended]++;
    if (closeChannel.hasSubscribers) {
      const learned = ended === "refused" ? null : loss;
      const { arm, round } = choice;
      closeChannel.publish({
        router: this.router,
        upstream: this.names[arm]!,
        round,
        outcome: ended,
        loss: learned,
        seconds: ticket.seconds(),
        skipped,
        error: reason,
      });
    }
  }

  /** Counts a call on a ticket that has ended; `late` if the ticket was forgotten and this is the first call since. */
  closedAgain(choice: Choice, late: boolean): void {
    this.records[choice.arm]![late ? "late" : "repeated"]++;
    this.revision++;
  }

  /** Learns from a request that still waits, if any longer wait would teach the policy the same. */
  learnOverdue(choice: Choice, waitedSeconds: number): boolean {
    const shifted = this.#shifted(waitedSeconds);
    if (!this.policy.isSettled?.(choice, shifted)) return false;
    this.policy.update(choice, shifted);
    this.records[choice.arm]!.overdue++;
    this.revision++;
    return true;
  }

  /** The loss minus the baseline. The very first loss is its own baseline. */
  #shifted(loss: number): number {
    return this.baseline === null ? loss : loss - (this.baseline.value() ?? loss);
  }

  /** Returns whether the policy skipped the loss. Throws before anything changes if `loss` is not a valid number. */
  #learn({ choice, overdue }: OpenTicket, loss: number | null, failure: boolean): boolean {
    // The policy checks the loss too, but only after the baseline is subtracted, which could hide a loss that is too large.
    if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most ${LARGEST_LOSS}, got ${show(loss)}`);
    }
    const shifted = this.#shifted(loss);
    if (!overdue) this.policy.update(choice, shifted);
    const skipped = isSkipped(choice, shifted);
    const record = this.records[choice.arm]!;
    if (skipped) record.skipped++;
    record.learned(loss, failure);
    this.baseline?.push(loss);
    return skipped;
  }
}

import type { Ledger } from "./ledger.js";
import { OpenTicket } from "./openTicket.js";
import { RouterError } from "./routerError.js";
import type { Outcome } from "./upstreamRecord.js";

/** The open ones are looked through for overdue ones at most once in so many seconds. */
const LOOK = 0.01;

/**
 * Hands out tickets and takes them back. All have the same time, so the open ones, kept in the order of their choices, run out in that order: one
 * timer, for the oldest, is enough for any number of them. It does not keep the process alive.
 */
export class Desk {
  readonly now: () => number;
  /** Whether anything can be overdue. */
  readonly #watches: boolean;
  #looked = -Infinity;
  #oldest: OpenTicket | null = null;
  #newest: OpenTicket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(readonly ledger: Ledger) {
    const { clock, waiting } = ledger.options;
    this.now = clock;
    this.#watches = (waiting.exchanges || waiting.tickets) && ledger.policy.isSettled !== undefined;
  }

  choose(): OpenTicket {
    if (this.#closed) throw new RouterError("ERR_CLOSED", "router", "closed", "the router has been closed; create another one");
    const now = this.now();
    this.#forget(now);
    if (this.#watches && now - this.#looked >= LOOK) this.#learnOverdue(now);
    const ticket = new OpenTicket(this, this.ledger.choose(), now);
    ticket.previous = this.#newest;
    if (this.#newest === null) this.#oldest = ticket;
    else this.#newest.next = ticket;
    this.#newest = ticket;
    if (this.#timer === null) this.#arm();
    return ticket;
  }

  /** What a ticket costs that has not worked: never less than what was waited. */
  cost(ticket: OpenTicket): number {
    return Math.max(ticket.seconds(), this.ledger.options.penalty);
  }

  close(ticket: OpenTicket, outcome: Outcome, loss: number | null, error?: unknown): void {
    if (ticket.state !== "open") {
      this.ledger.closedAgain(ticket.choice, ticket.state === "forgotten");
      ticket.state = "closed";
      return;
    }
    ticket.state = outcome === "forgotten" ? "forgotten" : "closed";
    this.#unlink(ticket);
    this.ledger.settle(ticket, outcome, loss, error);
  }

  /** No more choices from now on. */
  shut(): void {
    this.#closed = true;
  }

  /** Gives up the requests under way: what comes of them now is the caller's doing. */
  abandonExchanges(): void {
    for (let ticket = this.#oldest; ticket !== null; ) {
      const { next } = ticket;
      if (ticket.holder !== null) ticket.abandoned();
      ticket = next;
    }
  }

  /** Forgets what is still open. */
  clear(): void {
    while (this.#oldest !== null) this.close(this.#oldest, "forgotten", null);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(): void {
    const left = this.#oldest!.started + this.ledger.options.timeout - this.now();
    this.#timer = setTimeout(() => this.#sweep(), Math.max(1, Math.ceil(1000 * left))).unref();
  }

  /** Not only by the timer: the clock may be another than its, and choices may come so fast that it is never its turn. */
  #forget(now: number): void {
    const latest = now - this.ledger.options.timeout;
    while (this.#oldest !== null && this.#oldest.holder === null && this.#oldest.started <= latest) this.close(this.#oldest, "forgotten", null);
  }

  #sweep(): void {
    this.#timer = null;
    const latest = this.now() - this.ledger.options.timeout;
    try {
      while (this.#oldest !== null && this.#oldest.started <= latest) {
        if (this.#oldest.holder === null) this.close(this.#oldest, "forgotten", null);
        else this.#oldest.holder.expire();
      }
    } finally {
      // A holder may throw what its caller's handler threw; the others still have to be watched.
      if (this.#oldest !== null && this.#timer === null) this.#arm();
    }
  }

  /** Before a choice: what still waits may have waited so long that the rest of it does not matter. */
  #learnOverdue(now: number): void {
    this.#looked = now;
    const { exchanges, tickets } = this.ledger.options.waiting;
    for (let ticket = this.#oldest; ticket !== null; ticket = ticket.next) {
      if (!ticket.overdue && (ticket.holder === null ? tickets : exchanges))
        ticket.overdue = this.ledger.learnOverdue(ticket.choice, now - ticket.started);
    }
  }

  #unlink(ticket: OpenTicket): void {
    const { previous, next } = ticket;
    if (previous === null) this.#oldest = next;
    else previous.next = next;
    if (next === null) this.#newest = previous;
    else next.previous = previous;
    // What the user still holds must not keep the others alive.
    ticket.previous = null;
    ticket.next = null;
  }
}

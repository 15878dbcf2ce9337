import type { Ledger } from "./ledger.js";
import { OpenTicket } from "./openTicket.js";
import { RouterError } from "./routerError.js";
import type { Upstream } from "./upstream.js";
import type { Outcome } from "./upstreamRecord.js";

/** The desk looks through the open tickets for overdue ones at most once in this time. */
const LOOK_SECONDS = 0.01;

/**
 * Hands out tickets and takes them back. All tickets have the same timeout, so the open ones, kept in the order of their choices, expire in that
 * order: one timer, for the oldest, is enough for all of them. The timer does not keep the process alive.
 */
export class Desk {
  readonly now: () => number;
  /** Whether a ticket can be stuck, or overdue: how long it waits says something. */
  readonly #watches: boolean;
  #looked = -Infinity;
  #oldest: OpenTicket | null = null;
  #newest: OpenTicket | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(readonly ledger: Ledger) {
    const { clock, waiting } = ledger.options;
    this.now = clock;
    this.#watches = waiting.exchanges || waiting.tickets;
  }

  choose(route = this.ledger.options.defaultRoute, except: readonly string[] = []): OpenTicket {
    if (this.#closed) throw new RouterError("ERR_CLOSED", "router", "closed", "the router has been closed; create another one");
    const now = this.now();
    this.#forget(now);
    if (this.#watches && now - this.#looked >= LOOK_SECONDS) this.#learnOverdue(now);
    const ticket = new OpenTicket(this, now);
    this.ledger.choose(ticket, route, except);
    ticket.previous = this.#newest;
    if (this.#newest === null) this.#oldest = ticket;
    else this.#newest.next = ticket;
    this.#newest = ticket;
    if (this.#timer === null) this.#arm();
    return ticket;
  }

  /** The cost of a ticket that failed: at least the seconds that it took. */
  cost(ticket: OpenTicket): number {
    return Math.max(ticket.seconds(), this.ledger.options.penalty);
  }

  close(ticket: OpenTicket, outcome: Outcome, loss: number | null, error?: unknown): void {
    if (ticket.state !== "open") {
      this.ledger.closedAgain(ticket, ticket.state === "forgotten");
      ticket.state = "closed";
      return;
    }
    ticket.state = outcome === "forgotten" ? "forgotten" : "closed";
    this.#unlink(ticket);
    this.ledger.settle(ticket, outcome, loss, error);
  }

  /** Whether all further choices are refused. */
  get isShut(): boolean {
    return this.#closed;
  }

  /** Refuses all further choices. */
  shut(): void {
    this.#closed = true;
  }

  /** Abandons the requests under way: the caller ends them, so their outcome says nothing about the upstreams. */
  abandonExchanges(): void {
    for (let ticket = this.#oldest; ticket !== null; ) {
      const { next } = ticket;
      if (ticket.holder !== null) ticket.abandoned();
      ticket = next;
    }
  }

  /** Forgets the tickets that are still open. */
  clear(): void {
    while (this.#oldest !== null) this.close(this.#oldest, "forgotten", null);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #arm(): void {
    const leftSeconds = this.#oldest!.started + this.ledger.options.timeout - this.now();
    this.#timer = setTimeout(() => this.#sweep(), Math.max(1, Math.ceil(1000 * leftSeconds))).unref();
  }

  /** Runs before every choice too, because the user's clock may differ from the timer's, and fast choices may keep the timer from firing. */
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
      // A holder may rethrow what its caller's handler threw; the other tickets still need the timer.
      if (this.#oldest !== null && this.#timer === null) this.#arm();
    }
  }

  /** Runs before a choice: an open ticket may have waited so long that the rest of its wait no longer matters. */
  #learnOverdue(now: number): void {
    this.#looked = now;
    const { exchanges, tickets } = this.ledger.options.waiting;
    // The others, which are younger, wait for the next look.
    for (let ticket = this.#oldest; ticket !== null && now - ticket.started >= LOOK_SECONDS; ticket = ticket.next) {
      this.ledger.passBy(ticket, now - ticket.started);
      if (!ticket.overdue && (ticket.holder === null ? tickets : exchanges)) ticket.overdue = this.ledger.learnOverdue(ticket, now - ticket.started);
    }
  }

  /** Takes over another list of upstreams; the open tickets of upstreams that stay are learned from as if nothing had happened. */
  rearrange(upstreams: readonly Upstream[], from: readonly (number | null)[]): void {
    this.ledger.rearrange(upstreams, from);
    for (let ticket = this.#oldest; ticket !== null; ticket = ticket.next) {
      const { route, choice } = ticket;
      // A route that was forgotten keeps its old policy, which nobody asks any more.
      if (choice !== null && this.ledger.routes.get(route.name) === route) ticket.choice = route.policy.translate!(choice, from);
    }
  }

  #unlink(ticket: OpenTicket): void {
    const { previous, next } = ticket;
    if (previous === null) this.#oldest = next;
    else previous.next = next;
    if (next === null) this.#newest = previous;
    else next.previous = previous;
    // A ticket that the user still holds must not keep the others in memory.
    ticket.previous = null;
    ticket.next = null;
  }
}

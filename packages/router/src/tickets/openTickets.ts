import type { DecisionLog } from "../log/decisionLog.js";
import type { Chosen, Learned, RouterModel } from "../model/routerModel.js";
import type { Upstream } from "../model/upstream.js";
import type { Outcome } from "../model/upstreamRecord.js";
import type { Router } from "../router.js";
import { RouterError } from "../routerError.js";
import { publishChoice, publishEnd } from "./channels.js";
import { OpenTicket } from "./openTicket.js";
import { Sessions } from "./sessions.js";

/** The open tickets are looked through for overdue ones at most once in this time. */
const LOOK_SECONDS = 0.01;

/** What tickets need of the router's options. */
export interface TicketOptions {
  readonly defaultRoute: string;
  readonly timeoutSeconds: number;
  readonly penalty: number;
  readonly maxEjectionSeconds: number;
  /** Sessions that were not used for so long are forgotten, and so are the oldest ones beyond a number. */
  readonly sessionSeconds: number;
  readonly maxSessions: number;
  /** Whether open requests and open tickets are learned from. */
  readonly learnsEarly: { readonly exchanges: boolean; readonly tickets: boolean };
  readonly clockSeconds: () => number;
}

/**
 * Hands out tickets and takes them back. All tickets have the same timeout, so the open ones, kept in the order of their choices, expire in that
 * order: one timer, for the oldest, is enough for all of them. The timer keeps neither the process alive nor this object: what is dropped with all its tickets and
 * requests is collected at once.
 */
export class OpenTickets {
  readonly now: () => number;
  readonly sessions: Sessions;
  /** Whether a ticket can be overdue: how long it waits says something. */
  readonly #watches: boolean;
  #looked = -Infinity;
  #oldest: OpenTicket | null = null;
  #newest: OpenTicket | null = null;
  #timer: NodeJS.Timeout | null = null;
  readonly #itself = new WeakRef(this);
  #closed = false;

  constructor(
    readonly model: RouterModel,
    readonly options: TicketOptions,
    readonly router: Router,
    readonly log: DecisionLog | null,
  ) {
    const { clockSeconds, learnsEarly } = options;
    this.now = clockSeconds;
    this.sessions = new Sessions(options.sessionSeconds, options.maxSessions);
    this.#watches = learnsEarly.exchanges || learnsEarly.tickets;
  }

  choose(route = this.options.defaultRoute, except: readonly string[] = [], as: OpenTicket["as"] = null, session: string | null = null): OpenTicket {
    if (this.#closed) throw new RouterError("ERR_CLOSED", "router", "closed", "the router has been closed; create another one");
    const now = this.now();
    this.#forget(now);
    if (this.#watches && now - this.#looked >= LOOK_SECONDS) this.#learnOverdue(now);
    const kept = session === null || except.length > 0 ? null : this.#stay(session, route, now);
    const chosen = kept ?? this.model.choose(route, now, except);
    if (session !== null) this.sessions.bind(session, chosen.known.upstream.place, now);
    const decision = this.log === null ? null : this.log.decide();
    const ticket = new OpenTicket(this, chosen, decision, kept === null ? as : "sticky", session);
    ticket.previous = this.#newest;
    if (this.#newest === null) this.#oldest = ticket;
    else this.#newest.next = ticket;
    this.#newest = ticket;
    if (this.#timer === null) this.#arm();
    publishChoice(this.router, chosen);
    return ticket;
  }

  /** The upstream where a session is, if it is to stay there. */
  #stay(session: string, route: string, now: number): Chosen | null {
    const place = this.sessions.find(session, now);
    if (place === null) return null;
    const stays = this.model.stay(route, place, now);
    if (typeof stays !== "string") this.sessions.kept();
    else this.sessions.leave(session, place, stays);
    return typeof stays === "string" ? null : stays;
  }

  /** The cost of a ticket that failed: at least the seconds that it took. */
  cost(ticket: OpenTicket): number {
    return Math.max(ticket.seconds(), this.options.penalty);
  }

  close(ticket: OpenTicket, outcome: Outcome, loss: number | null, error?: unknown): void {
    if (ticket.state !== "open") {
      this.model.closedAgain(ticket.chosen, ticket.state === "forgotten");
      ticket.state = "closed";
      return;
    }
    ticket.state = outcome === "forgotten" ? "forgotten" : "closed";
    ticket.outcome = outcome;
    this.#unlink(ticket);
    const isFailure = outcome === "failed" || outcome === "timedOut";
    if (isFailure && ticket.session !== null) this.sessions.leave(ticket.session, ticket.chosen.known.upstream.place, "failed");
    const learned = this.model.learn(ticket.chosen, { outcome, at: this.now(), loss, isLearned: ticket.overdue });
    publishEnd(this.router, ticket, learned, loss, error);
    if (this.log !== null) this.#write(this.log, ticket, learned, loss);
  }

  /** Another attempt at the same request was answered first. What the ticket has waited is what the caller has waited, and a lower bound of its latency. */
  overtake(ticket: OpenTicket): void {
    const { isOpen, overdue, holder } = ticket;
    const { exchanges, tickets } = this.options.learnsEarly;
    const isKnown = isOpen && (holder === null ? tickets : exchanges);
    // One that still waits for a connection is not held to have waited for an answer.
    const waited = Math.max(0, ticket.latency());
    if (isKnown && !overdue) ticket.overdue = this.model.learnAtLeast(ticket.chosen, waited);
    this.close(ticket, "abandoned", isKnown ? waited : null);
  }

  #write(log: DecisionLog, ticket: OpenTicket, { outcome }: Learned, loss: number | null): void {
    const { known, route, probability, cost } = ticket.chosen;
    const decided = { ...ticket.decision!, route: route.name, upstream: known.name, probability, as: ticket.as };
    log.add({ ...decided, loss: outcome === "refused" || loss === null ? null : loss + cost, outcome, seconds: ticket.seconds() });
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
    const leftSeconds = this.#oldest!.chosen.at + this.options.timeoutSeconds - this.now();
    this.#timer = setTimeout(sweep, Math.max(1, Math.ceil(1000 * leftSeconds)), this.#itself).unref();
  }

  /** Runs before every choice too, because the user's clock may differ from the timer's, and fast choices may keep the timer from firing. */
  #forget(now: number): void {
    const latest = now - this.options.timeoutSeconds;
    while (this.#oldest !== null && this.#oldest.holder === null && this.#oldest.chosen.at <= latest) this.close(this.#oldest, "forgotten", null);
  }

  /** Closes the tickets whose time is up; for the timer. */
  sweep(): void {
    this.#timer = null;
    const latest = this.now() - this.options.timeoutSeconds;
    try {
      while (this.#oldest !== null && this.#oldest.chosen.at <= latest) {
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
    const { exchanges, tickets } = this.options.learnsEarly;
    // The others, which are younger, wait for the next look.
    for (let ticket = this.#oldest; ticket !== null && now - ticket.chosen.at >= LOOK_SECONDS; ticket = ticket.next) {
      if (!ticket.overdue && (ticket.holder === null ? tickets : exchanges))
        ticket.overdue = this.model.learnOverdue(ticket.chosen, now - ticket.waitsFrom);
    }
  }

  /** Takes over another list of upstreams; the open tickets of upstreams that stay are learned from as if nothing had happened. */
  rearrange(upstreams: readonly Upstream[], from: readonly (number | null)[]): void {
    this.model.rearrange(upstreams, from);
    for (let ticket = this.#oldest; ticket !== null; ticket = ticket.next) {
      const { chosen } = ticket;
      const { route, choice } = chosen;
      // A route that was forgotten keeps its old policy, which nobody asks any more.
      if (choice !== null && this.model.routes.get(route.name) === route)
        ticket.chosen = { ...chosen, choice: route.policy.translate!(choice, from) };
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

function sweep(tickets: WeakRef<OpenTickets>): void {
  tickets.deref()?.sweep();
}

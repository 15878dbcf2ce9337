import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { OpenTickets } from "../tickets/openTickets.js";
import { Attempt } from "./attempt.js";
import type { Hedge } from "./hedge.js";
import type { Lateness } from "./lateness.js";
import type { Caller } from "./rawCaller.js";
import { type Unrepeatable, whyNotRepeatable } from "./repeatable.js";
import type { Retry } from "./retry.js";
import { publishRetry } from "./retryChannel.js";

/** What attempts need of the dispatcher. */
export interface Sender {
  readonly tickets: OpenTickets;
  readonly retry: Retry | null;
  readonly hedge: Hedge | null;
  sendOnce(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean;
}

/**
 * One request of a caller, which may be sent more than once. Nothing reaches the caller before one attempt counts: the first that is answered without a failure, or the last
 * one. From then on it is that attempt alone. To the caller's handler this is the controller of the request.
 */
export class Attempts {
  /** The one that counts. */
  #counted: Attempt | null = null;
  readonly #open = new Set<Attempt>();
  readonly #tried: string[] = [];
  readonly #unrepeatable: Unrepeatable | null;
  #lateness: Lateness | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Whether it is known if the first attempt is late. */
  #isLate = false;
  #isHedged = false;
  #isStarted = false;
  #isPaused = false;
  #aborted: Error | null = null;

  constructor(
    readonly sender: Sender,
    /** Its path has no upstream's base path. */
    readonly request: Dispatcher.DispatchOptions,
    readonly caller: Caller,
    /** Called with the ticket of the attempt that counts. */
    readonly onCounted: (ticket: OpenTicket) => void,
  ) {
    this.#unrepeatable = whyNotRepeatable(request);
    sender.retry?.budget.earn();
    sender.hedge?.budget.earn();
  }

  /** Sends the request for the first time. */
  begin(ticket: OpenTicket): boolean {
    const isFree = this.send(ticket);
    const { hedge } = this.sender;
    if (hedge === null || this.#unrepeatable !== null || this.#open.size === 0) return isFree;
    this.#lateness = hedge.lateness(ticket.chosen.route.name);
    const { deadline } = this.#lateness;
    if (deadline !== null) this.#timer = setTimeout(() => this.#late(ticket, hedge), Math.ceil(1000 * deadline)).unref();
    return isFree;
  }

  /** Sends the request to the upstream of a ticket. */
  send(ticket: OpenTicket): boolean {
    const { name, upstream } = ticket.chosen.known;
    const attempt = new Attempt(this, ticket);
    this.#tried.push(name);
    this.#open.add(attempt);
    const { path } = this.request;
    const request = upstream.base === "" ? this.request : { ...this.request, path: upstream.base + path };
    return this.sender.sendOnce(ticket, request, attempt as Dispatcher.DispatchHandler);
  }

  /** An attempt has a connection. */
  started(context: unknown): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.caller.onRequestStart?.(this, context);
  }

  /** An attempt has been answered. */
  answered(attempt: Attempt, status: number, headers: IncomingHttpHeaders, statusMessage: string | undefined): void {
    if (this.#counted === null) {
      if (attempt.ticket.outcome === "failed" && this.#goesOn(attempt, status)) {
        attempt.drop(new errors.RequestAbortedError("another attempt has been made"));
        return;
      }
      this.#count(attempt);
    }
    if (this.#isPaused) attempt.controller!.pause();
    this.caller.onResponseStarted?.();
    this.caller.onResponseStart?.(this, status, headers, statusMessage);
  }

  /** From now on it is this attempt alone. */
  #count(attempt: Attempt): void {
    const { ticket } = attempt;
    this.#counted = attempt;
    this.#open.add(attempt);
    if (ticket.as === "hedge") this.#lateness?.observeUpstream(ticket.upstream, ticket.seconds() > this.#lateness.deadline!);
    else if (ticket.as !== "retry" && !this.#isLate && ticket.outcome !== "failed") this.#lateness?.observe(ticket.upstream, ticket.seconds());
    this.#isLate = true;
    clearTimeout(this.#timer);
    if (this.#isHedged && ticket.as !== "retry") this.sender.hedge!.ended(ticket.as === "hedge");
    for (const other of this.#open) {
      if (other === attempt) continue;
      this.#open.delete(other);
      if (other.ticket.isOpen) other.ticket.overtaken();
      other.drop(new errors.RequestAbortedError("another attempt was answered first"));
    }
    this.onCounted(ticket);
  }

  /** The first attempt has waited for its deadline. */
  #late(first: OpenTicket, hedge: Hedge): void {
    const { tickets } = this.sender;
    if (this.#isLate || this.#open.size === 0) return;
    this.#isLate = true;
    const lateness = this.#lateness!;
    lateness.observe(first.upstream, null);
    if (this.#tried.length > 1 || tickets.isShut) return;
    const { route } = first.chosen;
    const now = tickets.now();
    const names = tickets.model.upstreams
      .filter((known) => lateness.isSlow(known.name) || !tickets.model.hasRoom(known, now))
      .map(({ name }) => name);
    const except = [...new Set([...this.#tried, ...names])];
    if (!hedge.take(tickets.model.upstreams.filter(({ name }) => !except.includes(name)).length)) return;
    const ticket = this.#choose(route.name, except, "hedge", null);
    if (ticket === null) return;
    this.#isHedged = true;
    this.send(ticket);
  }

  /** Null if the options of the user do not allow a choice, by throwing. The caller then gets what there is. */
  #choose(...choice: Parameters<OpenTickets["choose"]>): OpenTicket | null {
    try {
      return this.sender.tickets.choose(...choice);
    } catch {
      return null;
    }
  }

  /** An attempt has ended with an error. */
  failed(attempt: Attempt, error: Error): void {
    const { outcome } = attempt.ticket;
    const isFailure = this.#counted === null && (outcome === "failed" || outcome === "timedOut");
    if (isFailure && this.#goesOn(attempt, (error as NodeJS.ErrnoException).code)) return;
    this.#end(attempt, error);
  }

  /** The caller gets an error, and whatever is still under way is given up. */
  #end(attempt: Attempt | null, error: Error): void {
    clearTimeout(this.#timer);
    for (const other of this.#open) {
      if (other === attempt) continue;
      if (other.ticket.isOpen) other.ticket.abandoned();
      other.drop(error);
    }
    this.#open.clear();
    this.caller.onResponseError?.(this, error);
  }

  /** Whether a failure leaves something to wait for: another attempt is under way, or is made now. */
  #goesOn(attempt: Attempt, failure: unknown): boolean {
    const { retry, tickets } = this.sender;
    this.#open.delete(attempt);
    if (this.#open.size > 0) return true;
    clearTimeout(this.#timer);
    if (retry === null || this.#aborted !== null || tickets.isShut || !retry.applies(failure)) return false;
    const left = tickets.model.upstreams.filter(({ name }) => !this.#tried.includes(name)).length;
    const reason = retry.take(this.#tried.length, left, this.#unrepeatable);
    const { chosen } = attempt.ticket;
    const next = reason === null ? this.#choose(chosen.route.name, this.#tried, "retry", attempt.ticket.session) : null;
    publishRetry(tickets.router, chosen, next, reason);
    if (next === null) return false;
    this.send(next);
    return true;
  }

  abort(reason: Error): void {
    if (this.#aborted !== null) return;
    this.#aborted = reason;
    const begun = [...this.#open].find(({ controller }) => controller !== null);
    // undici reports an abort, except that of a request which has no connection yet.
    if (begun !== undefined) begun.controller!.abort(reason);
    else if (this.#open.size > 0) this.#end(null, reason);
  }

  get aborted(): boolean {
    return this.#aborted !== null;
  }

  get reason(): Error | null {
    return this.#aborted;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  pause(): void {
    this.#isPaused = true;
    this.#counted?.controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#counted?.controller?.resume();
  }

  get rawHeaders(): Exclude<Dispatcher.DispatchController["rawHeaders"], undefined> {
    return this.#counted?.controller?.rawHeaders ?? null;
  }

  get rawTrailers(): Exclude<Dispatcher.DispatchController["rawTrailers"], undefined> {
    return this.#counted?.controller?.rawTrailers ?? null;
  }
}

import type { Decision } from "../log/decisionLog.js";
import type { Chosen } from "../model/routerModel.js";
import type { Outcome } from "../model/upstreamRecord.js";
import type { OpenTickets } from "./openTickets.js";
import type { Ticket } from "./ticket.js";

/** The holder of a ticket, which is called when the ticket's time is up and must then close it. */
export interface Holder {
  expire(): void;
}

/** A ticket that has not ended, and a link in the list of them. */
export class OpenTicket implements Ticket {
  previous: OpenTicket | null = null;
  next: OpenTicket | null = null;
  /** Null if choose() was called directly: then nothing is called when the time is up. */
  holder: Holder | null = null;
  state: "open" | "closed" | "forgotten" = "open";
  /** Null while it is open. */
  outcome: Outcome | null = null;
  /** Whether the policy learned from the ticket while it was still open. */
  overdue = false;
  /** From when on the wait counts as latency: later than the choice if a connection had to be opened first. In seconds of the router's clock. */
  waitsFrom: number;

  constructor(
    readonly tickets: OpenTickets,
    public chosen: Chosen,
    /** Null without a log. */
    readonly decision: Decision | null,
    /** Null for the first attempt at a request. */
    readonly as: "retry" | "hedge" | "sticky" | null,
    /** The session that the request belongs to; null if it belongs to none. */
    readonly session: string | null,
  ) {
    this.waitsFrom = chosen.at;
  }

  get upstream(): string {
    return this.chosen.known.name;
  }

  get probability(): number | null {
    return this.chosen.probability;
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  /** Since the choice. */
  seconds(): number {
    return this.tickets.now() - this.chosen.at;
  }

  /** The same without the opening of a connection. */
  latency(): number {
    return this.tickets.now() - this.waitsFrom;
  }

  done(loss: number): void {
    this.tickets.close(this, "done", loss);
  }

  failed(error?: unknown): void {
    this.tickets.close(this, "failed", this.tickets.cost(this), error);
  }

  /** The upstream has answered, but the answer says nothing about it. */
  ignored(): void {
    this.tickets.close(this, "ignored", null);
  }

  /** The upstream asks to be left alone for some seconds; null if it does not. */
  rest(seconds: number | null): void {
    if (seconds !== null) this.chosen.known.rest(this.tickets.now() + Math.min(seconds, this.tickets.options.maxEjectionSeconds));
  }

  abandoned(): void {
    this.tickets.close(this, "abandoned", null);
  }

  overtaken(): void {
    this.tickets.overtake(this);
  }
}

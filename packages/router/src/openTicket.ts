import type { Choice } from "tsallis";
import type { Desk } from "./desk.js";
import type { KnownUpstream } from "./knownUpstream.js";
import type { Route } from "./route.js";
import type { Ticket } from "./ticket.js";

/** An upstream cannot ask for more than a day. */
const LONGEST_REST_SECONDS = 86_400;

/** The holder of a ticket, which is called when the ticket's time is up and must then close it. */
export interface Holder {
  expire(): void;
}

/** A ticket of the desk, and a link in its list of open ones. */
export class OpenTicket implements Ticket {
  previous: OpenTicket | null = null;
  next: OpenTicket | null = null;
  /** Null if choose() was called directly: then nobody is called when the time is up. */
  holder: Holder | null = null;
  state: "open" | "closed" | "forgotten" = "open";
  /** Whether the policy learned from the ticket while it was still open. */
  overdue = false;
  /** Whether the upstream answers others, so that this request does not say how busy it is. */
  stuck = false;
  /** Where the request goes, and what the router has learned about requests of its kind. The ledger sets these and what follows. */
  known!: KnownUpstream;
  route!: Route;
  /** Null if the upstream has been removed since. */
  choice!: Choice | null;
  round = 0;
  probability: number | null = null;
  /** The other requests that were under way there at the choice, and by what factor they raised its latency. */
  load = 0;
  factor = 1;
  /** How many requests were sent there before, and how many have succeeded. */
  sent = 0;
  succeeded = 0;

  constructor(
    readonly desk: Desk,
    /** In seconds of the desk's clock. */
    readonly started: number,
  ) {}

  get upstream(): string {
    return this.known.name;
  }

  get isOpen(): boolean {
    return this.state === "open";
  }

  seconds(): number {
    return this.desk.now() - this.started;
  }

  done(loss: number): void {
    this.desk.close(this, "done", loss);
  }

  failed(error?: unknown): void {
    this.desk.close(this, "failed", this.desk.cost(this), error);
  }

  /** The upstream has answered, but the answer says nothing about it. */
  ignored(): void {
    this.desk.close(this, "ignored", null);
  }

  /** The upstream asks to be left alone for some seconds; null if it does not. */
  rest(seconds: number | null): void {
    if (seconds !== null) this.known.restsUntil = Math.max(this.known.restsUntil, this.desk.now() + Math.min(seconds, LONGEST_REST_SECONDS));
  }

  abandoned(): void {
    this.desk.close(this, "abandoned", null);
  }
}

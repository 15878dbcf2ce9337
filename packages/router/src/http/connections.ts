import type { Pool } from "undici";
import type { OpenTicket } from "../tickets/openTicket.js";

/**
 * The connections to an origin. An upstream that is hardly asked has to be connected to nearly every time, since idle connections are closed, and would look slow for
 * that. If it were asked more often, it would not have to be. So the opening of a connection is no part of a request's latency, unless the upstream closes each
 * connection after its answer.
 */
export class Connections {
  /** When the last one was opened, and how long a request waited for it, in seconds of the router's clock. */
  #opened = Number.NEGATIVE_INFINITY;
  #seconds = 0;

  constructor(readonly pool: Pool) {}

  opened(now: number): void {
    this.#opened = now;
  }

  /** A request waits for a connection. Twice the time that the last one took is not held against the upstream. */
  awaited(ticket: OpenTicket): void {
    ticket.waitsFrom = ticket.chosen.at + 2 * this.#seconds;
  }

  /** A request goes out. What it has waited for since the last connection was opened, it has waited for in the queue. */
  sent(ticket: OpenTicket): void {
    if (this.#opened > ticket.chosen.at) this.#seconds = this.#opened - ticket.chosen.at;
    ticket.waitsFrom = Math.max(ticket.chosen.at, this.#opened);
  }
}

import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import { RouterError } from "../routerError.js";
import type { Holder, OpenTicket } from "../tickets/openTicket.js";
import type { Connections } from "./connections.js";
import { type FailureRule, meaningOf, retryAfterSeconds } from "./failureRule.js";
import type { HttpOptions } from "./httpOptions.js";
import type { Answer } from "./lossRule.js";

/** undici's codes for errors that are not the upstream's fault: the request cannot be sent, or the caller's side has given it up. */
const OWN_FAULTS = new Set([
  "UND_ERR_INVALID_ARG",
  "UND_ERR_NOT_SUPPORTED",
  "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH",
  "UND_ERR_ABORT",
  "UND_ERR_ABORTED",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
]);

/**
 * One HTTP request under way. It closes its ticket by the answer, or at the timeout. It stands between undici and the caller's handler and passes
 * everything on unchanged. Each subclass implements one of undici's two handler interfaces. undici checks the handler that it is given before it sends
 * anything, so a method that the caller's handler lacks is hidden here too: one by one, since a loop over their names takes several times as long.
 */
export abstract class Exchange<Headers = unknown> implements Holder {
  #status = 0;
  #firstByteSeconds = 0;
  #bytes = 0;
  #headers: Headers | null = null;
  #isSent = false;
  /** The timeout error, if the caller got it before undici could end the request; whatever comes later is ignored. */
  protected over: Error | null = null;

  constructor(
    readonly ticket: OpenTicket,
    readonly request: Dispatcher.DispatchOptions,
    readonly handler: object,
    readonly options: HttpOptions,
    /** Null if the upstream was removed a moment ago. */
    readonly connections: Connections | null,
  ) {
    ticket.holder = this;
  }

  /** The request has been given to undici, which sends it at once if a connection is free. */
  handedOver(): void {
    if (!this.#isSent) this.connections?.awaited(this.ticket);
  }

  /** Called when the request goes out on a connection. */
  protected sent(): void {
    this.#isSent = true;
    this.connections?.sent(this.ticket);
  }

  /** Ends the request: through undici if it has begun, otherwise by an error to the caller. */
  protected abstract end(error: Error): void;

  protected abstract parsed(headers: Headers): IncomingHttpHeaders;

  expire(): void {
    const { ticket } = this;
    const { tickets } = ticket;
    const { timeoutMs, endsRequests, loss } = this.options;
    const givenUp = this.#givenUp();
    if (givenUp !== null) {
      ticket.abandoned();
      if (endsRequests) this.end(givenUp.reason ?? new errors.RequestAbortedError());
      return;
    }
    const what = loss === "first-byte" ? "its headers" : "the end of its answer";
    const error = new RouterError(
      "ERR_TIMEOUT",
      "timeoutMs",
      timeoutMs,
      `${ticket.upstream} has not sent ${what} within the timeout of ${timeoutMs} ms`,
    );
    tickets.close(ticket, "timedOut", tickets.cost(ticket), error);
    if (endsRequests) this.end(error);
  }

  /** Called when the headers of the final answer have arrived. */
  protected answered(status: number, headers: Headers): void {
    const { ticket } = this;
    if (status < 200 || !ticket.isOpen) return;
    const { failure, loss } = this.options;
    const meaning = failure === null ? meaningOf(status) : this.#meaning(failure, status, headers);
    if (meaning === "failure") {
      if (status === 429 || status === 503) ticket.rest(retryAfterSeconds(this.parsed(headers)));
      ticket.failed();
      return;
    }
    if (meaning === "neither") {
      if (ticket.isOpen) ticket.ignored();
      return;
    }
    if (ticket.waitsFrom !== ticket.chosen.at && closes(this.parsed(headers))) ticket.waitsFrom = ticket.chosen.at;
    this.#firstByteSeconds = ticket.latency();
    if (loss === "first-byte") {
      ticket.done(this.#firstByteSeconds);
      return;
    }
    this.#status = status;
    this.#headers = headers;
  }

  #meaning(failure: FailureRule, status: number, headers: Headers): "success" | "failure" | "neither" {
    try {
      return failure({ status, headers: this.parsed(headers) }) ? "failure" : "success";
    } catch (error) {
      this.ticket.tickets.close(this.ticket, "refused", null, error);
      return "neither";
    }
  }

  protected received(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
  }

  /** Called when the whole answer has arrived. */
  protected completed(): void {
    const { ticket } = this;
    if (!ticket.isOpen) return;
    const seconds = ticket.latency();
    const { loss } = this.options;
    if (typeof loss !== "function") {
      ticket.done(seconds);
      return;
    }
    const answer = { upstream: ticket.upstream, status: this.#status, seconds, firstByteSeconds: this.#firstByteSeconds, bytes: this.#bytes };
    let value: number;
    try {
      value = loss({ ...answer, headers: this.parsed(this.#headers!) } satisfies Answer);
    } catch (error) {
      ticket.tickets.close(ticket, "refused", null, error);
      return;
    }
    ticket.done(value);
  }

  /** Called when the connection is upgraded: it now belongs to the caller, so there is no end to wait for. */
  protected upgraded(status: number, headers: Headers): void {
    this.answered(status < 200 ? 200 : status, headers);
    this.#status = status;
    this.completed();
  }

  protected broken(error: Error): void {
    const { ticket } = this;
    if (!ticket.isOpen) return;
    if (this.#givenUp() !== null || this.#isOwnFault(error)) ticket.abandoned();
    else ticket.failed(error);
  }

  /** Called when the caller has aborted. */
  protected aborted(): void {
    if (this.ticket.isOpen) this.ticket.abandoned();
  }

  /** Called when the caller's handler has thrown: the caller's fault, which undici deals with. */
  protected thrown(error: unknown): never {
    this.aborted();
    throw error;
  }

  /**
   * The caller's signal, if it has aborted. undici passes an abort on only once the request has a connection; until then the request is still under
   * way here, and its caller still waits for an answer.
   */
  #givenUp(): AbortSignal | null {
    const { signal } = this.request as Dispatcher.RequestOptions;
    return signal instanceof AbortSignal && signal.aborted ? signal : null;
  }

  #isOwnFault(error: Error): boolean {
    const { body } = this.request;
    if (typeof body === "object" && body !== null && "errored" in body && body.errored === error) return true;
    return OWN_FAULTS.has((error as NodeJS.ErrnoException | null)?.code ?? "");
  }
}

/** Whether the upstream closes the connection after its answer, so that every request has to open one. */
function closes({ connection }: IncomingHttpHeaders): boolean {
  return connection !== undefined && /\bclose\b/i.test(connection);
}

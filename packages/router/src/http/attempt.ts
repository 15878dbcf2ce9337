import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { Attempts } from "./attempts.js";

type Controller = Dispatcher.DispatchController;

/** One attempt at a request: the handler of what is sent to one upstream. Its answer reaches the caller only if it is the one that counts. */
export class Attempt {
  controller: Controller | null = null;
  /** Set when the attempt is given up; whatever still comes of it is ignored. */
  #dropped: Error | null = null;

  constructor(
    readonly attempts: Attempts,
    readonly ticket: OpenTicket,
  ) {}

  get isDropped(): boolean {
    return this.#dropped !== null;
  }

  /** Gives the attempt up: at once if it has begun, otherwise as soon as it has a connection. */
  drop(reason: Error): void {
    this.#dropped = reason;
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Controller, context: unknown): void {
    this.controller = controller;
    if (this.#dropped !== null) controller.abort(this.#dropped);
    else this.attempts.started(context);
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void {
    // Informational answers may be ignored by any client (RFC 9110, 15.2). Passing one on would end the chance of another attempt.
    if (status >= 200 && this.#dropped === null) this.attempts.answered(this, status, headers, statusMessage);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.#dropped === null) this.attempts.caller.onResponseData?.(this.attempts, chunk);
  }

  onResponseEnd(_controller: Controller, trailers: IncomingHttpHeaders): void {
    if (this.#dropped === null) this.attempts.caller.onResponseEnd?.(this.attempts, trailers);
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    if (this.#dropped === null) this.attempts.failed(this, error);
  }
}

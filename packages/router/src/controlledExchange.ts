import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { Exchange } from "./exchange.js";
import type { OpenTicket } from "./openTicket.js";

type Controller = Dispatcher.DispatchController;

/**
 * The handlers that undici 7 expects of its users: onRequestStart, onResponseStart, onResponseData, onResponseEnd, onResponseError, and a controller.
 */
export class ControlledExchange extends Exchange implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  #controller: Controller | null = null;
  #ending: Error | null = null;

  constructor(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    super(ticket, request);
    this.#handler = handler;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    if (this.over !== null) {
      controller.abort(this.over);
      return;
    }
    this.#controller = controller;
    this.#handler.onRequestStart!(controller, context);
  }

  onRequestUpgrade(controller: Controller, status: number, headers: IncomingHttpHeaders, socket: Duplex): void {
    this.upgraded(status, () => headers);
    this.#handler.onRequestUpgrade!(controller, status, headers, socket);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void {
    this.answered(status, () => headers);
    this.#handler.onResponseStart?.(controller, status, headers, statusMessage);
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.received(chunk);
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    this.completed();
    this.#handler.onResponseEnd?.(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.over !== null) return;
    // A caller aborts through the controller, which reports it only afterwards.
    if (controller?.aborted && this.#ending === null) this.aborted();
    else this.broken(error);
    if (this.#handler.onResponseError === undefined) throw error;
    this.#handler.onResponseError(controller, error);
  }

  protected override end(error: Error): void {
    if (this.#controller !== null) {
      this.#ending = error;
      this.#controller.abort(error);
      return;
    }
    this.over = error;
    this.#handler.onResponseError?.(null as never, error);
  }
}

import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { Connections } from "./connections.js";
import { Exchange } from "./exchange.js";
import type { HttpOptions } from "./httpOptions.js";

type Controller = Dispatcher.DispatchController;

/** undici's types lack a call, or type it otherwise in another version. */
export interface ControlledHandler extends Required<Omit<Dispatcher.DispatchHandler, "onBodySent">> {
  onBodySent(...sent: unknown[]): void;
  onRequestSent(): void;
}

/** The handlers that undici 7 expects of its users, and undici 8 of everybody: onRequestStart, onResponseStart, onResponseData and a controller. */
export class ControlledExchange extends Exchange<IncomingHttpHeaders> {
  declare readonly handler: ControlledHandler;
  #controller: Controller | null = null;
  #ending: Error | null = null;

  constructor(
    ticket: OpenTicket,
    request: Dispatcher.DispatchOptions,
    handler: ControlledHandler,
    options: HttpOptions,
    connections: Connections | null,
  ) {
    super(ticket, request, handler, options, connections);
    if (typeof handler.onRequestStart !== "function") this.onRequestStart = handler.onRequestStart;
    if (typeof handler.onRequestUpgrade !== "function") this.onRequestUpgrade = handler.onRequestUpgrade;
    if (typeof handler.onResponseStarted !== "function") this.onResponseStarted = handler.onResponseStarted;
    if (typeof handler.onBodySent !== "function") this.onBodySent = handler.onBodySent;
    if (typeof handler.onRequestSent !== "function") this.onRequestSent = handler.onRequestSent;
    if (typeof handler.onResponseStart !== "function") this.onResponseStart = handler.onResponseStart;
    if (typeof handler.onResponseData !== "function") this.onResponseData = handler.onResponseData;
    if (typeof handler.onResponseEnd !== "function") this.onResponseEnd = handler.onResponseEnd;
    if (typeof handler.onResponseError !== "function") this.onResponseError = handler.onResponseError;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    if (this.over !== null) {
      controller.abort(this.over);
      return;
    }
    this.#controller = controller;
    this.sent();
    try {
      this.handler.onRequestStart(controller, context);
    } catch (error) {
      this.thrown(error);
    }
  }

  onRequestUpgrade(controller: Controller, status: number, headers: IncomingHttpHeaders, socket: Duplex): void {
    this.upgraded(status, headers);
    this.handler.onRequestUpgrade(controller, status, headers, socket);
  }

  onResponseStarted(): void {
    try {
      this.handler.onResponseStarted();
    } catch (error) {
      this.thrown(error);
    }
  }

  onBodySent(...sent: unknown[]): void {
    try {
      this.handler.onBodySent(...sent);
    } catch (error) {
      this.thrown(error);
    }
  }

  onRequestSent(): void {
    try {
      this.handler.onRequestSent();
    } catch (error) {
      this.thrown(error);
    }
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void {
    this.answered(status, headers);
    try {
      this.handler.onResponseStart(controller, status, headers, statusMessage);
    } catch (error) {
      this.thrown(error);
    }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    this.received(chunk);
    try {
      this.handler.onResponseData(controller, chunk);
    } catch (error) {
      this.thrown(error);
    }
  }

  onResponseEnd(controller: Controller, trailers: IncomingHttpHeaders): void {
    this.completed();
    this.handler.onResponseEnd(controller, trailers);
  }

  onResponseError(controller: Controller, error: Error): void {
    if (this.over !== null) return;
    // A caller aborts through the controller, which reports it only afterwards.
    if (controller?.aborted && this.#ending === null) this.aborted();
    else this.broken(error);
    this.handler.onResponseError(controller, error);
  }

  protected override end(error: Error): void {
    if (this.#controller !== null) {
      this.#ending = error;
      this.#controller.abort(error);
      return;
    }
    this.over = error;
    this.handler.onResponseError(null as never, error);
  }

  protected override parsed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
    return headers;
  }
}

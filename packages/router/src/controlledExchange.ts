import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { Exchange } from "./exchange.js";
import type { OpenTicket } from "./openTicket.js";

type Controller = Dispatcher.DispatchController;

/** The calls that undici's types lack, or type otherwise in another version. */
interface Unlisted {
  onBodySent(...sent: unknown[]): void;
  onRequestSent(): void;
}

const METHODS: readonly string[] = [
  "onRequestStart",
  "onRequestUpgrade",
  "onResponseStarted",
  "onBodySent",
  "onRequestSent",
  "onResponseStart",
  "onResponseData",
  "onResponseEnd",
  "onResponseError",
];

/** The handlers that undici 7 expects of its users, and undici 8 of everybody: onRequestStart, onResponseStart, onResponseData and a controller. */
export class ControlledExchange extends Exchange<IncomingHttpHeaders> {
  declare readonly handler: Required<Dispatcher.DispatchHandler>;
  #controller: Controller | null = null;
  #ending: Error | null = null;

  constructor(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    super(ticket, request, handler, METHODS);
  }

  onRequestStart(controller: Controller, context: unknown): void {
    if (this.over !== null) {
      controller.abort(this.over);
      return;
    }
    this.#controller = controller;
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
      (this.handler as unknown as Unlisted).onBodySent(...sent);
    } catch (error) {
      this.thrown(error);
    }
  }

  onRequestSent(): void {
    try {
      (this.handler as unknown as Unlisted).onRequestSent();
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

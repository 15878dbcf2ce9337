import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { RawHandler } from "./rawExchange.js";

type Controller = Dispatcher.DispatchController & { readonly rawHeaders: Buffer[]; readonly rawTrailers: string[] | null };

/** What a caller sees of a request, whichever kind of handler it has. */
export interface Caller {
  onRequestStart?(controller: Dispatcher.DispatchController, context: unknown): void;
  onResponseStarted?(): void;
  onResponseStart?(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders, statusMessage?: string): void;
  onResponseData?(controller: Dispatcher.DispatchController, chunk: Buffer): void;
  onResponseEnd?(controller: Dispatcher.DispatchController, trailers: IncomingHttpHeaders): void;
  onResponseError?(controller: Dispatcher.DispatchController, error: Error): void;
}

/** A handler of undici's older kind (see RawExchange), called as one of the newer kind. */
export class RawCaller implements Caller {
  constructor(readonly handler: RawHandler) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.handler.onConnect?.((reason) => controller.abort(reason!));
  }

  onResponseStarted(): void {
    this.handler.onResponseStarted?.();
  }

  onResponseStart(given: Dispatcher.DispatchController, status: number, _headers: IncomingHttpHeaders, statusMessage = ""): void {
    const controller = given as Controller;
    if (this.handler.onHeaders(status, controller.rawHeaders, () => controller.resume(), statusMessage) === false) controller.pause();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.handler.onData(chunk) === false) controller.pause();
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.handler.onComplete((controller as Controller).rawTrailers);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.handler.onError(error);
  }
}

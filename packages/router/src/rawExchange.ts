import type { Duplex } from "node:stream";
import { type Dispatcher, util } from "undici";
import { Exchange } from "./exchange.js";
import type { OpenTicket } from "./openTicket.js";

type Abort = (reason?: Error) => void;

/** The handlers that undici 7 and the fetch of Node 20 use internally: onConnect, onHeaders, onData, onComplete, onError, and raw headers. */
export class RawExchange extends Exchange implements Dispatcher.DispatchHandler {
  readonly #handler: Required<Dispatcher.DispatchHandler>;
  #abort: Abort | null = null;

  constructor(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    super(ticket, request);
    this.#handler = handler as Required<Dispatcher.DispatchHandler>;
  }

  onConnect(abort: Abort): void {
    if (this.over !== null) {
      abort(this.over);
      return;
    }
    this.#abort = abort;
    const callerAborts: Abort = (reason) => {
      this.aborted();
      abort(reason);
    };
    this.#handler.onConnect(callerAborts);
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.();
  }

  onBodySent(chunkSize: number, totalBytesSent: number): void {
    this.#handler.onBodySent?.(chunkSize, totalBytesSent);
  }

  /** This handler is missing from undici's types. */
  onRequestSent(): void {
    (this.#handler as { onRequestSent?(): void }).onRequestSent?.();
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    this.answered(status, () => util.parseHeaders(headers) as never);
    return this.#handler.onHeaders(status, headers, resume, statusText);
  }

  onUpgrade(status: number, headers: Buffer[] | string[] | null, socket: Duplex): void {
    this.upgraded(status, () => util.parseHeaders((headers ?? []) as Buffer[]) as never);
    this.#handler.onUpgrade(status, headers, socket);
  }

  onData(chunk: Buffer): boolean {
    this.received(chunk);
    return this.#handler.onData(chunk);
  }

  onComplete(trailers: string[] | null): void {
    this.completed();
    this.#handler.onComplete(trailers);
  }

  onError(error: Error): void {
    if (this.over !== null) return;
    this.broken(error);
    this.#handler.onError(error);
  }

  protected override end(error: Error): void {
    if (this.#abort !== null) {
      this.#abort(error);
      return;
    }
    this.over = error;
    this.#handler.onError(error);
  }
}

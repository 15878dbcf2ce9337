import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { type Dispatcher, util } from "undici";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { Connections } from "./connections.js";
import { Exchange } from "./exchange.js";
import type { HttpOptions } from "./httpOptions.js";

type Abort = (reason?: Error) => void;

/** The older handler, which undici 8 no longer knows and its types no longer name. */
export interface RawHandler {
  onConnect(abort: Abort): void;
  onResponseStarted(): void;
  onBodySent(chunkSize: number, totalBytesSent: number): void;
  onRequestSent(): void;
  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean;
  onUpgrade(status: number, headers: Buffer[] | string[] | null, socket: Duplex): void;
  onData(chunk: Buffer): boolean;
  onComplete(trailers: string[] | null): void;
  onError(error: Error): void;
}

/** The handlers that undici 7 and the fetch of Node 20 use internally: onConnect, onHeaders, onData, onComplete, onError, and raw headers. */
export class RawExchange extends Exchange<Buffer[]> implements RawHandler {
  declare readonly handler: RawHandler;
  #abort: Abort | null = null;

  constructor(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: RawHandler, options: HttpOptions, connections: Connections | null) {
    super(ticket, request, handler, options, connections);
    if (typeof handler.onConnect !== "function") this.onConnect = handler.onConnect;
    if (typeof handler.onResponseStarted !== "function") this.onResponseStarted = handler.onResponseStarted;
    if (typeof handler.onBodySent !== "function") this.onBodySent = handler.onBodySent;
    if (typeof handler.onRequestSent !== "function") this.onRequestSent = handler.onRequestSent;
    if (typeof handler.onHeaders !== "function") this.onHeaders = handler.onHeaders;
    if (typeof handler.onUpgrade !== "function") this.onUpgrade = handler.onUpgrade;
    if (typeof handler.onData !== "function") this.onData = handler.onData;
    if (typeof handler.onComplete !== "function") this.onComplete = handler.onComplete;
    if (typeof handler.onError !== "function") this.onError = handler.onError;
  }

  onConnect(abort: Abort): void {
    if (this.over !== null) {
      abort(this.over);
      return;
    }
    this.#abort = abort;
    this.sent();
    try {
      this.handler.onConnect((reason) => {
        this.aborted();
        abort(reason);
      });
    } catch (error) {
      this.thrown(error);
    }
  }

  onResponseStarted(): void {
    try {
      this.handler.onResponseStarted();
    } catch (error) {
      this.thrown(error);
    }
  }

  onBodySent(chunkSize: number, totalBytesSent: number): void {
    try {
      this.handler.onBodySent(chunkSize, totalBytesSent);
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

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    this.answered(status, headers);
    try {
      return this.handler.onHeaders(status, headers, resume, statusText);
    } catch (error) {
      return this.thrown(error);
    }
  }

  onUpgrade(status: number, headers: Buffer[] | string[] | null, socket: Duplex): void {
    this.upgraded(status, (headers ?? []) as Buffer[]);
    this.handler.onUpgrade(status, headers, socket);
  }

  onData(chunk: Buffer): boolean {
    this.received(chunk);
    try {
      return this.handler.onData(chunk);
    } catch (error) {
      return this.thrown(error);
    }
  }

  onComplete(trailers: string[] | null): void {
    this.completed();
    this.handler.onComplete(trailers);
  }

  onError(error: Error): void {
    if (this.over !== null) return;
    this.broken(error);
    this.handler.onError(error);
  }

  protected override end(error: Error): void {
    if (this.#abort !== null) {
      this.#abort(error);
      return;
    }
    this.over = error;
    this.handler.onError(error);
  }

  protected override parsed(headers: Buffer[]): IncomingHttpHeaders {
    return util.parseHeaders(headers) as IncomingHttpHeaders;
  }
}

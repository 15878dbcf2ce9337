import type { BalancedPool, RequestInit, Response } from "undici";
import { completeOptions } from "./completeOptions.js";
import { Desk } from "./desk.js";
import { type Explanation, explain } from "./explanation.js";
import { Ledger } from "./ledger.js";
import { metrics } from "./metrics.js";
import type { Router } from "./router.js";
import { RouterDispatcher } from "./routerDispatcher.js";
import { RouterError, show } from "./routerError.js";
import { RouterFetch } from "./routerFetch.js";
import type { RouterOptions } from "./routerOptions.js";
import { adoptSnapshot, type RouterSnapshot, takeSnapshot } from "./routerSnapshot.js";
import { StateKeeper } from "./stateKeeper.js";
import type { Ticket } from "./ticket.js";

/** Creates a router over its upstreams. */
export function createRouter(options: RouterOptions): Router {
  return new LearningRouter(options);
}

class LearningRouter implements Router {
  readonly #ledger: Ledger;
  readonly #desk: Desk;
  readonly #state: StateKeeper | null;
  #http: { dispatcher: RouterDispatcher; fetch: RouterFetch } | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: RouterOptions) {
    const completed = completeOptions(options);
    this.#ledger = new Ledger(completed, this);
    this.#desk = new Desk(this.#ledger);
    const { state } = completed;
    if (state !== null && "snapshot" in state) adoptSnapshot(this.#ledger, state.snapshot);
    this.#state = state !== null && "file" in state ? new StateKeeper(this.#ledger, state) : null;
  }

  async fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#overHttp("fetch()").fetch.fetch(path, init);
  }

  dispatcher(): BalancedPool {
    return this.#overHttp("dispatcher()").dispatcher;
  }

  choose(): Ticket {
    return this.#desk.choose();
  }

  explain(): Explanation {
    return explain(this.#ledger, this.#state?.status() ?? null);
  }

  metrics(): string {
    return metrics(this.#ledger);
  }

  snapshot(): RouterSnapshot {
    return takeSnapshot(this.#ledger);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#desk.shut();
    await this.#http?.dispatcher.closePools();
    this.#desk.clear();
    await this.#state?.close();
  }

  /** Created at the first use, because tickets need no connections. */
  #overHttp(door: string): { dispatcher: RouterDispatcher; fetch: RouterFetch } {
    if (this.#http !== null) return this.#http;
    const { upstreams } = this.#ledger.options;
    const name = upstreams.find(({ origin }) => origin === null)?.name;
    if (name !== undefined) {
      const message = `${door} needs upstreams that are URLs, but they are names such as ${show(name)}; give http(s) URLs, or take tickets from choose()`;
      throw new RouterError("ERR_NOT_HTTP", "upstreams", name, message);
    }
    const dispatcher = new RouterDispatcher(this.#desk, this);
    if (this.#closing !== null) void dispatcher.closePools();
    this.#http = { dispatcher, fetch: new RouterFetch(this.#desk, dispatcher) };
    return this.#http;
  }
}

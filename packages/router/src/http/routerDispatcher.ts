import type { EventEmitter } from "node:events";
import { Agent, BalancedPool, type Dispatcher, errors, Pool } from "undici";
import { readUpstreams } from "../model/upstream.js";
import type { Router } from "../router.js";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { OpenTickets } from "../tickets/openTickets.js";
import { Attempts, type Sender } from "./attempts.js";
import { Connections } from "./connections.js";
import { ControlledExchange, type ControlledHandler } from "./controlledExchange.js";
import type { Hedge } from "./hedge.js";
import type { HttpOptions } from "./httpOptions.js";
import { type Caller, RawCaller } from "./rawCaller.js";
import { RawExchange, type RawHandler } from "./rawExchange.js";
import { requirePath, requireWithin } from "./requestPath.js";
import type { Retry } from "./retry.js";
import { rereadable, routeOf } from "./routeRule.js";
import { sessionOf } from "./sticky.js";

type Callback = (error: Error | null, data: null) => void;

/**
 * undici's BalancedPool, except that the router chooses the upstream of each request and learns from the answer. A request waits in the pool of the
 * upstream that was chosen for it, and that wait counts.
 */
export class RouterDispatcher extends BalancedPool implements Sender {
  readonly tickets: OpenTickets;
  readonly retry: Retry | null;
  readonly hedge: Hedge | null;
  readonly #router: Router;
  readonly #options: HttpOptions;
  /** By origin; upstreams with the same origin share a pool. */
  readonly #pools: Map<string, Connections>;
  /** Whether an upstream has a base path, which no request may leave. */
  hasBase: boolean;
  /** The pools that have said that they are busy. */
  readonly #busy = new Set<Pool>();
  #needDrain = false;
  /** For redirects that leave the upstreams. */
  #agent: Agent | null = null;
  #destroyed = () => {};
  /** Resolves when all pools have been destroyed. undici's Pool.close(), while it waits for its queue, does not notice that. */
  readonly #destruction = new Promise<void>((resolve) => {
    this.#destroyed = resolve;
  });

  constructor(tickets: OpenTickets, router: Router, http: HttpOptions, retry: Retry | null, hedge: Hedge | null) {
    const { pool: options, endsRequests } = http;
    const pools = new Map<string, Connections>();
    const factory = (origin: URL | string) => {
      const socketPath = socketOf(tickets, String(origin));
      // A timeout of the router covers the wait for the headers, even if it is longer than undici's 300 seconds.
      const pool = new Pool(origin, { ...(endsRequests && { headersTimeout: 0 }), ...options, ...(socketPath !== null && { socketPath }) });
      // undici's types lack the targets of this event.
      (pool as EventEmitter).on("drain", (from, targets) => this.#drained(pool, from, targets));
      const connections = new Connections(pool);
      pool.on("connect", () => connections.opened(tickets.now()));
      pools.set(String(origin), connections);
      return pool;
    };
    super([...originsOf(tickets)], { ...options, factory });
    this.tickets = tickets;
    this.retry = retry;
    this.hedge = hedge;
    this.#router = router;
    this.#options = http;
    this.#pools = pools;
    this.hasBase = anyBase(tickets);
    // compose() returns a Proxy, through which private members cannot be read.
    for (const method of ["close", "destroy", "addUpstream", "removeUpstream"] as const) this[method] = this[method].bind(this) as never;
  }

  override dispatch(given: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // BalancedPool itself says what is wrong.
    if (this.closed || this.destroyed || !isObject(given) || !isObject(handler)) return super.dispatch(given, handler);
    // While the pool that was removed last is closing, BalancedPool would let the request wait for another upstream, perhaps for ever.
    if (this.#pools.size === 0) return fail(handler, new errors.BalancedPoolMissingUpstreamError());
    const { route, sticky } = this.#options;
    const isPlain = !this.hasBase && route === null && sticky === null && !this.repeats;
    const request = isPlain ? given : rereadable(given);
    const { path, method } = request;
    const isPath = typeof path === "string" && method !== "CONNECT";
    let ticket: OpenTicket;
    try {
      if (isPath && this.hasBase) {
        requirePath(path);
        requireWithin(path);
      }
      ticket = this.choose(request);
    } catch (error) {
      return fail(handler, error as Error);
    }
    if (isPlain) return this.sendOnce(ticket, request, handler);
    return this.send(ticket, request, handler, isPath);
  }

  /** Whether a request may be sent more than once. */
  get repeats(): boolean {
    return this.retry !== null || this.hedge !== null;
  }

  /** Chooses the upstream that a request is first sent to, by its route and its session. */
  choose(request: Dispatcher.DispatchOptions): OpenTicket {
    const { route, sticky } = this.#options;
    const session = sticky === null ? null : sessionOf(sticky, request);
    return this.tickets.choose(route === null ? undefined : routeOf(route, request), [], null, session);
  }

  /** Sends a request, first to the upstream of a ticket, and to others if the options say so. Its path does not have the upstream's base path yet. */
  send(
    ticket: OpenTicket,
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    isPath = true,
    onCounted: (ticket: OpenTicket) => void = () => {},
  ): boolean {
    if (this.repeats && isPath && !request.upgrade) {
      return new Attempts(this, request, callerOf(handler), (counted) => {
        if (ticket.session !== null) this.tickets.sessions.bind(ticket.session, counted.chosen.known.upstream.place, this.tickets.now());
        onCounted(counted);
      }).begin(ticket);
    }
    const { base } = ticket.chosen.known.upstream;
    return this.sendOnce(ticket, isPath && base !== "" ? { ...request, path: base + request.path } : request, handler);
  }

  /** Sends a request to the upstream chosen for it. */
  sendOnce(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const origin = ticket.chosen.known.upstream.origin!;
    const connections = this.#pools.get(origin) ?? null;
    const exchange = isControlled(handler)
      ? new ControlledExchange(ticket, request, handler as unknown as ControlledHandler, this.#options, connections)
      : new RawExchange(ticket, request, handler as unknown as RawHandler, this.#options, connections);
    try {
      const isFree = this.pass(origin, request, exchange as Dispatcher.DispatchHandler);
      exchange.handedOver();
      return isFree;
    } catch (error) {
      // The handler has thrown, or it is not a handler.
      if (ticket.isOpen) ticket.abandoned();
      throw error;
    }
  }

  /** Sends a request to an origin without measuring it: one of the upstreams, or any other, to which a redirect has led or which was removed a moment ago. */
  pass(origin: string, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const pool = this.#pools.get(origin)?.pool;
    if (pool === undefined) {
      this.#agent ??= new Agent();
      return this.#agent.dispatch({ ...request, origin }, handler);
    }
    if (!pool.dispatch(request, handler)) this.#busy.add(pool);
    this.#needDrain = this.#busy.size === this.#pools.size;
    return !this.#needDrain;
  }

  /** Adds an upstream to the router. One that is there already is left alone, as BalancedPool does. */
  override addUpstream(upstream: string | URL): BalancedPool {
    // BalancedPool's constructor calls this too.
    if (!(#router in this)) return super.addUpstream(upstream);
    if (this.#armOf(upstream) < 0) this.#router.add(upstream);
    return this;
  }

  /** Removes an upstream from the router. One that is not there is ignored, as BalancedPool does. */
  override removeUpstream(upstream: string | URL): BalancedPool {
    if (this.#armOf(upstream) >= 0) this.#router.remove(upstream);
    return this;
  }

  #armOf(given: string | URL): number {
    const { place } = readUpstreams([given])[0]!;
    return this.tickets.model.upstreams.findIndex(({ upstream }) => upstream.place === place);
  }

  /** For the router: opens and closes pools, so that there is one for each origin. A pool is closed when the requests under way there have ended. */
  takeUpstreams(): void {
    const origins = originsOf(this.tickets);
    for (const origin of origins) {
      if (this.#pools.has(origin)) continue;
      super.addUpstream(origin);
      const { pool } = this.#pools.get(origin)!;
      // Callers that wait because all pools are busy need not wait any longer.
      if (this.#needDrain) queueMicrotask(() => this.#drained(pool, new URL(origin), [pool]));
    }
    for (const [origin, { pool }] of this.#pools) {
      if (origins.has(origin)) continue;
      super.removeUpstream(origin);
      this.#pools.delete(origin);
      this.#busy.delete(pool);
    }
    this.hasBase = anyBase(this.tickets);
  }

  /** Closes the whole router when the requests under way have ended. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: Callback): Promise<void> | void {
    if (this.destroyed || !isCallback(callback)) return super.close(callback as () => void);
    return settled(this.#router.close(), callback);
  }

  /** Closes the whole router and ends the requests under way with an error; the policy learns nothing from them. */
  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(error?: Error | null | Callback, callback?: Callback): Promise<void> | void {
    if (typeof error === "function") return this.destroy(null, error as () => void);
    if (!isCallback(callback) || this.#hasClosed()) return super.destroy(error ?? null, callback as unknown as () => void);
    this.tickets.shut();
    this.tickets.abandonExchanges();
    return settled(this.#destroy(error ?? null), callback);
  }

  /** For the router: resolves when the requests under way have ended. */
  async closePools(): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => super.close(resolve)), this.#destruction]);
    if (this.#agent?.destroyed === false) await this.#agent.close();
  }

  async #destroy(error: Error | null): Promise<void> {
    await Promise.all([new Promise<void>((resolve) => super.destroy(error, resolve)), this.#agent?.destroy(error)]);
    this.#destroyed();
    await this.#router.close();
  }

  /** Whether undici's close() has closed all pools. It then calls destroy(), which must not end the requests that follow redirects elsewhere. */
  #hasClosed(): boolean {
    return this.closed && !this.destroyed && [...this.#pools.values()].every(({ pool }) => pool.destroyed);
  }

  #drained(pool: Pool, origin: URL, targets: readonly Dispatcher[]): void {
    this.#busy.delete(pool);
    if (!this.#needDrain) return;
    this.#needDrain = false;
    (this as EventEmitter).emit("drain", origin, [this, ...targets]);
  }
}

function originsOf({ model }: OpenTickets): ReadonlySet<string> {
  return new Set(model.upstreams.map(({ upstream }) => upstream.origin!));
}

function socketOf({ model }: OpenTickets, origin: string): string | null {
  return model.upstreams.find(({ upstream }) => upstream.origin === origin)?.upstream.socketPath ?? null;
}

function anyBase({ model }: OpenTickets): boolean {
  return model.upstreams.some(({ upstream }) => upstream.base !== "");
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isCallback(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

function settled(ending: Promise<void>, callback: Callback | undefined): Promise<void> | void {
  // undici's types promise nothing, and its promises hold null.
  if (callback === undefined) return ending.then(() => null as never);
  ending.then(() => callback(null, null), callback as (error: unknown) => void);
}

/** Whether a handler is of undici's newer kind. */
function isControlled(handler: Dispatcher.DispatchHandler): boolean {
  return Boolean(handler.onRequestStart ?? handler.onResponseError);
}

function callerOf(handler: Dispatcher.DispatchHandler): Caller {
  return isControlled(handler) ? (handler as Caller) : new RawCaller(handler as unknown as RawHandler);
}

/** Reports an error to the handler of a request that never began. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): false {
  const { onError } = handler as { onError?(error: Error): void };
  if (handler.onResponseError) handler.onResponseError(null as never, error);
  else if (onError) onError.call(handler, error);
  else throw error;
  return false;
}

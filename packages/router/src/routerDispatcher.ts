import type { EventEmitter } from "node:events";
import { Agent, BalancedPool, type Dispatcher, errors, Pool } from "undici";
import { ControlledExchange } from "./controlledExchange.js";
import type { Desk } from "./desk.js";
import type { OpenTicket } from "./openTicket.js";
import { RawExchange } from "./rawExchange.js";
import { requirePath, requireWithin } from "./requestPath.js";
import type { Router } from "./router.js";

type Callback = (error: Error | null, data: null) => void;

/** Where the requests to one upstream go. Upstreams with the same origin share a pool. */
interface Route {
  readonly pool: Pool;
  readonly base: string;
}

/**
 * undici's BalancedPool, except that the router chooses the upstream of each request and learns from the answer. A request waits in the pool of the
 * upstream that was chosen for it, and that wait counts.
 */
export class RouterDispatcher extends BalancedPool {
  readonly #desk: Desk;
  readonly #router: Router;
  /** By arm. */
  readonly #routes: readonly Route[];
  readonly #pools: ReadonlySet<Pool>;
  readonly #hasBase: boolean;
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

  constructor(desk: Desk, router: Router) {
    const { upstreams, pool: options, endsRequests } = desk.ledger.options;
    const pools = new Map<string, Pool>();
    const factory = (origin: URL | string) => {
      // A timeout of the router covers the wait for the headers, even if it is longer than undici's 300 seconds.
      const pool = new Pool(origin, endsRequests ? { headersTimeout: 0, ...options } : options);
      pools.set(String(origin), pool);
      return pool;
    };
    super(
      upstreams.map(({ origin }) => origin!),
      { ...options, factory },
    );
    this.#desk = desk;
    this.#router = router;
    this.#routes = upstreams.map(({ origin, base }) => ({ pool: pools.get(origin!)!, base }));
    this.#pools = new Set(pools.values());
    this.#hasBase = upstreams.some(({ base }) => base !== "");
    // compose() returns a Proxy, through which private members cannot be read.
    for (const method of ["close", "destroy", "addUpstream", "removeUpstream"] as const) this[method] = this[method].bind(this) as never;
    // undici's types lack the targets of this event.
    for (const pool of this.#pools) (pool as EventEmitter).on("drain", (origin, targets) => this.#drained(pool, origin, targets));
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // BalancedPool itself says what is wrong.
    if (this.closed || this.destroyed || !isObject(request) || !isObject(handler)) return super.dispatch(request, handler);
    if (!this.#hasBase) return this.send(this.#desk.choose(), request, handler);
    const { path, method } = request;
    const isPath = typeof path === "string" && method !== "CONNECT";
    try {
      if (isPath) {
        requirePath(path);
        requireWithin(path);
      }
    } catch (error) {
      return fail(handler, error as Error);
    }
    const ticket = this.#desk.choose();
    return this.send(ticket, isPath ? { ...request, path: this.#routes[ticket.choice.arm]!.base + path } : request, handler);
  }

  /** Sends a request to the upstream chosen for it. */
  send(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = handler.onRequestStart ? new ControlledExchange(ticket, request, handler) : new RawExchange(ticket, request, handler);
    try {
      return this.pass(ticket.choice.arm, request, exchange as Dispatcher.DispatchHandler);
    } catch (error) {
      // The handler has thrown, or it is not a handler.
      if (ticket.isOpen) ticket.abandoned();
      throw error;
    }
  }

  /** Sends a request to an upstream without measuring it. */
  pass(arm: number, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { pool } = this.#routes[arm]!;
    if (!pool.dispatch(request, handler)) this.#busy.add(pool);
    this.#needDrain = this.#busy.size === this.#pools.size;
    return !this.#needDrain;
  }

  /** Follows a redirect that leaves the upstream. */
  passElsewhere(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#agent ??= new Agent();
    return this.#agent.dispatch(request as Agent.DispatchOptions, handler);
  }

  override addUpstream(upstream: string | URL): BalancedPool {
    // BalancedPool's constructor calls this too.
    if (#desk in this) throw new errors.NotSupportedError("the upstreams of a router cannot be changed; create another router");
    return super.addUpstream(upstream);
  }

  override removeUpstream(upstream: string | URL): BalancedPool {
    return this.addUpstream(upstream);
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
    this.#desk.shut();
    this.#desk.abandonExchanges();
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
    return this.closed && !this.destroyed && [...this.#pools].every((pool) => pool.destroyed);
  }

  #drained(pool: Pool, origin: URL, targets: readonly Dispatcher[]): void {
    this.#busy.delete(pool);
    if (!this.#needDrain) return;
    this.#needDrain = false;
    (this as EventEmitter).emit("drain", origin, [this, ...targets]);
  }
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

/** Reports an error to the handler of a request that never began. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): false {
  const { onError } = handler as { onError?(error: Error): void };
  if (handler.onResponseError) handler.onResponseError(null as never, error);
  else if (onError) onError.call(handler, error);
  else throw error;
  return false;
}

import { Agent, Dispatcher, errors, Pool } from "undici";
import { ControlledExchange } from "./controlledExchange.js";
import type { Desk } from "./desk.js";
import type { OpenTicket } from "./openTicket.js";
import { RawExchange } from "./rawExchange.js";
import type { Router } from "./router.js";

type Callback = (error: null, data: null) => void;

/**
 * An undici Dispatcher over the router's upstreams. Like BalancedPool, it ignores the origin of a request and sends each request to one of the
 * upstreams. A request waits in the pool of the upstream that was chosen for it, and that wait counts.
 */
export class RouterDispatcher extends Dispatcher {
  readonly #desk: Desk;
  readonly #router: Router;
  readonly #pools: readonly Pool[];
  /** Which pools have reported that they are busy, and how many. */
  readonly #busy: Uint8Array;
  #busyCount = 0;
  #needDrain = false;
  /** For redirects that leave the upstreams. */
  #agent: Agent | null = null;
  #destroyed = () => {};
  /** Resolves when all pools have been destroyed. undici's Pool.close(), while it waits for its queue, does not notice that. */
  readonly #destruction = new Promise<void>((resolve) => {
    this.#destroyed = resolve;
  });

  constructor(desk: Desk, router: Router) {
    super();
    this.#desk = desk;
    this.#router = router;
    const { upstreams, pool: options } = desk.ledger.options;
    this.#busy = new Uint8Array(upstreams.length);
    // The router's own timeout covers the wait for headers; undici's default would end the request after 300 seconds.
    this.#pools = upstreams.map(({ origin }) => new Pool(origin!, { headersTimeout: 0, ...options }));
    for (const [i, pool] of this.#pools.entries()) {
      pool.on("drain", (origin) => this.#drained(i, origin));
      pool.on("connect", (origin, targets) => this.emit("connect", origin, [this, ...targets]));
      pool.on("disconnect", (origin, targets, error) => this.emit("disconnect", origin, [this, ...targets], error));
      pool.on("connectionError", (origin, targets, error) => this.emit("connectionError", origin, [this, ...targets], error));
    }
  }

  override dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (typeof handler !== "object" || handler === null) throw new errors.InvalidArgumentError("handler must be an object");
    let ticket: OpenTicket;
    try {
      if (typeof request !== "object" || request === null) throw new errors.InvalidArgumentError("opts must be an object");
      ticket = this.#desk.choose();
    } catch (error) {
      return fail(handler, error as Error);
    }
    const { base } = this.#desk.ledger.options.upstreams[ticket.choice.arm]!;
    return this.send(ticket, base !== "" && request.path?.[0] === "/" ? { ...request, path: base + request.path } : request, handler);
  }

  /** Sends a request to the upstream chosen for it. */
  send(ticket: OpenTicket, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const exchange = handler.onRequestStart ? new ControlledExchange(ticket, request, handler) : new RawExchange(ticket, request, handler);
    return this.pass(ticket.choice.arm, request, exchange);
  }

  /** Sends a request to an upstream without measuring it. */
  pass(arm: number, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (!this.#pools[arm]!.dispatch(request, handler) && this.#busy[arm] === 0) {
      this.#busy[arm] = 1;
      this.#busyCount++;
    }
    this.#needDrain = this.#busyCount === this.#pools.length;
    return !this.#needDrain;
  }

  /** Follows a redirect that leaves the upstream. */
  passElsewhere(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#agent ??= new Agent();
    return this.#agent.dispatch(request as Agent.DispatchOptions, handler);
  }

  /** Closes the whole router when the requests under way have ended. */
  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: Callback): Promise<void> | void {
    return settled(this.#router.close(), callback);
  }

  /** Closes the whole router and ends the requests under way with an error; the policy learns nothing from them. */
  override destroy(): Promise<void>;
  override destroy(error: Error | null): Promise<void>;
  override destroy(callback: () => void): void;
  override destroy(error: Error | null, callback: () => void): void;
  override destroy(error?: Error | null | Callback, callback?: Callback): Promise<void> | void {
    if (typeof error === "function") return this.destroy(null, error as () => void);
    this.#desk.shut();
    this.#desk.abandonExchanges();
    return settled(this.#destroy(error ?? null), callback);
  }

  /** For the router: resolves when the requests under way have ended. */
  async closePools(): Promise<void> {
    await Promise.race([this.#close(), this.#destruction]);
  }

  async #close(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => (pool.destroyed ? undefined : pool.close())));
    if (this.#agent?.destroyed === false) await this.#agent.close();
  }

  async #destroy(error: Error | null): Promise<void> {
    await Promise.all([...this.#pools, this.#agent].map((pool) => pool?.destroy(error)));
    this.#destroyed();
    await this.#router.close();
  }

  #drained(arm: number, origin: URL): void {
    if (this.#busy[arm] === 1) {
      this.#busy[arm] = 0;
      this.#busyCount--;
    }
    if (!this.#needDrain) return;
    this.#needDrain = false;
    this.emit("drain", origin);
  }
}

function settled(ending: Promise<void>, callback: Callback | undefined): Promise<void> | void {
  if (callback === undefined) return ending;
  ending.then(() => callback(null, null), callback as (error: unknown) => void);
}

/** Reports an error to the handler of a request that never began. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): false {
  if (handler.onRequestStart && handler.onResponseError) handler.onResponseError(null as never, error);
  else if (handler.onError) handler.onError(error);
  else throw error;
  return false;
}

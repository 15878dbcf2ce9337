import type { BalancedPool, RequestInit, Response } from "undici";
import type { Explanation } from "./insight/explanation.js";
import type { UrlLike } from "./model/upstream.js";
import type { RouterSnapshot } from "./state/routerSnapshot.js";
import type { Ticket } from "./tickets/ticket.js";

/** What is asked of a choice. */
export interface ChooseOptions {
  /** The kind of what is to be done. Default: one for all. */
  readonly route?: string;
  /** Upstreams that must not be chosen, such as those that were tried before. At least one other must be left. */
  readonly except?: readonly string[];
  /** The session that it belongs to: it goes where the session is, unless that has failed or is clearly worse. Default: none. */
  readonly session?: string;
}

/** Sends each request to the upstream that is best now, and learns from the answer. */
export interface Router {
  /** undici's fetch, sent to an upstream that the router chooses. The path begins with a slash. */
  fetch(path: string, init?: Omit<RequestInit, "dispatcher">): Promise<Response>;
  /** For undici's setGlobalDispatcher, for the `dispatcher` option of a request, or where a BalancedPool was. Every call returns the same one. */
  dispatcher(): BalancedPool;
  /** Chooses an upstream for anything other than HTTP, or for a request that is sent by other means. */
  choose(options?: ChooseOptions): Ticket;
  /** The upstreams as they were given. */
  readonly upstreams: readonly string[];
  /** Adds an upstream: it starts as new, and the others keep what was learned. */
  add(upstream: string | URL | UrlLike): void;
  /** Removes an upstream; the requests under way there complete. Without any upstream, choices fail until one is added. */
  remove(upstream: string | URL | UrlLike): void;
  /** What the router knows about the route of that name, or about the one that was used last. */
  explain(options?: { readonly route?: string }): Explanation;
  /** The state in Prometheus's text format. */
  metrics(): string;
  /** All that the router has learned and counted, JSON-safe. */
  snapshot(): RouterSnapshot;
  /** Refuses new choices, waits for the requests under way, forgets open tickets, and writes the state. */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

import type { BalancedPool, RequestInit, Response } from "undici";
import type { Explanation } from "./explanation.js";
import type { RouterSnapshot } from "./routerSnapshot.js";
import type { Ticket } from "./ticket.js";

/** Sends each request to the upstream that is best now, and learns from the answer. */
export interface Router {
  /** undici's fetch, sent to an upstream that the router chooses. The path begins with a slash. */
  fetch(path: string, init?: Omit<RequestInit, "dispatcher">): Promise<Response>;
  /** For undici's setGlobalDispatcher, for the `dispatcher` option of a request, or where a BalancedPool was. Every call returns the same one. */
  dispatcher(): BalancedPool;
  /** Chooses an upstream for anything other than HTTP. */
  choose(): Ticket;
  explain(): Explanation;
  /** The state in Prometheus's text format. */
  metrics(): string;
  snapshot(): RouterSnapshot;
  /** Refuses new choices, waits for the requests under way, forgets open tickets, and writes the state. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

import type { Dispatcher, RequestInit, Response } from "undici";
import type { Explanation } from "./explanation.js";
import type { RouterSnapshot } from "./routerSnapshot.js";
import type { Ticket } from "./ticket.js";

/** Sends each request to the upstream that is best now, and learns from what comes back. */
export interface Router {
  /** undici's fetch, from an upstream that the router chooses. The path begins with a slash. */
  fetch(path: string, init?: Omit<RequestInit, "dispatcher">): Promise<Response>;
  /** For undici's setGlobalDispatcher, or the option `dispatcher` of a request. The same one each time. */
  dispatcher(): Dispatcher;
  /** For anything that is not HTTP. */
  choose(): Ticket;
  explain(): Explanation;
  /** Prometheus' text format. */
  metrics(): string;
  snapshot(): RouterSnapshot;
  /** Refuses new choices, waits for the requests under way, forgets open tickets, and writes the state. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

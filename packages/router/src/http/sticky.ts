import type { Dispatcher } from "undici";
import { RouterError, show } from "../routerError.js";
import { headersOf, type RouteRule } from "./routeRule.js";

/** The key of the session that a request belongs to, of 1 to 200 characters; null if it belongs to none. */
export type StickyRule = (...request: Parameters<RouteRule>) => string | null | undefined;

/** Requests of one session stay with one upstream. */
export interface StickyOptions {
  /** For requests over HTTP; tickets name their session. */
  readonly key?: StickyRule;
  /** A session is forgotten when it was not used for this long. Default: 600 000. */
  readonly lifetimeMs?: number;
  /** More are not remembered; the one that was not used for the longest time is forgotten first. Default: 10 000. */
  readonly maxSessions?: number;
}

/** The session of a request to undici. */
export function sessionOf(rule: StickyRule, { method, path, headers }: Dispatcher.DispatchOptions): string | null {
  let key: unknown;
  try {
    key = rule({ method: method ?? "GET", path, headers: headersOf(headers) }) ?? null;
  } catch (error) {
    const message = `sticky has thrown ${show(error instanceof Error ? error.message : error)}; it must return a key, or null`;
    throw new RouterError("ERR_OPTION", "sticky", error, message, { cause: error });
  }
  if (key !== null) requireSession(key, "sticky");
  return key;
}

/** Refuses what cannot be the key of a session. */
export function requireSession(key: unknown, parameter: string): asserts key is string {
  if (typeof key === "string" && key !== "" && key.length <= 200) return;
  throw new RouterError("ERR_OPTION", parameter, key, `${parameter} must be a key of 1 to 200 characters, got ${show(key)}; hash what is longer`);
}

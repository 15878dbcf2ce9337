import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { RouterError, show } from "../routerError.js";

/** The name of the route that a request belongs to. The path is that of the request, without the base path of an upstream; names of headers are in lower case. */
export type RouteRule = (request: { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders }) => string;

/** The route of a request to undici. */
export function routeOf(rule: RouteRule, { method, path, headers }: Dispatcher.DispatchOptions): string {
  const request = { method: method ?? "GET", path, headers: headersOf(headers) };
  let name: unknown;
  try {
    name = rule(request);
  } catch (error) {
    const message = `the route function has thrown ${show(error instanceof Error ? error.message : error)}; it must return a name for every request`;
    throw new RouterError("ERR_ROUTE", "route", error, message, { cause: error });
  }
  requireRoute(name);
  return name;
}

/** Refuses what cannot be the name of a route. */
export function requireRoute(name: unknown): asserts name is string {
  if (typeof name === "string" && name !== "" && name.length <= 200) return;
  throw new RouterError("ERR_ROUTE", "route", name, `route must be a name of 1 to 200 characters, got ${show(name)}`);
}

/** The same request, with headers that can be read twice: an iterator can be read once only, and undici reads it too. */
export function rereadable(request: Dispatcher.DispatchOptions): Dispatcher.DispatchOptions {
  const { headers } = request;
  if (typeof headers !== "object" || headers === null || Array.isArray(headers) || !isIterable(headers)) return request;
  return { ...request, headers: new Set(headers) };
}

/** undici takes headers as a record, a flat list or an iterable of pairs. Anything else it refuses, in its own words, when the request is sent. */
export function headersOf(given: Dispatcher.DispatchOptions["headers"]): IncomingHttpHeaders {
  const headers: Record<string, string | string[] | undefined> = {};
  if (typeof given !== "object" || given === null) return headers;
  if (Array.isArray(given)) {
    for (let i = 0; i + 1 < given.length; i += 2) headers[String(given[i]).toLowerCase()] = String(given[i + 1]);
    return headers;
  }
  const pairs: Iterable<unknown> = isIterable(given) ? given : Object.entries(given);
  for (const pair of pairs) if (Array.isArray(pair)) headers[String(pair[0]).toLowerCase()] = pair[1];
  return headers;
}

/** Whether headers have an iterator of their own kind: one that somebody has given to all objects makes no list of a record. */
function isIterable(headers: object): headers is Iterable<never> {
  return Symbol.iterator in headers && headers[Symbol.iterator] !== (Object.prototype as Partial<Iterable<never>>)[Symbol.iterator];
}

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const REQUEST = /^[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}$/;
const TRACE = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The id that a request came with. If it has none, or one that is not in the form, it gets a new one. */
export function requestIdOf({ "x-request-id": given }: IncomingHttpHeaders): string {
  return typeof given === "string" && REQUEST.test(given) ? given : randomUUID();
}

/** The traceparent of W3C's Trace Context that a request came with; undefined if it has none in that form. */
export function traceOf({ traceparent: given }: IncomingHttpHeaders): string | undefined {
  return typeof given === "string" && TRACE.test(given) ? given : undefined;
}

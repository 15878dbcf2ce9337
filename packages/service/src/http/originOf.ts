import type { IncomingHttpHeaders } from "node:http";
import { type Origin, REQUEST, TRACE } from "../log/origin.js";

const REQUESTS = new RegExp(REQUEST);
const TRACES = new RegExp(TRACE);

/** The id and the trace that a request came with, for the log. What is not in their form is left out: neither may refuse a decision. */
export function originOf({ "x-request-id": request, traceparent: trace }: IncomingHttpHeaders): Origin {
  return {
    request: typeof request === "string" && REQUESTS.test(request) ? request : undefined,
    trace: typeof trace === "string" && TRACES.test(trace) ? trace : undefined,
  };
}

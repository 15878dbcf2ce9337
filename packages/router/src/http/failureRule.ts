import type { IncomingHttpHeaders } from "node:http";

/** Whether an answer is a failure. */
export type FailureRule = (answer: { readonly status: number; readonly headers: IncomingHttpHeaders }) => boolean;

/** What the status of an answer says about the upstream. An answer that is neither teaches nothing: it comes as fast from the worst upstream as from the best. */
export function meaningOf(status: number): "success" | "failure" | "neither" {
  if (status >= 500 || status === 408 || status === 425 || status === 429) return "failure";
  return status >= 400 ? "neither" : "success";
}

/** The seconds for which an answer asks to be left alone, by Retry-After: a number, or a date in HTTP's format; null if it does not ask. */
export function retryAfterSeconds({ "retry-after": value }: IncomingHttpHeaders): number | null {
  if (value === undefined) return null;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) > 0 ? Number(value) : null;
  // All formats of a date in HTTP have a time of day. Date.parse would read a year out of almost anything.
  if (!/\d\d:\d\d:\d\d/.test(value)) return null;
  const seconds = (Date.parse(value) - Date.now()) / 1000;
  return seconds > 0 ? seconds : null;
}

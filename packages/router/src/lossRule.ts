import type { IncomingHttpHeaders } from "node:http";

/** What a loss function is told of an answer below status 500, when its body has ended. */
export interface Answer {
  readonly upstream: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Until the end of the body. */
  readonly seconds: number;
  /** Until the headers. */
  readonly firstByte: number;
  /** The size of the body as it came over the wire. */
  readonly bytes: number;
}

export type LossFunction = (answer: Answer) => number;

/** What an answer costs: the seconds until its headers, the seconds until its end, or what a function says. */
export type LossRule = "first-byte" | "total" | LossFunction;

/** A loss rule as a word, for what is written down. */
export function lossName(rule: LossRule): string {
  return typeof rule === "function" ? "function" : rule;
}

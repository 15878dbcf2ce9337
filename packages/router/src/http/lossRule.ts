import type { IncomingHttpHeaders } from "node:http";

/** What a loss function receives: an answer that is neither a failure nor ignored, after the end of its body. */
export interface Answer {
  readonly upstream: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Until the end of the body, without the opening of a connection. */
  readonly seconds: number;
  /** Until the headers, without the opening of a connection. */
  readonly firstByteSeconds: number;
  /** The size of the body on the wire. */
  readonly bytes: number;
}

/** What an answer costs, by a function of your own. */
export type LossFunction = (answer: Answer) => number;

/** What an answer costs: the seconds until its headers, the seconds until its end, or the value of a function. */
export type LossRule = "first-byte" | "total" | LossFunction;

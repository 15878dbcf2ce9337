import { quantile } from "tsallis/statistics";
import type { Outcomes } from "./openLoop.js";

/** How a dispatcher did. Times are milliseconds on the real clock. */
export interface ServerFigures {
  /** A failure counts as the time that it took. */
  readonly mean: number;
  readonly p99: number;
  /** How many requests failed. */
  readonly failures: number;
  /** The 99th percentile of how late requests were sent. If it is far above 1, the machine was too busy for the other figures to mean anything. */
  readonly late: number;
  /** How many requests each upstream answered. */
  readonly answers: readonly number[];
}

export function serverFigures({ latencies, late, upstreams }: Outcomes, count: number): ServerFigures {
  return {
    mean: latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length,
    p99: quantile([...latencies], 0.99),
    failures: upstreams.filter((upstream) => upstream === -1).length,
    late: quantile([...late], 0.99),
    answers: Array.from({ length: count }, (_, upstream) => upstreams.filter((each) => each === upstream).length),
  };
}

import type { LoadWorld } from "./loadWorld.js";
import type { Outcomes } from "./simulateLoad.js";

/** How a rule did in a tenth of a run. */
export interface Tenth {
  /** The mean cost of a request: its latency in milliseconds, with all attempts; a failure costs at least the timeout. */
  readonly mean: number;
  /** The share of the requests that failed. */
  readonly failures: number;
}

/** How a rule did in a run, and in each tenth of its requests. */
export interface LoadPlayed extends Tenth {
  /** The 99th percentile of the costs. */
  readonly p99: number;
  readonly tenths: readonly Tenth[];
}

const TENTHS = 10;

/** Sums up a run. Where load does not matter, the mean is that of the true mean costs; as drawn, it would be mostly noise. */
export function loadPlayed(
  { requests, upstreams, timeout, means }: Pick<LoadWorld, "requests" | "upstreams" | "timeout" | "means">,
  outcomes: Outcomes,
): LoadPlayed {
  const { chosen, latencies, failed } = outcomes;
  const drawn = latencies.map((latency, request) => (failed[request] === 1 ? Math.max(latency, timeout) : latency));
  const costs = means === undefined ? drawn : drawn.map((_, request) => means[request * upstreams.length + chosen[request]!]!);
  const part = (from: number, to: number): Tenth => ({ mean: mean(costs.subarray(from, to)), failures: mean(failed.subarray(from, to)) });
  const cut = (tenth: number) => Math.floor((tenth * requests) / TENTHS);
  return {
    ...part(0, requests),
    tenths: Array.from({ length: TENTHS }, (_, i) => part(cut(i), cut(i + 1))),
    p99: drawn.slice().sort()[Math.ceil(0.99 * requests) - 1]!,
  };
}

function mean(values: Float64Array | Uint8Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

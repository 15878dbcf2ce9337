import { stream, type Xoshiro128 } from "tsallis";
import { RATE_PER_SECOND, type Scenario, TIMEOUT_MS } from "./scenarios.js";
import { shuffled } from "./shuffled.js";
import { cappedMean, factorAt } from "./upstream.js";

/**
 * A scenario with a seed: when requests come, and how long each upstream would take for each. It is drawn before any rule plays, so that all
 * rules meet the same arrivals and, where they choose alike, the same latencies (common random numbers). Each seed has its own order of the
 * upstreams, so that a rule that prefers the first has no advantage.
 */
export interface World {
  readonly upstreams: number;
  readonly requests: number;
  /** When each request is sent, in milliseconds. */
  readonly times: Float64Array;
  /** By request and upstream, at `request * upstreams + upstream`. Latencies beyond the timeout are not cut; Infinity means that the upstream hangs. */
  readonly latencies: Float64Array;
  /** The true mean of the latency cut at the timeout, at the same indices. */
  readonly means: Float64Array;
  /** The latency of an extra request. Each world has one sequence of these. */
  ping(upstream: number, at: number): number;
}

export function createWorld(scenario: Scenario, seed: number, requests: number): World {
  const random = (label: string, of = 0) => stream(seed, "bench router", scenario.name, label, of);
  const upstreams = shuffled(scenario.upstreams, random("order"));
  const progress = (at: number) => Math.min((at * RATE_PER_SECOND) / 1000 / requests, 1);
  const times = arrivals(requests, random("arrivals"));
  const latencies = new Float64Array(requests * upstreams.length);
  const means = new Float64Array(requests * upstreams.length);
  for (const [u, upstream] of upstreams.entries()) {
    const rng = random("latency", u);
    let known = Number.NaN;
    let mean = Number.NaN;
    for (let request = 0; request < requests; request++) {
      const factor = factorAt(upstream, progress(times[request]!));
      if (factor !== known) {
        known = factor;
        mean = cappedMean(upstream.distribution, factor, TIMEOUT_MS);
      }
      latencies[request * upstreams.length + u] = factor * upstream.distribution.sample(rng);
      means[request * upstreams.length + u] = mean;
    }
  }
  const pings = upstreams.map((_, u) => random("ping", u));
  const ping = (u: number, at: number) => factorAt(upstreams[u]!, progress(at)) * upstreams[u]!.distribution.sample(pings[u]!);
  return { upstreams: upstreams.length, requests, times, latencies, means, ping };
}

/** The times of a Poisson process, the first after one gap. */
function arrivals(requests: number, rng: Xoshiro128): Float64Array {
  const times = new Float64Array(requests);
  let now = 0;
  for (let request = 0; request < requests; request++) {
    now -= (Math.log(rng.open()) * 1000) / RATE_PER_SECOND;
    times[request] = now;
  }
  return times;
}

import { stream } from "tsallis";
import { shuffled } from "../worlds/shuffled.js";
import type { LoadScenario } from "./loadScenarios.js";
import { type LoadUpstream, meanCost } from "./loadUpstream.js";
import type { CreateTraffic } from "./traffic.js";

/**
 * A scenario with a seed. All that is random is drawn before any rule plays, by the numbers of the requests, and is the same for all rules. Each seed has its own
 * order of the upstreams.
 */
export interface LoadWorld {
  readonly upstreams: readonly LoadUpstream[];
  readonly requests: number;
  /** The milliseconds after which a caller gives up. */
  readonly timeout: number;
  /** How many times a caller who gave up sends the request again. */
  readonly retries: number;
  readonly traffic: CreateTraffic;
  /** The milliseconds that a request takes on a core of its own, at `request * upstreams + upstream`. A request that means much work does so everywhere. */
  readonly works: Float64Array;
  /** By request: it fails at an upstream that fails a larger share. */
  readonly luck: Float64Array;
  /** The true mean cost by request and upstream, at the indices of `works`, if load does not matter; else undefined. */
  readonly means: Float64Array | undefined;
}

export function createLoadWorld(scenario: LoadScenario, seed: number, requests: number): LoadWorld {
  const random = (label: string) => stream(seed, "bench router", scenario.name, label);
  const upstreams = shuffled(scenario.upstreams, random("order"));
  const { timeout, retries } = scenario;
  const n = upstreams.length;
  const works = new Float64Array(requests * n);
  for (const [u, { work }] of upstreams.entries()) {
    const rng = random("work");
    for (let request = 0; request < requests; request++) works[request * n + u] = work.sample(rng);
  }
  const luck = random("luck");
  return {
    upstreams,
    requests,
    timeout,
    retries,
    traffic: scenario.traffic(requests, random("traffic")),
    works,
    luck: Float64Array.from({ length: requests }, () => luck.uniform()),
    means: upstreams.every(({ cores }) => cores === Infinity) ? trueMeans(upstreams, requests, timeout) : undefined,
  };
}

function trueMeans(upstreams: readonly LoadUpstream[], requests: number, timeout: number): Float64Array {
  const means = new Float64Array(requests * upstreams.length);
  for (const [u, upstream] of upstreams.entries()) {
    for (let request = 0; request < requests; request++) means[request * upstreams.length + u] = meanCost(upstream, request / requests, timeout);
  }
  return means;
}

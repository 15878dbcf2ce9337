import type { Rule } from "../rules/rule.js";
import { AnswerQueue } from "../worlds/answerQueue.js";
import { TIMEOUT_MS } from "../worlds/scenarios.js";
import { isRefusing } from "./loadUpstream.js";
import type { LoadWorld } from "./loadWorld.js";
import { createServer } from "./server.js";

/** What became of the requests, by their numbers, which are in the order in which they were sent. */
export interface Outcomes {
  /** The upstream that each was sent to. */
  readonly chosen: Int32Array;
  /** The milliseconds until the caller had an answer or a failure. */
  readonly latencies: Float64Array;
  /** 1 for those that failed. */
  readonly failed: Uint8Array;
}

/**
 * Plays a world. The routers take turns: each sends every n-th request by its own rule, and sees only its own requests. A request that has no answer after the
 * timeout has failed, and its server works on it nevertheless.
 */
export function simulateLoad({ upstreams, requests, works, luck, traffic: createTraffic }: LoadWorld, routers: readonly Rule[]): Outcomes {
  // All requests to an upstream are on their way for the same time. A server's clock is behind by that, so that requests arrive when they are sent.
  const servers = upstreams.map(({ discipline, cores }) => createServer(discipline, cores));
  const traffic = createTraffic();
  const answers = new AnswerQueue();
  const sent = new Float64Array(requests);
  const chosen = new Int32Array(requests);
  const latencies = new Float64Array(requests).fill(Number.NaN);
  const failed = new Uint8Array(requests);
  let next = 0;
  let oldest = 0;

  function send(now: number): void {
    traffic.sent();
    const request = next++;
    const u = routers[request % routers.length]!.choose(request, now);
    const upstream = upstreams[u]!;
    sent[request] = now;
    chosen[request] = u;
    if (isRefusing(upstream, request / requests)) {
      failed[request] = 1;
      answers.push(now + upstream.refuses.after, request);
    } else {
      if (luck[request]! < upstream.fails) failed[request] = 1;
      servers[u]!.accept(now, request, works[request * upstreams.length + u]!);
    }
  }

  function settle(request: number, now: number, latency: number): void {
    latencies[request] = latency;
    routers[request % routers.length]!.answered(request, chosen[request]!, now, latency, failed[request] === 1);
    traffic.settled(request, now);
  }

  for (;;) {
    while (oldest < next && !Number.isNaN(latencies[oldest]!)) oldest++;
    if (oldest === requests) return { chosen, latencies, failed };
    let first = 0;
    for (let u = 1; u < servers.length; u++) if (servers[u]!.next < servers[first]!.next) first = u;
    const timeout = oldest < next ? sent[oldest]! + TIMEOUT_MS : Infinity;
    const sending = next < requests ? traffic.next : Infinity;
    const now = Math.min(servers[first]!.next, answers.next, timeout, sending);
    if (servers[first]!.next === now) answers.push(now + upstreams[first]!.roundTrip, servers[first]!.finish());
    else if (answers.next === now) {
      const request = answers.pop();
      if (Number.isNaN(latencies[request]!)) settle(request, now, now - sent[request]!);
    } else if (timeout === now) {
      failed[oldest] = 1;
      settle(oldest, now, TIMEOUT_MS);
    } else send(now);
  }
}

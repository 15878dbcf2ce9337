import type { Rule } from "../rules/rule.js";
import { AnswerQueue } from "../worlds/answerQueue.js";
import { hanging } from "./hanging.js";
import { isRefusing } from "./loadUpstream.js";
import type { LoadWorld } from "./loadWorld.js";
import { createServer } from "./server.js";

/** How long a server takes for the answer that it has too many requests. */
const LIMIT_MS = 1;

/** What became of the requests, by their numbers, which are in the order in which they were sent. */
export interface Outcomes {
  /** The upstream that each was sent to, the last time. */
  readonly chosen: Int32Array;
  /** The milliseconds until the caller had an answer, or a failure and no further attempt. */
  readonly latencies: Float64Array;
  /** 1 for those that failed. */
  readonly failed: Uint8Array;
}

/** A request that is sent, for the first time or again. Rules, servers and answers know it by a number of its own, in the order of sending. */
interface Attempt {
  readonly request: number;
  /** How many were before it. */
  readonly nth: number;
  readonly upstream: number;
  readonly sent: number;
  failed: boolean;
  settled: boolean;
}

/**
 * Plays a world. The routers take turns: each sends every n-th request by its own rule, and sees only its own requests. A request that has no answer after the
 * timeout has failed, and its server works on it nevertheless; if it is sent again then, by the same router, that is another request to the rule.
 */
export function simulateLoad(world: LoadWorld, routers: readonly Rule[]): Outcomes {
  const { upstreams, requests, works, luck, retries, timeout } = world;
  // All requests to an upstream are on their way for the same time. A server's clock is behind by that, so that requests arrive when they are sent.
  const servers = upstreams.map(({ discipline, cores, hangs }) => hanging(createServer(discipline, cores), hangs));
  const present = new Int32Array(upstreams.length);
  const traffic = world.traffic();
  const answers = new AnswerQueue();
  const chosen = new Int32Array(requests);
  const latencies = new Float64Array(requests);
  const failed = new Uint8Array(requests);
  const attempts: Attempt[] = [];
  let next = 0;
  let oldest = 0;

  function send(request: number, nth: number, now: number): void {
    const number = attempts.length;
    const u = routers[request % routers.length]!.choose(number, now);
    const upstream = upstreams[u]!;
    const attempt = { request, nth, upstream: u, sent: now, failed: luck[request]! < upstream.fails, settled: false };
    attempts.push(attempt);
    if (isRefusing(upstream, request / requests)) {
      attempt.failed = true;
      answers.push(now + upstream.refuses.after, number);
    } else if (present[u]! >= upstream.limit) {
      attempt.failed = true;
      answers.push(now + LIMIT_MS + upstream.roundTrip, number);
    } else {
      present[u]!++;
      servers[u]!.accept(now, number, works[request * upstreams.length + u]!);
    }
  }

  function settle(number: number, now: number, latency: number): void {
    const attempt = attempts[number]!;
    const { request, nth, upstream } = attempt;
    attempt.settled = true;
    chosen[request] = upstream;
    latencies[request] = nth * timeout + latency;
    failed[request] = attempt.failed ? 1 : 0;
    routers[request % routers.length]!.answered(number, upstream, now, latency, attempt.failed);
  }

  for (;;) {
    while (oldest < attempts.length && attempts[oldest]!.settled) oldest++;
    if (next === requests && oldest === attempts.length) return { chosen, latencies, failed };
    let first = 0;
    for (let u = 1; u < servers.length; u++) if (servers[u]!.next < servers[first]!.next) first = u;
    const givingUp = oldest < attempts.length ? attempts[oldest]!.sent + timeout : Infinity;
    const sending = next < requests ? traffic.next : Infinity;
    const now = Math.min(servers[first]!.next, answers.next, givingUp, sending);
    if (servers[first]!.next === now) {
      present[first]!--;
      answers.push(now + upstreams[first]!.roundTrip, servers[first]!.finish());
    } else if (answers.next === now) {
      const number = answers.pop();
      const { request, sent, settled } = attempts[number]!;
      if (settled) continue;
      settle(number, now, now - sent);
      traffic.settled(request, now);
    } else if (givingUp === now) {
      const attempt = attempts[oldest]!;
      attempt.failed = true;
      settle(oldest, now, timeout);
      if (attempt.nth < retries) send(attempt.request, attempt.nth + 1, now);
      else traffic.settled(attempt.request, now);
    } else {
      traffic.sent();
      send(next++, 0, now);
    }
  }
}

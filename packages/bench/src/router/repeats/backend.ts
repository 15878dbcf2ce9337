import type { LoadWorld } from "../load/loadWorld.js";
import { createServer } from "../load/server.js";
import { AnswerQueue } from "../worlds/answerQueue.js";
import type { World } from "../worlds/world.js";

/** What answers attempts, which are numbers in the order of sending. Times are in milliseconds. */
export interface Backend {
  readonly upstreams: number;
  readonly requests: number;
  readonly timeout: number;
  /** When request `request` is made. */
  time(request: number): number;
  /** When the next attempt is answered; Infinity if none is. */
  readonly next: number;
  send(now: number, attempt: number, request: number, upstream: number, isSecond: boolean): void;
  /** Takes out the attempt that is answered at `next`. */
  take(): number;
}

/** A world where load does not matter: each upstream has a latency of its own for each request. */
export function worldBackend({ upstreams, requests, times, latencies }: World, timeout: number): Backend {
  const answers = new AnswerQueue();
  return {
    upstreams,
    requests,
    timeout,
    time: (request) => times[request]!,
    get next() {
      return answers.next;
    },
    send(now, attempt, request, upstream) {
      const latency = latencies[request * upstreams + upstream]!;
      if (latency < Infinity) answers.push(now + latency, attempt);
    },
    take: () => answers.pop(),
  };
}

/**
 * A world with load. The work of a request is the same everywhere there, so a second attempt would only repeat it; with `isOwn` each attempt has work of its own, as when a server
 * is slow for a moment. A server works on what was given up nevertheless.
 */
export function loadBackend(world: LoadWorld, isOwn: boolean): Backend {
  const { upstreams, requests, works, timeout } = world;
  const servers = upstreams.map(({ discipline, cores }) => createServer(discipline, cores));
  const traffic = world.traffic();
  const times = Float64Array.from({ length: requests }, () => {
    const { next } = traffic;
    traffic.sent();
    return next;
  });
  const answers = new AnswerQueue();
  const finish = (until: number) => {
    for (;;) {
      let first = 0;
      for (let u = 1; u < servers.length; u++) if (servers[u]!.next < servers[first]!.next) first = u;
      const { next } = servers[first]!;
      if (next === Infinity || next > until) return;
      answers.push(next + upstreams[first]!.roundTrip, servers[first]!.finish());
    }
  };
  return {
    upstreams: upstreams.length,
    requests,
    timeout,
    time: (request) => times[request]!,
    get next() {
      return Math.min(answers.next, ...servers.map((server) => server.next));
    },
    send(now, attempt, request, upstream, isSecond) {
      finish(now);
      const drawn = isSecond && isOwn ? (request + Math.floor(requests / 2)) % requests : request;
      servers[upstream]!.accept(now, attempt, works[drawn * upstreams.length + upstream]!);
    },
    take() {
      finish(this.next);
      return answers.pop();
    },
  };
}

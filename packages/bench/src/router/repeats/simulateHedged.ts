import { createRouter, type Ticket } from "@tsallis/router";
import { Hedge } from "../../../../router/dist/http/hedge.js";
import { AnswerQueue } from "../worlds/answerQueue.js";
import type { Backend } from "./backend.js";

/** An upstream has room while its latency is at most this many times that at rest; as in the router. */
const ROOM = 1.05;

export interface Hedged {
  readonly mean: number;
  readonly p99: number;
  /** The share of the requests that was sent twice. */
  readonly hedged: number;
}

interface Attempt {
  readonly request: number;
  readonly ticket: Ticket;
  readonly sent: number;
  readonly isSecond: boolean;
}

/** Plays the router through its tickets, with hedges as its dispatcher makes them, or without. A request that is not answered costs the timeout. */
export function simulateHedged(backend: Backend, seed: number, budget: number | null): Hedged {
  const { upstreams, requests, timeout } = backend;
  let time = 0;
  const names = Array.from({ length: upstreams }, (_, i) => String(i));
  const router = createRouter({
    upstreams: names,
    timeoutMs: timeout,
    lossIsElapsedSeconds: true,
    roundsPerSecond: 2000,
    seed,
    clockSeconds: () => time,
  });
  const hedge = budget === null ? null : new Hedge({ quantile: 0.95, budget });
  const lateness = hedge?.lateness("default");
  const attempts: Attempt[] = [];
  const open = Array.from({ length: requests }, (): Set<number> => new Set());
  const latencies = new Float64Array(requests).fill(timeout);
  const settled = new Uint8Array(requests);
  const hedges = new Uint8Array(requests);
  const knownLate = new Uint8Array(requests);
  const deadlines = new AnswerQueue();
  const timeouts = new AnswerQueue();

  function send(request: number, now: number, except: string[], isSecond: boolean): void {
    const ticket = router.choose({ except });
    const number = attempts.push({ request, ticket, sent: now, isSecond }) - 1;
    open[request]!.add(number);
    backend.send(now, number, request, Number(ticket.upstream), isSecond);
    timeouts.push(now + timeout, number);
    if (!isSecond && lateness?.deadline != null) deadlines.push(now + 1000 * lateness.deadline, number);
  }

  function answered(number: number, now: number): void {
    const { request, ticket, sent, isSecond } = attempts[number]!;
    if (!open[request]!.delete(number)) return;
    ticket.done((now - sent) / 1000);
    settled[request] = 1;
    latencies[request] = now - backend.time(request);
    if (hedges[request] === 1) hedge!.ended(isSecond);
    if (isSecond) {
      lateness!.observeUpstream(ticket.upstream, now - sent > 1000 * lateness!.deadline!);
    } else if (knownLate[request] === 0) lateness?.observe(ticket.upstream, (now - sent) / 1000);
    for (const other of open[request]!) attempts[other]!.ticket.overtaken();
    open[request]!.clear();
  }

  function late(number: number, now: number): void {
    const { request, ticket } = attempts[number]!;
    if (settled[request] === 1 || !open[request]!.has(number)) return;
    knownLate[request] = 1;
    lateness!.observe(ticket.upstream, null);
    const slow = router.explain().upstreams.filter(({ upstream, load }) => lateness!.isSlow(upstream) || load!.factor > ROOM);
    const except = [...new Set([ticket.upstream, ...slow.map(({ upstream }) => upstream)])];
    if (!hedge!.take(upstreams - except.length)) return;
    hedges[request] = 1;
    send(request, now, except, true);
  }

  let next = 0;
  for (;;) {
    const sending = next < requests ? backend.time(next) : Infinity;
    const now = Math.min(backend.next, deadlines.next, timeouts.next, sending);
    if (now === Infinity) break;
    time = now / 1000;
    if (backend.next === now) answered(backend.take(), now);
    else if (deadlines.next === now) late(deadlines.pop(), now);
    else if (timeouts.next === now) {
      const number = timeouts.pop();
      const { request, ticket } = attempts[number]!;
      if (open[request]!.delete(number)) ticket.failed();
    } else {
      hedge?.budget.earn();
      send(next++, now, [], false);
    }
  }
  const mean = latencies.reduce((a, b) => a + b) / requests;
  return { mean, p99: latencies.sort()[Math.ceil(0.99 * requests) - 1]!, hedged: (attempts.length - requests) / requests };
}

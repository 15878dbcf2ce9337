import type { Rule } from "../rules/rule.js";
import { AnswerQueue } from "./answerQueue.js";
import { TIMEOUT } from "./scenarios.js";
import type { World } from "./world.js";

/** What a rule made of a world, milliseconds. */
export interface Played {
  /** The mean over the requests of the true mean of the upstream that each went to: the mean of what was drawn is mostly noise under heavy tails. */
  readonly mean: number;
  /** The 99th percentile of the latencies as they were drawn; a failure took the timeout. */
  readonly p99: number;
}

/** Sends every request of a world where a rule says, and tells the rule of each answer when it comes. Whatever is in flight after the last request is still answered. */
export function simulate({ upstreams, requests, times, latencies, means }: World, rule: Rule): Played {
  const inFlight = new AnswerQueue();
  const chosen = new Int32Array(requests);
  const waited = new Float64Array(requests);
  let sum = 0;

  function answerUntil(now: number): void {
    while (inFlight.next <= now) {
      const at = inFlight.next;
      const request = inFlight.pop();
      const latency = latencies[request * upstreams + chosen[request]!]!;
      rule.answered(request, chosen[request]!, at, waited[request]!, latency > TIMEOUT);
    }
  }

  for (let request = 0; request < requests; request++) {
    const now = times[request]!;
    answerUntil(now);
    const upstream = rule.choose(request, now);
    const cell = request * upstreams + upstream;
    chosen[request] = upstream;
    waited[request] = Math.min(latencies[cell]!, TIMEOUT);
    sum += means[cell]!;
    inFlight.push(now + waited[request]!, request);
  }
  answerUntil(Number.MAX_VALUE);
  return { mean: sum / requests, p99: waited.sort()[Math.ceil(0.99 * requests) - 1]! };
}

import type { Rule } from "../rules/rule.js";
import { AnswerQueue } from "./answerQueue.js";
import { TIMEOUT_MS } from "./scenarios.js";
import type { World } from "./world.js";

/** How a rule did in a world, in milliseconds. */
export interface Played {
  /** The mean over all requests of the true mean latency of the chosen upstream. Under heavy tails, the mean of the drawn latencies would be mostly noise. */
  readonly mean: number;
  /** The 99th percentile of the drawn latencies; a failure counts as the timeout. */
  readonly p99: number;
}

/** Sends every request of a world to the upstream that a rule chooses, and reports each answer to the rule when it comes. Requests still in flight after the last one are answered too. */
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
      rule.answered(request, chosen[request]!, at, waited[request]!, latency > TIMEOUT_MS);
    }
  }

  for (let request = 0; request < requests; request++) {
    const now = times[request]!;
    answerUntil(now);
    const upstream = rule.choose(request, now);
    const cell = request * upstreams + upstream;
    chosen[request] = upstream;
    waited[request] = Math.min(latencies[cell]!, TIMEOUT_MS);
    sum += means[cell]!;
    inFlight.push(now + waited[request]!, request);
  }
  answerUntil(Number.MAX_VALUE);
  return { mean: sum / requests, p99: waited.sort()[Math.ceil(0.99 * requests) - 1]! };
}

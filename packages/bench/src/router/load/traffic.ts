import type { Rng } from "tsallis";
import { AnswerQueue } from "../worlds/answerQueue.js";

/** When requests are sent, in milliseconds. */
export interface Traffic {
  /** When the next request is sent. In a closed loop that may be Infinity: all wait for answers. */
  readonly next: number;
  /** Notes that the request of `next` is sent. */
  sent(): void;
  /** Notes that a request has its answer or has failed. */
  settled(request: number, now: number): void;
}

/** The traffic of one run, drawn before any rule plays; each call starts it again. */
export type CreateTraffic = () => Traffic;

/** Random arrivals, whatever is in flight (a Poisson process). `rate` is in requests per second and depends on the time, and `most` is its maximum. */
export function openLoop(requests: number, rng: Rng, most: number, rate: (now: number) => number = () => most): CreateTraffic {
  const times = new Float64Array(requests + 1).fill(Infinity);
  let now = 0;
  for (let request = 0; request < requests; ) {
    now -= (Math.log(rng.open()) * 1000) / most;
    // Thinning (Lewis and Shedler 1979): of the arrivals at the highest rate, the share that the rate of the moment has of it stays.
    if (rng.uniform() * most < rate(now)) times[request++] = now;
  }
  return () => {
    let at = 0;
    return {
      get next() {
        return times[at]!;
      },
      sent() {
        at++;
      },
      settled() {},
    };
  };
}

/** Clients that each send a request, wait for its answer, and think for an exponential time before the next. They begin by thinking. */
export function closedLoop(requests: number, rng: Rng, clients: number, thinkTime: number): CreateTraffic {
  const think = () => -Math.log(rng.open()) * thinkTime;
  const first = Float64Array.from({ length: clients }, think);
  const thoughts = Float64Array.from({ length: requests }, think);
  return () => {
    const sends = new AnswerQueue();
    for (const [client, time] of first.entries()) sends.push(time, client);
    return {
      get next() {
        return sends.next;
      },
      sent() {
        sends.pop();
      },
      settled(request, now) {
        sends.push(now + thoughts[request]!, request);
      },
    };
  };
}

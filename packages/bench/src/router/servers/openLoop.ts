import { setTimeout } from "node:timers/promises";

/** The outcomes of the requests, by their numbers. */
export interface Outcomes {
  /** Milliseconds from the moment at which a request was due until the end of its answer or its failure. */
  readonly latencies: Float64Array;
  /** How many of these milliseconds had passed when the request was sent, because this process was busy. */
  readonly late: Float64Array;
  /** The upstream that answered, or -1 for a failure. */
  readonly upstreams: Int32Array;
}

/**
 * Sends request i at `times[i]` milliseconds after the start, no matter how many are still in flight: an open loop. In a closed loop, each of a number of
 * clients waits for an answer before it sends again. That would send less while things are slow, and so hide the very latencies to be measured.
 */
export async function openLoop(times: Float64Array, send: (request: number) => Promise<number>, signal: AbortSignal): Promise<Outcomes> {
  const latencies = new Float64Array(times.length);
  const late = new Float64Array(times.length);
  const upstreams = new Int32Array(times.length).fill(-1);
  const start = performance.now();

  const sinceDue = (request: number) => performance.now() - start - times[request]!;

  async function follow(request: number): Promise<void> {
    late[request] = sinceDue(request);
    try {
      upstreams[request] = await send(request);
    } catch {
      // A failure is an outcome too.
    }
    latencies[request] = sinceDue(request);
  }

  const underWay: Promise<void>[] = [];
  while (underWay.length < times.length) {
    const wait = -sinceDue(underWay.length);
    if (wait > 0) await setTimeout(wait, undefined, { signal });
    else underWay.push(follow(underWay.length));
  }
  await Promise.all(underWay);
  signal.throwIfAborted();
  return { latencies, late, upstreams };
}

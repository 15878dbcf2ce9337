/**
 * The workers of a server: each works on one request at a time, and the other requests wait in the order of their arrival. Returns a function that takes a new
 * request: when it comes and how long a worker takes for it, in milliseconds, give the milliseconds until it is done. That is known as soon as it comes, since
 * the next in line gets the worker that is free first (the recursion of Kiefer and Wolfowitz 1955); so timers that are late do not add up in the queue.
 */
export function createWorkers(count: number): (now: number, work: number) => number {
  const free = new Float64Array(count).fill(-Infinity);
  return (now, work) => {
    const first = free.indexOf(Math.min(...free));
    const wait = Math.max(0, free[first]! - now);
    free[first] = now + wait + work;
    return wait + work;
  };
}

import type { Distribution } from "tsallis";
import type { Course } from "./course.js";

/** A service in simulated time: latencies in milliseconds, drawn from a law and multiplied with the factor of the moment at which the request is sent. */
export interface Upstream {
  readonly law: Distribution;
  /** Left out: 1 all the time. Infinity: it hangs. */
  readonly course?: Course;
}

export function factorAt({ course }: Upstream, progress: number): number {
  return course === undefined ? 1 : course(progress);
}

/** E min(factor X, timeout), exactly: what a request costs in the mean. */
export function cappedMean(law: Distribution, factor: number, timeout: number): number {
  if (factor === Infinity) return timeout;
  const cap = timeout / factor;
  return factor * law.partialMean(0, cap) + timeout * law.survival(cap);
}

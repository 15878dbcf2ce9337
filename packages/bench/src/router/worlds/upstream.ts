import type { Distribution } from "tsallis";
import type { Course } from "./course.js";

/** A service in simulated time. Its latencies, in milliseconds, are drawn from a distribution and multiplied by the factor of the moment at which the request is sent. */
export interface Upstream {
  readonly distribution: Distribution;
  /** Without it, the factor is always 1. A factor of Infinity means that the upstream hangs. */
  readonly course?: Course;
}

export function factorAt({ course }: Upstream, progress: number): number {
  return course === undefined ? 1 : course(progress);
}

/** E min(factor X, timeout), exactly: the mean cost of a request. */
export function cappedMean(distribution: Distribution, factor: number, timeout: number): number {
  if (factor === Infinity) return timeout;
  const cap = timeout / factor;
  return factor * distribution.partialMean(0, cap) + timeout * distribution.survival(cap);
}

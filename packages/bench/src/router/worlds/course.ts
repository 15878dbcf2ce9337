/** The factor that multiplies an upstream's latencies when a share in [0, 1] of the run is over. */
export type Course = (progress: number) => number;

/** One factor after the other, each for an equal part of the run. */
export function steps(...factors: readonly number[]): Course {
  return (progress) => factors[Math.min(Math.floor(progress * factors.length), factors.length - 1)]!;
}

/** A factor from one moment to another, and 1 before and after. */
export function during(from: number, to: number, factor: number): Course {
  return (progress) => (progress >= from && progress < to ? factor : 1);
}

/** A straight line from one factor at the start to another at the end. */
export function drift(from: number, to: number): Course {
  return (progress) => from + (to - from) * progress;
}

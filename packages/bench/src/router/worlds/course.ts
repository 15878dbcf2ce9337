/** What an upstream's latencies are multiplied with, at a share of the run in [0, 1]. */
export type Course = (progress: number) => number;

/** One factor after the other, each for an equal part of the run. */
export function steps(...factors: readonly number[]): Course {
  return (progress) => factors[Math.min(Math.floor(progress * factors.length), factors.length - 1)]!;
}

/** Another factor from one moment to another, 1 before and after. */
export function during(from: number, to: number, factor: number): Course {
  return (progress) => (progress >= from && progress < to ? factor : 1);
}

/** From one factor at the start in a straight line to another at the end. */
export function drift(from: number, to: number): Course {
  return (progress) => from + (to - from) * progress;
}

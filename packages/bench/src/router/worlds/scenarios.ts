// The scenarios (a) to (h). They were written down from these sentences before any rule was run on them, and are not tuned to any rule.
// Latencies are in milliseconds. Where the sentence says nothing about tails, they are log-normal with scale 0.8: the 99th percentile is six times the median.
import { type Distribution, logNormal, pareto, shifted, weibull } from "tsallis";
import { drift, during, steps } from "./course.js";
import type { Upstream } from "./upstream.js";

export interface Scenario {
  /** A letter, for the headers of tables. */
  readonly name: string;
  readonly description: string;
  readonly upstreams: readonly Upstream[];
}

/** A request that takes longer than this fails. */
export const TIMEOUT_MS = 5_000;
/** Requests arrive at random (a Poisson process) at this rate, so that some tens are in flight. */
export const RATE_PER_SECOND = 100;

const MEDIANS_MS = [100, 140, 180, 220];

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "a",
    description: "the lowest median has the worst mean: one upstream is Pareto 1.2, three are log-normal",
    upstreams: [{ distribution: pareto({ shape: 1.2, scale: 60 }) }, ...[130, 160, 190].map((median) => ({ distribution: typical(median, 0.3) }))],
  },
  {
    name: "b",
    description: "five upstreams, Pareto 1.6 of different scales",
    upstreams: [80, 100, 120, 160, 200].map((scale) => ({ distribution: pareto({ shape: 1.6, scale }) })),
  },
  {
    name: "c",
    description: "four upstreams, Pareto 1.8, five regime switches: each time another becomes the best, and the best so far slow",
    upstreams: [
      steps(80, 240, 120, 160, 80, 160),
      steps(120, 80, 240, 120, 160, 80),
      steps(160, 120, 80, 240, 120, 240),
      steps(240, 160, 160, 80, 240, 120),
    ].map((course) => ({ distribution: pareto({ shape: 1.8, scale: 1 }), course })),
  },
  {
    name: "d",
    description: "four upstreams with light tails: 80 ms and an exponential time",
    upstreams: [20, 40, 60, 80].map((mean) => ({ distribution: shifted({ by: 80, of: weibull({ shape: 1, scale: mean }) }) })),
  },
  {
    name: "e",
    description: "four upstreams, and the best one hangs for a tenth of the run",
    upstreams: MEDIANS_MS.map((median, i) =>
      i === 0 ? { distribution: typical(median), course: during(0.4, 0.5, Infinity) } : { distribution: typical(median) },
    ),
  },
  {
    name: "f",
    description: "four upstreams, and all are five times as slow for a fifth of the run",
    upstreams: MEDIANS_MS.map((median) => ({ distribution: typical(median), course: during(0.4, 0.6, 5) })),
  },
  {
    name: "g",
    description: "twenty upstreams, medians 100 to 290 ms",
    upstreams: Array.from({ length: 20 }, (_, i) => ({ distribution: typical(100 + 10 * i) })),
  },
  {
    name: "h",
    description: "a slow drift: the best of four becomes the worst, the worst the best, and a third is best in between",
    upstreams: [drift(100, 250), drift(250, 100), () => 160, () => 220].map((course) => ({ distribution: typical(1), course })),
  },
];

function typical(median: number, scale = 0.8): Distribution {
  return logNormal({ location: Math.log(median), scale });
}

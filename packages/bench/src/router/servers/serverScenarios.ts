// The scenarios for the real servers. The distributions were written down before any dispatcher was run on them, in the same units as the simulated scenarios. On the
// real clock everything is SPEED times as fast, so that a scenario takes seconds. SPEED was chosen by trial, so that two cores can keep up.
import { logNormal, pareto } from "tsallis";
import { during, steps } from "../worlds/course.js";
import type { Scenario } from "../worlds/scenarios.js";

/** How many milliseconds of a scenario pass in one real millisecond. */
export const SPEED = 4;

export const SERVER_SCENARIOS: readonly Scenario[] = [
  {
    name: "scales",
    description: "five upstreams, Pareto 1.6 of different scales",
    upstreams: [80, 100, 120, 160, 200].map((scale) => ({ distribution: pareto({ shape: 1.6, scale }) })),
  },
  {
    name: "slow",
    description: "four upstreams, Pareto 1.8 of different scales, and in the middle the best one becomes four times as slow",
    upstreams: [80, 120, 160, 240].map((scale, i) => ({ distribution: pareto({ shape: 1.8, scale }), course: i === 0 ? steps(1, 4) : () => 1 })),
  },
  {
    name: "hang",
    description: "four upstreams, log-normal, and the best one never answers for a fifth of the run",
    upstreams: [100, 140, 180, 220].map((median, i) => ({
      distribution: logNormal({ location: Math.log(median), scale: 0.8 }),
      course: i === 0 ? during(0.4, 0.6, Infinity) : () => 1,
    })),
  },
];

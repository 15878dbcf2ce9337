import { completeExperiment, type Experiment } from "@tsallis/lab";

export const ARMS = 10;
const SHAPE = 2.2;

/** Ten arms with the distributions of the benchmark's losses: Lomax of tail index 2.2 and mean 1, arm 0 half as large. */
export const WORLD = {
  environment: "stochastic",
  alpha: 1.5,
  arms: Array.from({ length: ARMS }, (_, arm) => ({ distribution: "lomax", shape: SHAPE, scale: (SHAPE - 1) * (arm === 0 ? 0.5 : 1) })),
};

/** The experiment on which executors are timed: HTINF alone in that world. */
export function labExperiment(horizon: number, seeds: number): Experiment {
  return completeExperiment({
    name: "bench",
    horizon,
    seeds,
    environments: { world: WORLD },
    policies: { htinf: { policy: "htinf", alpha: "promised", sigma: "promised" } },
  });
}

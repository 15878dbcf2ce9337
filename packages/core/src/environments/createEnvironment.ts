import { withDistributions } from "../distributions/createDistribution.js";
import { lookUp } from "../registry.js";
import type { Environment } from "./environment.js";
import { ENVIRONMENTS } from "./table.js";

/**
 * Creates the environment that a spec describes, with the noise of a seed: `createEnvironment({ environment: "stochastic", alpha: 1.5, arms: [...] }, 7)`.
 * Distributions inside the spec may be specs or Distribution objects. `path` is put before each name in messages: `environments[1].`
 *
 * @example
 * ```ts
 * import { createEnvironment } from "tsallis";
 *
 * const arms = [1.2, 1].map((scale) => ({ distribution: "pareto", shape: 1.5, scale }));
 * const world = createEnvironment({ environment: "stochastic", alpha: 1.4, arms }, 7);
 * console.log(world.gaps?.map((gap) => gap.toFixed(2)), world.loss(1, 0) === world.loss(1, 0)); // [ '0.60', '0.00' ] true
 * ```
 */
export function createEnvironment(spec: unknown, seed: number, path = ""): Environment {
  const { entry, options } = lookUp("environment", ENVIRONMENTS, spec, path);
  return entry.create(withDistributions(entry.parameters, options, path), seed, path);
}

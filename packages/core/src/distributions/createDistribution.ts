import { isDetailedDistribution, type Parameters } from "../parameters.js";
import { lookUp } from "../registry.js";
import type { DetailedDistribution } from "./distribution.js";
import { DISTRIBUTIONS } from "./table.js";

/**
 * Creates the distribution that a spec describes: `{ distribution: "pareto", shape: 1.5, scale: 1 }`. Distributions inside it may be specs or Distribution objects.
 * `path` is put before each name in messages: `arms[2].`
 *
 * @example
 * ```ts
 * import { createDistribution } from "tsallis";
 *
 * const distribution = createDistribution({ distribution: "pareto", shape: 1.5, scale: 1 });
 * console.log(distribution.mean, distribution.truncatedNonNegative); // 3 true
 * ```
 */
export function createDistribution(spec: unknown, path = ""): DetailedDistribution {
  const { entry, options } = lookUp("distribution", DISTRIBUTIONS, spec, path);
  return entry.create(withDistributions(entry.parameters, options, path), path);
}

/** The options with every spec of a distribution replaced by the distribution, wherever the parameter table expects one. */
export function withDistributions(parameters: Parameters, options: Readonly<Record<string, unknown>>, path: string): Record<string, unknown> {
  const built = { ...options };
  for (const [key, { type }] of Object.entries(parameters)) {
    const given = options[key];
    if (type === "distribution" && given !== undefined) built[key] = distributionOf(given, `${path}${key}`);
    if (type === "distributions" && Array.isArray(given))
      built[key] = given.map((distribution, i) => distributionOf(distribution, `${path}${key}[${i}]`));
  }
  return built;
}

/** Objects that already are distributions are returned unchanged. Foreign ones are too: the check of the parameters refuses them by name. */
function distributionOf(value: unknown, name: string): unknown {
  const foreign = typeof (value as { sample?: unknown } | null)?.sample === "function";
  return isDetailedDistribution(value) || foreign ? value : createDistribution(value, `${name}.`);
}

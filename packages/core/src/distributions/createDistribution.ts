import { lookUp } from "../registry.js";
import type { Distribution } from "./distribution.js";
import { DISTRIBUTIONS } from "./table.js";

/**
 * The distribution that a spec describes: `{ distribution: "pareto", shape: 1.5, scale: 1 }`. Laws inside it may be specs or Distribution objects.
 * `path` goes before each name in messages: `arms[2].`
 */
export function createDistribution(spec: unknown, path = ""): Distribution {
  const { entry, options } = lookUp("distribution", DISTRIBUTIONS, spec, path);
  for (const [key, { type }] of Object.entries(entry.parameters)) {
    const given = options[key];
    if (given === undefined) continue;
    if (type === "distribution") options[key] = nested(given, `${path}${key}.`);
    if (type === "distributions" && Array.isArray(given)) options[key] = given.map((law, i) => nested(law, `${path}${key}[${i}].`));
  }
  return entry.create(options, path);
}

function nested(value: unknown, path: string): Distribution {
  const isObject = typeof (value as Distribution | null)?.sample === "function";
  return isObject ? (value as Distribution) : createDistribution(value, path);
}

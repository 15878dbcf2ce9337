import type { Distribution } from "../distributions/distribution.js";
import type { EnvironmentSpec } from "./environment.js";

/** Turns completed options into the JSON that makes the same environment again: distributions become their specs. */
export function environmentSpec(name: string, options: Readonly<Record<string, unknown>>): EnvironmentSpec {
  const spec: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(options)) spec[key] = plain(value);
  return Object.freeze({ environment: name, ...spec });
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(plain));
  return typeof value === "object" && value !== null ? (value as Distribution).spec : value;
}

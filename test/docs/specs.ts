import * as tsallis from "../../packages/core/src/index.js";

const CREATE: Readonly<Record<string, (spec: object) => unknown>> = {
  policy: (spec) => tsallis.createPolicy(spec, 3),
  distribution: (spec) => tsallis.createDistribution(spec),
  environment: (spec) => tsallis.createEnvironment(spec, 1),
};

/** Creates every policy, distribution and environment that a JSON value describes; returns their number. Throws if one is refused. */
export function makeSpecs(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, item) => sum + makeSpecs(item), 0);
  // A Choice also has a policy (a policy's id); its round tells it apart.
  const kind = "round" in value ? undefined : Object.keys(CREATE).find((key) => typeof (value as Record<string, unknown>)[key] === "string");
  if (kind === undefined) return inner;
  CREATE[kind]!(value);
  return inner + 1;
}

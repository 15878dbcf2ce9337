import { POLICIES, type PolicySpec } from "tsallis";

/**
 * The parameters that a policy needs to know, in words: alpha, sigma, the horizon, and any other parameter without a default. Assumptions of the
 * policy do not count here.
 */
export function requiredParameters({ policy }: PolicySpec): string {
  const parameters = Object.hasOwn(POLICIES, policy) ? Object.entries(POLICIES[policy]!.parameters) : [];
  const asked = parameters.filter(([, parameter]) => !("default" in parameter || "optional" in parameter)).map(([name]) => name);
  return asked.join(", ") || "nothing";
}

import { POLICIES, type PolicySpec } from "tsallis";

/** What a policy has to be told, in words: alpha, sigma, the horizon, and whatever other parameter has no default. What it takes for granted is no matter here. */
export function toldTo({ policy }: PolicySpec): string {
  const parameters = Object.hasOwn(POLICIES, policy) ? Object.entries(POLICIES[policy]!.parameters) : [];
  const asked = parameters.filter(([, parameter]) => !("default" in parameter || "optional" in parameter)).map(([name]) => name);
  return asked.join(", ") || "nothing";
}

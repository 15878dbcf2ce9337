import { POLICIES, type PolicySpec, TsallisError } from "tsallis";
import { PROMISED } from "./schema.js";

/** The policies that the registry marks as default, told the truth. */
export function defaultPolicies(): Record<string, PolicySpec> {
  const names = Object.keys(POLICIES).filter((name) => POLICIES[name]!.default);
  return Object.fromEntries(names.map((name) => [name, promisedSpec(name)]));
}

/**
 * The policies that a command line names, by label: a label of the document stands for the document's policy, another name for the registry's, told the
 * truth. A spec stands for itself, and the name in it becomes its label.
 */
export function namedPolicies(wanted: readonly (string | PolicySpec)[], ofDocument: unknown): Record<string, unknown> {
  const labelled = ofDocument === "default" ? defaultPolicies() : Object(ofDocument);
  const policies: Record<string, unknown> = {};
  for (const each of wanted) {
    const label = typeof each === "string" ? each : String(each.policy);
    if (Object.hasOwn(policies, label)) {
      const message = `the policy ${label} is named twice; a document can have it twice, under two labels`;
      throw new TsallisError("ERR_PARAMETER", "policies", each, message);
    }
    policies[label] = typeof each !== "string" ? each : Object.hasOwn(labelled, each) ? labelled[each] : registered(each, Object.keys(labelled));
  }
  return policies;
}

function registered(name: string, labels: readonly string[]): PolicySpec {
  if (Object.hasOwn(POLICIES, name)) return promisedSpec(name);
  const known = [...new Set([...labels, ...Object.keys(POLICIES)])];
  throw new TsallisError("ERR_UNKNOWN_NAME", "policies", name, `no policy is called ${JSON.stringify(name)}; there are ${known.join(", ")}`, known);
}

/** A policy with its defaults, and with what the environment promises for an alpha or a sigma that has none. */
function promisedSpec(policy: string): PolicySpec {
  const { parameters } = POLICIES[policy]!;
  const open = ["alpha", "sigma"].filter(
    (key) => Object.hasOwn(parameters, key) && !("default" in parameters[key]! || "optional" in parameters[key]!),
  );
  return { policy, ...Object.fromEntries(open.map((key) => [key, PROMISED])) };
}

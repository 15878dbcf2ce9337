import { completeOptions } from "../parameters.js";
import { calling, register, requireMember } from "../registry.js";
import type { FtrlOptions } from "./base/ftrl.js";
import type { Policy } from "./base/policy.js";
import type { PolicyEntry } from "./base/policyEntry.js";
import { POLICIES } from "./table.js";

const KEYS: readonly (keyof PolicyEntry)[] = ["example", "needs", "guarantee", "takesKnownCosts", "default", "experimental", "centred"];
const REGIMES = ["stochastic", "stochastically-constrained", "adversarial"];

/**
 * Registers a policy of your own under a name, so that `createPolicy`, `restorePolicy` and experiments find it. What it lacks is refused by name when it is
 * created.
 *
 * @example
 * ```ts
 * import { createPolicy, HTINF, registerPolicy } from "tsallis";
 *
 * registerPolicy("house-blend", {
 *   parameters: {},
 *   description: "HTINF as we tune it",
 *   needs: ["alpha", "sigma"],
 *   guarantee: "adversarial",
 *   create: (options) => new HTINF({ ...options, alpha: 1.5, sigma: 2 }),
 * });
 * console.log(createPolicy({ policy: "house-blend" }, 3).probabilities()?.length); // 3
 * ```
 */
export function registerPolicy(name: string, entry: PolicyEntry): void {
  register("policy", POLICIES, name, entry, KEYS, (own) => {
    const of = `the policy ${name}`;
    const { parameters, example, needs, guarantee } = own;
    requireMember(of, "needs", needs, Array.isArray(needs), "a list of what it requires or assumes, [] if nothing");
    requireMember(of, "guarantee", guarantee, guarantee === null || REGIMES.includes(guarantee), `null, or one of ${REGIMES.join(", ")}`);
    if (example !== undefined) completeOptions(parameters, example, `${name}.example.`);
    return { ...own, create: (options) => calling(of, () => requirePolicy(name, options, own.create(options))) };
  });
}

/** Refuses by name what a user's new policy lacks or gets wrong. It does not play: a policy may hang, and nothing watches for that here. */
function requirePolicy(name: string, { arms, kernel: _, ...options }: FtrlOptions, policy: Policy): Policy {
  const of = `the policy ${name}`;
  requireMember(of, "create()", policy, typeof policy === "object" && policy !== null, "a function that returns an object");
  for (const method of ["choose", "update", "details"] as const) {
    requireMember(of, method, policy[method], typeof policy[method] === "function", "a function");
  }
  const { spec, policyId } = policy;
  requireMember(of, "spec", spec, typeof spec === "object" && typeof spec?.policy === "string", `{ policy: "${name}", and every parameter }`);
  // Threads make the policy from its spec: a parameter that is not in it would have its default there.
  for (const [key, value] of Object.entries(spec.policy === name ? options : {})) {
    const text = JSON.stringify(value);
    requireMember(of, `spec.${key}`, spec[key], JSON.stringify(spec[key]) === text, `${text}, as given`);
  }
  requireMember(of, "policyId", policyId, typeof policyId === "string", "a text that names its spec and its number of arms");
  requireMember(of, "arms", policy.arms, policy.arms === arms, `${arms}, as given`);
  requireMember(of, "round", policy.round, policy.round === 0, "0 before the first round");
  return policy;
}

import { calling, register, requireMember } from "../registry.js";
import type { PolicyEntry } from "./base/policyEntry.js";
import { requirePolicy } from "./requirePolicy.js";
import { POLICIES } from "./table.js";

const KEYS: readonly (keyof PolicyEntry)[] = ["needs", "guarantee", "foresees", "default", "experimental", "oldestSnapshot", "centred"];
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
    const { needs, guarantee } = own;
    requireMember(of, "needs", needs, Array.isArray(needs), "a list of what it must be told or assumes, [] if nothing");
    requireMember(of, "guarantee", guarantee, guarantee === null || REGIMES.includes(guarantee), `null, or one of ${REGIMES.join(", ")}`);
    return { ...own, create: (options) => calling(of, () => requirePolicy(name, options, own.create(options))) };
  });
}

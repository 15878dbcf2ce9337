import { register } from "../registry.js";
import type { PolicyEntry } from "./base/policyEntry.js";
import { POLICIES } from "./table.js";

/**
 * Registers a policy of your own under a name, so that `createPolicy`, `restorePolicy` and experiments find it.
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
  register("policy", POLICIES, name, entry);
}

import { register } from "../registry.js";
import type { PolicyEntry } from "./base/policyEntry.js";
import { POLICIES } from "./table.js";

/** Registers a policy of your own under a name, so that `createPolicy`, `restorePolicy` and experiments find it. */
export function registerPolicy(name: string, entry: PolicyEntry): void {
  register("policy", POLICIES, name, entry);
}

import type { KernelName } from "../../kernel/createKernel.js";
import type { Completed, Parameters } from "../../parameters.js";
import type { Policy } from "./policy.js";
import type { PolicyEntry } from "./policyEntry.js";

/**
 * An entry of the table of policies, with its options typed by its parameter table: `createPolicy` completes them before `create` sees them. A forced
 * kernel is passed separately, because a policy without a kernel refuses that key.
 */
export function definePolicy<P extends Parameters>(
  parameters: P,
  create: (options: Completed<P> & { readonly arms: number }, kernel: { readonly kernel?: KernelName }) => Policy,
  facts: Omit<PolicyEntry, "parameters" | "create">,
): PolicyEntry {
  return {
    parameters,
    foresees: false,
    ...facts,
    create: ({ kernel, ...options }) => create(options as Completed<P> & { arms: number }, kernel === undefined ? {} : { kernel }),
  };
}

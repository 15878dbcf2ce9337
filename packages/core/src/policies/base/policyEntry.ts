import type { Regime } from "../../environments/environment.js";
import type { Completed, Given, Parameters } from "../../parameters.js";
import { Ftrl, type FtrlOptions } from "./ftrl.js";
import type { Policy } from "./policy.js";

/** What a policy requires, or assumes of the losses. */
export type PolicyNeed = "alpha" | "sigma" | "horizon" | "bounded-losses" | "truncated-non-negative";

/** What the table says of a policy, and what `registerPolicy` takes. */
export interface PolicyEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** What it must be given (then it is a parameter too), and what it assumes about the losses. */
  readonly needs: readonly PolicyNeed[];
  /** The widest regime that its published guarantee covers: adversarial includes stochastically constrained, which includes stochastic. Null: no guarantee. */
  readonly guarantee: Regime | null;
  /** The parameters of an example spec, which the tests of all policies play. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** Whether it takes `knownCosts`, what is known about the losses of the next round; if absent, it refuses that argument. */
  readonly takesKnownCosts?: boolean;
  /** Whether an experiment that names no policies compares it. */
  readonly default?: true;
  /** Whether it has no regret bound yet, or was not compared with its paper. */
  readonly experimental?: true;
  /** Whether its sigma bounds the centred moment E|X - mean|^alpha; if absent, it bounds the raw one. */
  centred?(options: Readonly<Record<string, unknown>>): boolean;
  /** Makes the policy from completed options, which include arms. */
  create(options: FtrlOptions): Policy;
}

/**
 * An entry of the table of policies, with its example typed by its parameter table. `createPolicy` completes the options before `create` sees them. A policy
 * without a kernel refuses that key, and known costs.
 */
export function definePolicy<P extends Parameters>(
  policy: new (options: Completed<P> & FtrlOptions) => Policy,
  parameters: P,
  facts: Omit<PolicyEntry, "parameters" | "example" | "takesKnownCosts" | "create"> & { readonly example: Given<P> },
): PolicyEntry {
  const takesKnownCosts = policy.prototype instanceof Ftrl;
  return {
    parameters,
    takesKnownCosts,
    ...facts,
    create({ kernel, ...options }) {
      const forced = takesKnownCosts && kernel !== undefined ? { kernel } : {};
      return new policy({ ...options, ...forced } as Completed<P> & FtrlOptions);
    },
  };
}

import type { Regime } from "../../environments/environment.js";
import type { Parameters } from "../../parameters.js";
import type { FtrlOptions } from "./ftrlOptions.js";
import type { Policy } from "./policy.js";

export type PolicyNeed = "alpha" | "sigma" | "horizon" | "bounded-losses" | "truncated-non-negative";

export interface PolicyEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** What it has to be told (then it is a parameter too), and what it takes for granted about the losses. */
  readonly needs: readonly PolicyNeed[];
  /** The widest regime that its published guarantee covers: adversarial includes stochastically constrained, which includes stochastic. Null: no guarantee. */
  readonly guarantee: Regime | null;
  /** Among those that an experiment compares when nobody says which. */
  readonly default?: true;
  /** There is no regret bound yet. */
  readonly experimental?: true;
  /** The oldest snapshot version that it can restore; 1 where this is missing. */
  readonly oldestSnapshot?: number;
  /** Whether its sigma bounds the centred moment E|X - mean|^alpha; the raw one where this is missing. */
  centred?(options: Readonly<Record<string, unknown>>): boolean;
  /** Makes the policy from completed options, arms among them. */
  create(options: FtrlOptions): Policy;
}

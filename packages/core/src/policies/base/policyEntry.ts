import type { Regime } from "../../environments/environment.js";
import type { Parameters } from "../../parameters.js";
import type { FtrlOptions } from "./ftrlOptions.js";
import type { Policy } from "./policy.js";

/** What a policy must be told, or assumes of the losses. */
export type PolicyNeed = "alpha" | "sigma" | "horizon" | "bounded-losses" | "truncated-non-negative";

/** What the table says of a policy, and what `registerPolicy` takes. */
export interface PolicyEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** What it must be given (then it is a parameter too), and what it assumes about the losses. */
  readonly needs: readonly PolicyNeed[];
  /** The widest regime that its published guarantee covers: adversarial includes stochastically constrained, which includes stochastic. Null: no guarantee. */
  readonly guarantee: Regime | null;
  /** Whether it takes `ahead`, what is known about the losses of the next round; if absent, it refuses that argument. */
  readonly foresees?: boolean;
  /** Whether an experiment that names no policies compares it. */
  readonly default?: true;
  /** Whether it has no regret bound yet. */
  readonly experimental?: true;
  /** The oldest snapshot version that it can restore; 1 if absent. */
  readonly oldestSnapshot?: number;
  /** Whether its sigma bounds the centred moment E|X - mean|^alpha; if absent, it bounds the raw one. */
  centred?(options: Readonly<Record<string, unknown>>): boolean;
  /** Makes the policy from completed options, which include arms. */
  create(options: FtrlOptions): Policy;
}

import type { Regime } from "../environments/environment.js";
import type { BoundAssumption } from "./boundAssumptions.js";
import type { Exponents } from "./exponents.js";

/** What a bound is evaluated on, in the notation of the source paper: K, T, alpha, sigma, Delta. */
export interface BoundProblem {
  readonly arms: number;
  readonly horizon: number;
  /** The moment order, in (1, 2]. */
  readonly alpha: number;
  /** sigma^alpha bounds the raw moment E|X|^alpha of every loss. */
  readonly sigma: number;
  /** Per arm, the gap to the best mean; at least one is 0. Only instance-dependent bounds need them. */
  readonly gaps?: readonly number[];
}

/** One published regret bound: as printed, as corrected, and what it rests on. Values that leave the range of a double are Infinity. */
export interface Bound {
  /** `htinf/adversarial`, `robust-ucb/catoni/instance-dependent`, `lower/instance-independent`, ... */
  readonly id: string;
  /** The policy that it is about, by its name in specs if this library has it; null for lower bounds, which are about all policies. */
  readonly policy: string | null;
  /** Options that the policy must have for the bound to apply; any options if absent. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly kind: "upper" | "lower";
  /** The widest regime that it covers: adversarial includes stochastically constrained, which includes stochastic. */
  readonly regime: Regime;
  readonly assumptions: readonly BoundAssumption[];
  /** Whether it depends on the gaps, and so requires them. */
  readonly needsGaps: boolean;
  /** The corrected formula is null if nothing is left to trust. */
  readonly formula: { readonly printed: string; readonly corrected: string | null };
  readonly source: string;
  /** What is wrong in print, and why; null if nothing is. */
  readonly correction: string | null;
  /** The growth of the leading term. */
  readonly exponents: Exponents;
  /** The printed value; null if no constant was published for the problem. */
  printed(problem: BoundProblem): number | null;
  /** The value to trust; null if no constant is established for the problem. */
  corrected(problem: BoundProblem): number | null;
}

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

/** One published regret bound: as it was printed, as it stands after correction, and what it rests on. Values are Infinity where they leave the doubles. */
export interface Bound {
  /** `htinf/adversarial`, `robust-ucb/catoni/instance-dependent`, `lower/instance-independent`, ... */
  readonly id: string;
  /** The name of the policy that it is about, the one that specs use if the policy is in this library; null for lower bounds, which are about all of them. */
  readonly policy: string | null;
  /** Parameters that the policy must have for it to be about it; any, where this is missing. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly kind: "upper" | "lower";
  /** The widest regime that it covers: adversarial includes stochastically constrained, which includes stochastic. */
  readonly regime: Regime;
  readonly assumptions: readonly BoundAssumption[];
  /** Whether it depends on the gaps, and so asks for them. */
  readonly needsGaps: boolean;
  /** The corrected formula is null where nothing is left to trust. */
  readonly formula: { readonly printed: string; readonly corrected: string | null };
  readonly source: string;
  /** What is wrong in print, and why; null where nothing is. */
  readonly correction: string | null;
  /** The growth of the leading term. */
  readonly exponents: Exponents;
  /** The value in print; null where no constant was published for the problem. */
  printed(problem: BoundProblem): number | null;
  /** The value to trust; null where no constant is established for the problem. */
  corrected(problem: BoundProblem): number | null;
}

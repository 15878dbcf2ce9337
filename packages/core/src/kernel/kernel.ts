import type { Rng } from "../random/rng.js";
import type { DenseKernel } from "./denseKernel.js";

/** The part of a snapshot that belongs to a kernel. Without it the probabilities are the same; with it the future is the same, bit for bit. */
export interface KernelSnapshot {
  readonly name: string;
  readonly [field: string]: unknown;
}

/**
 * Holds the cumulative loss estimates L and answers questions about
 *
 *     x = argmin over the simplex of  <L, x> / h - alpha * sum_i x_i^(1/alpha),      h = 1 / (learning rate).
 *
 * With q = alpha / (alpha - 1) the solution is x_i = (h / g_i)^q, where the gaps g_i = L_i - nu are measured from the one nu < min L
 * that makes the x_i sum to 1. `solve` finds it; `sample`, `probability`, `gap` and `spread` refer to that solution.
 */
export interface Kernel {
  readonly arms: number;
  /** All probabilities at inverse learning rate h. Changes nothing. */
  probabilities(inverseRate: number): Float64Array;
  /** Solves at inverse learning rate h. */
  solve(inverseRate: number): void;
  /** The arm selected by a uniform on [0, 1). A kernel that needs more uniforms draws them from the generator. */
  sample(u: number, rng: Rng): number;
  /** x_arm, normalised: exactly the number that `sample` draws with. */
  probability(arm: number): number;
  /** g_arm = L_arm - nu, in units of loss. */
  gap(arm: number): number;
  /** sum_i x_i^(1/alpha) - 1: how far the probabilities are from certainty, in the measure of the regulariser. Its relative accuracy holds however close it is to 0. */
  spread(): number;
  /** Makes the current solution the starting point of later ones. Called once a round, when an arm is played. */
  commit(): void;
  /** Sets a dense kernel to the probabilities of estimates L_i + amounts_i, each amount at least 0. Changes nothing else. */
  shiftInto(target: DenseKernel, amounts: Float64Array): void;
  /** L_arm += amount. Throws ERR_OVERFLOW, with nothing changed, if the sum would leave the range of a double. */
  add(arm: number, amount: number): void;
  /** L_i += amounts_i for all arms; the amounts are small next to the gaps. */
  addAll(amounts: Float64Array): void;
  /** L_i = min(L_i, min L + min(ceiling, own_i)) for all arms, with no `own` if it is left out. */
  limit(ceiling: number, own?: Float64Array): void;
  /** Sets L = 0 again, as in a new kernel. */
  reset(): void;
  losses(): number[];
  snapshot(): KernelSnapshot;
  /** Restores losses, and the kernel's own block if a kernel of that name wrote one. Throws ERR_SNAPSHOT on a broken field. */
  restore(losses: unknown, block: unknown): void;
}

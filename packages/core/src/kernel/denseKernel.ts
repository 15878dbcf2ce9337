import { pow } from "../elementary/pow.js";
import { addEstimate, LARGEST_ESTIMATE, requireEstimates } from "./estimate.js";
import type { Kernel, KernelSnapshot } from "./kernel.js";
import { power, snapExponent } from "./power.js";
import { requireBlock } from "./requireBlock.js";
import { aloneSpread } from "./spread.js";
import { Start } from "./start.js";
import { toNumbers } from "./toNumbers.js";

/** Once |S - 1| is below this times G, the next step is off by the square of this, 1e-14, and so are weights that are moved by an expansion of that step. */
const SMALL_EXCESS = 1e-7;
/** More sweeps than any start needs (about 10 from the worst). After them the solution is normalised as it is. */
const MOST_SWEEPS = 60;

/**
 * The kernel for few arms: O(K) per solve.
 *
 * In units of h the unknown is z = (min L - nu) / h in [1, K^(1/q)], and S(z) = sum_i (z + d_i)^(-q) must be 1, with d_i = (L_i - min L) / h.
 * The step is z += (S / G) * ((1 + e)^(1/q) - 1) with e = S - 1 and G = sum_i (z + d_i)^(-q-1). It is Newton's on the concave function S^(-1/q)
 * (a power mean of affine functions, so the step is exact when one arm dominates or all are equal), with the root replaced by the Pade
 * approximant e / (q + (q - 1) e / 2). Solving for z >= 1 stays on the branch below min L; there is another root above max L.
 * Once e is small, the last step is applied to the terms themselves by a second-order expansion instead of another sweep.
 *
 * The start is the last committed nu, moved to first order by the changes since then (the one L_i that moved, exactly; h, linearly).
 */
export class DenseKernel implements Kernel {
  readonly #exponent: number;
  readonly #losses: Float64Array;
  /** Per arm: L_i - min L; then, for the current solution, x_i before normalisation and h / g_i. */
  readonly #offsets: Float64Array;
  readonly #weights: Float64Array;
  readonly #ratios: Float64Array;
  /** By how much the next solve lets estimates exceed the smallest: one ceiling for all arms (Infinity if there is none), and lower ones of their own if any arm has one. */
  #ceiling = Infinity;
  #ownCeilings: Float64Array | null = null;
  /** K^(1/q), the largest z. */
  readonly #widest: number;

  readonly #start = new Start();

  /** The current solution: h (0 when there is none), min L and the first arm that has it, min L - nu, G, and the sum of the weights. */
  #inverseRate = 0;
  #smallest = 0;
  #best = 0;
  #distance = 0;
  #slope = 1;
  #total = 1;

  constructor(
    readonly arms: number,
    exponent: number,
  ) {
    this.#exponent = snapExponent(exponent);
    this.#losses = new Float64Array(arms);
    this.#offsets = new Float64Array(arms);
    this.#weights = new Float64Array(arms);
    this.#ratios = new Float64Array(arms);
    this.#widest = pow(arms, 1 / this.#exponent);
  }

  solve(inverseRate: number): void {
    if (this.#inverseRate === inverseRate) return;
    this.#inverseRate = inverseRate;
    this.#solve();
  }

  /** One long method that V8 does not inline, with its numbers in fields: V8 may box a double that is passed to a function or returned from it. */
  #solve(): void {
    const losses = this.#losses;
    const offsets = this.#offsets;
    const weights = this.#weights;
    const ratios = this.#ratios;
    const arms = this.arms;
    const q = this.#exponent;
    const curvature = (q - 1) / 2;
    const inverseRate = this.#inverseRate;
    let smallest = losses[0]!;
    let largest = smallest;
    let best = 0;
    for (let i = 1; i < arms; i++) {
      const loss = losses[i]!;
      if (loss < smallest) {
        smallest = loss;
        best = i;
      } else if (loss > largest) largest = loss;
    }
    this.#best = best;
    if (largest > smallest + this.#ceiling || this.#ownCeilings !== null) {
      this.#lowerFrom(smallest);
      largest = smallest;
      for (let i = 0; i < arms; i++) if (losses[i]! > largest) largest = losses[i]!;
    }
    this.#ceiling = Infinity;
    for (let i = 0; i < arms; i++) offsets[i] = losses[i]! - smallest;
    this.#smallest = smallest;
    if (smallest === largest) {
      weights.fill(1);
      this.#total = arms;
      this.#distance = inverseRate * this.#widest;
      this.#slope = 1 / this.#widest;
      return;
    }
    const predicted = smallest - this.#start.root + (inverseRate - this.#start.inverseRate) / this.#start.slope;
    let distance = predicted > inverseRate ? Math.min(predicted, inverseRate * this.#widest) : inverseRate;
    for (let sweep = 1; ; sweep++) {
      let total = 0;
      let slope = 0;
      for (let i = 0; i < arms; i++) {
        const ratio = inverseRate / (distance + offsets[i]!);
        const weight = q === 2 ? ratio * ratio : q === 3 ? ratio * ratio * ratio : power(ratio, q);
        total += weight;
        slope += weight * ratio;
        weights[i] = weight;
        ratios[i] = ratio;
      }
      const excess = total - 1;
      const step = (total * excess) / (slope * (q + curvature * excess));
      const small = Math.abs(excess) <= SMALL_EXCESS * slope;
      if (small) {
        // (1 + step * ratio)^(-q) to second order, instead of another sweep.
        const first = -q * step;
        const second = (-(q + 1) / 2) * step;
        total = 0;
        for (let i = 0; i < arms; i++) {
          const ratio = ratios[i]!;
          const weight = weights[i]! * (1 + first * ratio * (1 + second * ratio));
          total += weight;
          weights[i] = weight;
        }
        distance += step * inverseRate;
      }
      if (small || sweep === MOST_SWEEPS) {
        this.#total = total;
        this.#slope = slope;
        this.#distance = distance;
        return;
      }
      distance = Math.max(distance + step * inverseRate, inverseRate);
    }
  }

  sample(u: number): number {
    const weights = this.#weights;
    const last = this.arms - 1;
    let rest = u * this.#total;
    for (let i = 0; i < last; i++) {
      rest -= weights[i]!;
      if (rest < 0) return i;
    }
    // Rounding can leave the target beyond the sum; the last arm with any weight then takes it.
    let arm = last;
    while (weights[arm] === 0) arm--;
    return arm;
  }

  probability(arm: number): number {
    return this.#weights[arm]! / this.#total;
  }

  gap(arm: number): number {
    return this.#distance + this.#offsets[arm]!;
  }

  spread(): number {
    const q = this.#exponent;
    const best = this.#best;
    const offsets = this.#offsets;
    const inverseRate = this.#inverseRate;
    const distance = this.#distance;
    let sum = 0;
    let rest = 0;
    for (let i = 0; i < offsets.length; i++) {
      if (i === best) continue;
      const ratio = inverseRate / (distance + offsets[i]!);
      const flat = q === 2 ? ratio : power(ratio, q - 1);
      sum += flat * (1 - ratio);
      rest += flat * ratio;
    }
    return sum + aloneSpread(this.#inverseRate / this.#distance, rest, q);
  }

  probabilities(inverseRate: number): Float64Array {
    this.solve(inverseRate);
    return this.#weights.map((weight) => weight / this.#total);
  }

  commit(): void {
    this.#start.set(this.#smallest - this.#distance, this.#slope, this.#inverseRate);
    this.#inverseRate = 0;
  }

  add(arm: number, amount: number): void {
    this.#lower();
    const before = this.#losses[arm]!;
    const after = addEstimate(arm, before, amount);
    this.#losses[arm] = after;
    this.#inverseRate = 0;
    this.#start.follow(before, after, this.#exponent);
  }

  /** The start is not moved: one more sweep finds the root for less than following every arm would cost. */
  addAll(amounts: Float64Array): void {
    this.#lower();
    const losses = this.#losses;
    for (let arm = 0; arm < this.arms; arm++) losses[arm] = addEstimate(arm, losses[arm]!, amounts[arm]!);
    this.#inverseRate = 0;
  }

  /** The next solve lowers the estimates on its way, unless something else looks at them before. */
  limit(ceiling: number, own?: Float64Array): void {
    this.#lower();
    this.#ceiling = ceiling;
    if (own !== undefined) this.#ownCeilings = own.slice();
    this.#inverseRate = 0;
  }

  #lower(): void {
    if (this.#ceiling === Infinity && this.#ownCeilings === null) return;
    let least = this.#losses[0]!;
    for (let arm = 1; arm < this.arms; arm++) if (this.#losses[arm]! < least) least = this.#losses[arm]!;
    this.#lowerFrom(least);
  }

  #lowerFrom(least: number): void {
    const losses = this.#losses;
    const own = this.#ownCeilings;
    for (let arm = 0; arm < this.arms; arm++) {
      losses[arm] = Math.min(losses[arm]!, least + (own === null ? this.#ceiling : Math.min(this.#ceiling, own[arm]!)));
    }
    this.#ceiling = Infinity;
    this.#ownCeilings = null;
  }

  shiftInto(target: DenseKernel, amounts: Float64Array): void {
    this.#lower();
    target.assign(this.#losses, amounts);
  }

  /** Sets L to the sum of losses and amounts. Its minimum becomes 0, from where the search starts on the safe side, and no sum leaves the range of a double. */
  assign(losses: Float64Array, amounts: Float64Array): void {
    this.reset();
    const sums = this.#losses;
    let least = losses[0]!;
    for (let arm = 1; arm < this.arms; arm++) least = Math.min(least, losses[arm]!);
    for (let arm = 0; arm < this.arms; arm++) sums[arm] = Math.min(losses[arm]! - least + amounts[arm]!, LARGEST_ESTIMATE);
    least = sums[0]!;
    for (let arm = 1; arm < this.arms; arm++) least = Math.min(least, sums[arm]!);
    for (let arm = 0; arm < this.arms; arm++) sums[arm]! -= least;
  }

  reset(): void {
    this.#losses.fill(0);
    this.#ceiling = Infinity;
    this.#ownCeilings = null;
    this.#start.reset();
    this.#inverseRate = 0;
  }

  losses(): number[] {
    this.#lower();
    return toNumbers(this.#losses);
  }

  snapshot(): KernelSnapshot {
    return { name: "dense", ...this.#start.snapshot() };
  }

  restore(losses: unknown, block: unknown): void {
    requireEstimates(losses, this.arms);
    const given = requireBlock(block);
    this.reset();
    this.#losses.set(losses);
    if (given.name === "dense") this.#start.restore(given);
  }
}

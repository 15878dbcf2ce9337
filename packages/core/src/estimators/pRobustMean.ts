// The p-robust estimator of Lee, Yang, Lim and Oh, "Optimal Algorithms for Stochastic Multi-Armed Bandits with Heavy Tailed Rewards" (NeurIPS 2020), p = alpha, as in
// their published program: (c / n^(1-1/p)) sum_j psi(X_j / (c n^(1/p))) with the odd function psi(x) = ln(1 + x + b_p x^p) of x >= 0. It needs no moment bound, but its
// deviation bound contains exp(b_p sigma^p / c^p), so too small a c is exponentially bad.
// Deviation: n is frozen on a geometric grid, unless its ratio is 1. Each new sample rescales all of them, so the literal estimator costs n per sample.

import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import type { Estimator } from "./estimator.js";
import { ExactSum } from "./exactSum.js";
import { GridSamples } from "./gridSamples.js";

/** Up to here x^p is far from overflow; beyond, the logarithm is computed from the factors. */
const FAR = 1e100;

/** b_p, the smallest number b with ln(1 + x + b |x|^p) >= -ln(1 - x + b |x|^p) for all x: 1/2 at p = 2, 3^(-3/4) at 1.5, towards 1 as p falls to 1. */
export function pRobustConstant(p: number): number {
  return pow((p - 1) / p, p / 2) * pow((2 - p) / (p - 1), (2 - p) / 2);
}

export class PRobustMean implements Estimator {
  readonly samples: GridSamples;
  #computedFor = 0;
  #estimate = 0;
  #unit = 0;
  readonly #b: number;

  constructor(
    readonly alpha: number,
    readonly c: number,
    ratio?: number,
  ) {
    this.samples = new GridSamples(ratio);
    this.#b = pRobustConstant(alpha);
  }

  add(x: number): void {
    this.samples.push(x);
  }

  get estimate(): number {
    this.#refresh();
    return this.#estimate;
  }

  /** c / n^(1-1/p), the scale of the estimate's error. */
  get unit(): number {
    this.#refresh();
    return this.#unit;
  }

  /** Recomputes the estimate only if the number of samples used has changed. */
  #refresh(): void {
    const { used } = this.samples;
    if (used === this.#computedFor) return;
    this.#computedFor = used;
    const samples = this.samples.first(used);
    const scale = this.c * pow(used, 1 / this.alpha);
    const sum = new ExactSum();
    for (let i = 0; i < used; i++) sum.add(this.#psi(samples[i]!, scale));
    this.#unit = scale / used;
    this.#estimate = this.#unit * sum.value;
  }

  #psi(sample: number, scale: number): number {
    const x = Math.abs(sample) / scale;
    const psi = x < FAR ? log1p(x + this.#b * pow(x, this.alpha)) : this.#farPsi(log(Math.abs(sample)) - log(scale));
    return sample < 0 ? -psi : psi;
  }

  /** ln(x + b x^p) = ln(b x^p) + ln(1 + x^(1-p) / b) from ln x. */
  #farPsi(logarithm: number): number {
    return this.alpha * logarithm + log(this.#b) + log1p(exp((1 - this.alpha) * logarithm) / this.#b);
  }
}

// Catoni's M-estimator as Bubeck, Cesa-Bianchi and Lugosi (2013) use it: the m with sum_j psi(a (X_j - m)) = 0 for the odd function
// psi(x) = ln(1 + x + x^2/2) of x >= 0, where a = sqrt(2 L / (n v (1 + 2 L / (n - 2 L)))), L = ln(1/delta), v = sigma^2 a bound on the variance. It needs n > 2 L.
// Checked against section 2 of Bhatt, Fang, Li and Samorodnitsky (ICML 2022).
// Deviation: n is frozen on a geometric grid, unless its ratio is 1. Each new sample changes a, and with it every term, so the literal estimator costs n per sample.

import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import type { Estimator } from "./estimator.js";
import { ExactSum } from "./exactSum.js";
import { GridSamples } from "./gridSamples.js";
import { type Decreasing, safeguardedRoot } from "./safeguardedRoot.js";

/** From here on 1 + x + x^2/2 equals x^2/2 to the last bit, and its square root is still far from overflow. */
const FAR = 1e100;

export class Catoni implements Estimator {
  readonly samples: GridSamples;
  #computedFor = 0;
  #level = 0;
  #estimate = 0;

  constructor(
    readonly sigma: number,
    ratio?: number,
  ) {
    this.samples = new GridSamples(ratio);
  }

  add(x: number): void {
    this.samples.push(x);
  }

  /** The estimate at a level L = ln(1/delta) below half the number of samples used. It is recomputed only if one of the two has changed. */
  estimate(level: number): number {
    const { used } = this.samples;
    if (used === this.#computedFor && level === this.#level) return this.#estimate;
    this.#computedFor = used;
    this.#level = level;
    const samples = this.samples.first(used);
    const rate = Math.sqrt((2 * level) / (used * (1 + (2 * level) / (used - 2 * level)))) / this.sigma;
    const sorted = Float64Array.from(samples).sort();
    this.#estimate = safeguardedRoot(new InfluenceSum(samples, rate), sorted[0]!, sorted[used - 1]!, sorted[used >>> 1]!);
    return this.#estimate;
  }
}

/** sum_j psi(a (X_j - m)) as a function of m. */
class InfluenceSum implements Decreasing {
  value = 0;
  slope = 0;
  size = 0;
  readonly #logRate: number;
  readonly #sum = new ExactSum();

  constructor(
    readonly samples: Float64Array,
    readonly rate: number,
  ) {
    this.#logRate = log(rate);
  }

  at(m: number): void {
    const { samples, rate } = this;
    const sum = this.#sum;
    sum.clear();
    let slope = 0;
    let size = 0;
    for (let i = 0; i < samples.length; i++) {
      const distance = samples[i]! - m;
      const x = rate * Math.abs(distance);
      const psi = x < FAR ? log1p(x + (x * x) / 2) : 2 * (log(Math.abs(distance)) + this.#logRate) - Math.LN2;
      sum.add(distance < 0 ? -psi : psi);
      slope += x < FAR ? (1 + x) / (1 + x + (x * x) / 2) : 2 / x;
      size += psi;
    }
    this.value = sum.value;
    this.slope = -rate * slope;
    this.size = size;
  }
}

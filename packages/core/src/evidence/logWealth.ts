import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";

/** A value with its first two derivatives. */
export interface Curve {
  readonly value: number;
  readonly slope: number;
  readonly curvature: number;
}

/** How close to a threshold the search for it ends. */
const CLOSE = 1e-13;
const MOST_STEPS = 200;

/**
 * The logarithm of the wealth of all bets, by the mean q that they bet against: log sum exp(bases[k] + rates[k] * (weight * (q - shifts[k]) - paid[k])). It is convex and
 * increases in q.
 */
export class LogWealth {
  readonly #exponents: Float64Array;

  constructor(
    readonly rates: Float64Array,
    readonly bases: Float64Array,
    readonly shifts: Float64Array,
    readonly paid: Float64Array,
    /** The number of rounds, each times the probability with which it is drawn into the stream. */
    readonly weight: number,
  ) {
    this.#exponents = new Float64Array(rates.length);
  }

  at(q: number): Curve {
    const { rates, bases, shifts, paid, weight } = this;
    const exponents = this.#exponents;
    let most = -Infinity;
    for (let k = 0; k < rates.length; k++) {
      const exponent = bases[k]! + rates[k]! * (weight * (q - shifts[k]!) - paid[k]!);
      exponents[k] = exponent;
      if (exponent > most) most = exponent;
    }
    let sum = 0;
    let first = 0;
    let second = 0;
    for (let k = 0; k < rates.length; k++) {
      const part = exp(exponents[k]! - most);
      const bet = part * rates[k]!;
      sum += part;
      first += bet;
      second += bet * rates[k]!;
    }
    const mean = first / sum;
    return { value: most + log(sum), slope: weight * mean, curvature: weight * weight * Math.max(0, second / sum - mean * mean) };
  }

  /** log(idle + staked e^value): the logarithm of the wealth of which a part was never staked. */
  withIdle(q: number, idle: number, staked: number): Curve {
    const { value, slope, curvature } = this.at(q);
    const large = value > 0;
    const e = exp(large ? -value : value);
    const whole = large ? idle * e + staked : idle + staked * e;
    const part = (large ? staked : staked * e) / whole;
    return {
      value: (large ? value : 0) + log(whole),
      slope: part * slope,
      curvature: part * (curvature + (1 - part) * slope * slope),
    };
  }

  /** The least q in [0, 1] at which the threshold is reached, or 1. Newton's method from the right stays on the right of it, because the curve is convex. */
  end(threshold: number): number {
    let q = 1;
    for (let i = 0; i < MOST_STEPS; i++) {
      const { value, slope } = this.at(q);
      if (!(value > threshold + CLOSE)) break;
      const next = q - (value - threshold) / slope;
      if (!(next < q)) break;
      if (next <= 0) return 0;
      q = next;
    }
    return q;
  }
}

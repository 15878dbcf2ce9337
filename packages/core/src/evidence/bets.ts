// Bets at fixed rates against "the mean is at least q", for outcomes in [0, 1]. The wealth of rate l after outcomes x with centres c, each fixed before its outcome, is
//   prod (1 - l (x - c)) exp(l (q - c)).
// Since 1 + y <= e^y, it is a supermartingale if the mean is q or more, and so is the average over the rates: Ville's inequality bounds how high it ever gets.
// The game is that of Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (JRSS B, 2024); the exponential in place of a second
// product makes the logarithm convex in q, and the state constant in size.
//
// The centre is the running mean, but for rates above 1 at least 1 - 0.95 / l, so that no factor is below 0.05. With a share below 1, each round is drawn into the
// stream with that probability: every round then pays that share of the exponential, and q is the average over all rounds.
import { highWord } from "../elementary/highWord.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { POWERS_OF_TWO } from "../elementary/powersOfTwo.js";
import { LogWealth } from "./logWealth.js";
import { requireCounts, requireNumbers } from "./snapshotFields.js";

const COUNT = 24;
/** The number of rates up to 0.9, for which the centre is the running mean. The rates are 0.9 * 2^-14 to 0.9 * 2^9. */
const PLAIN = 15;
const RATES: Float64Array = /* @__PURE__ */ Float64Array.from({ length: COUNT }, (_, i) => 0.9 * POWERS_OF_TWO[i - 14 + 1074]!);
/** The least centres of the others; 0 for the plain ones. */
const LEAST: Float64Array = /* @__PURE__ */ RATES.map((rate, i) => (i < PLAIN ? 0 : 1 - 0.95 / rate));
/** The logarithms of the wealth that each rate 0.9 * 2^k begins with: in parts of 1 / ((1 - k) (2 - k)) for k <= 0, and half of 1 / ((k + 1) (k + 2)) above. */
const LOG_WEIGHTS: Float64Array = /* @__PURE__ */ logWeights();
/** What turns the logarithms of two products of the same rate, each with its weight, into the joint bet of that rate: its own weight in place of the two. */
export const JOINT_WEIGHTS: Float64Array = /* @__PURE__ */ jointWeights();
/** Factors are from 0.05 to 462: the product of so many stays within the range of a double. */
const BETWEEN_SCALINGS = 64;

function logWeights(): Float64Array {
  const parts = RATES.map((_, i) => (i < PLAIN ? 1 / ((PLAIN - i) * (PLAIN + 1 - i)) : 0.5 / ((i - 13) * (i - 12))));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => log(part / whole));
}

/** Joint bets are more alike in weight: in parts of (2 - k)^-1.5 for k <= 0, and 0.3 (2 + k)^-1.5 above. Two arms are distinguished late, where rates are small. */
function jointWeights(): Float64Array {
  const parts = RATES.map((_, i) => {
    const place = 2 + Math.abs(i - PLAIN + 1);
    return (i < PLAIN ? 1 : 0.3) / (place * Math.sqrt(place));
  });
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, i) => log(part / whole) - 2 * LOG_WEIGHTS[i]!);
}

/** The state of the bets. The sums are pairs: the rounded sum, and its rounding error. @inline */
export interface BetsSnapshot {
  readonly plays: number;
  /** Rounds that paid, and those after the last outcome that have yet to pay. */
  readonly rounds: number;
  readonly waiting: number;
  /** Products of factors: products[k] * 2^exponents[k], with products in [1, 2). */
  readonly products: readonly number[];
  readonly exponents: readonly number[];
  /** Of the outcomes, of the running means, and of the excess of these over the least centre of each rate above 1. */
  readonly sums: readonly number[];
}

/** Where the pairs of sums begin. */
const OUTCOMES = 0;
const CENTRES = 2;
const EXCESS = 4;
const SUMS = EXCESS + 2 * (COUNT - PLAIN);

export class Bets {
  #plays = 0;
  #rounds = 0;
  #waiting = 0;
  readonly #products = new Float64Array(COUNT).fill(1);
  readonly #exponents = new Float64Array(COUNT);
  readonly #sums = new Float64Array(SUMS);
  #wealth: LogWealth | undefined;

  constructor(
    readonly share: number,
    /** The centre before the first outcome. */
    readonly first: number,
  ) {}

  /** The mean of the outcomes so far; `first` if there are none. */
  get mean(): number {
    return this.#plays === 0 ? this.first : Math.min(1, this.sum / this.#plays);
  }

  get sum(): number {
    return this.#sums[OUTCOMES]! + this.#sums[OUTCOMES + 1]!;
  }

  /** Rounds that were not drawn into the stream. */
  skip(rounds: number): void {
    this.#waiting += rounds;
    this.#wealth = undefined;
  }

  /** An outcome in [0, 1]. */
  add(x: number): void {
    const products = this.#products;
    const centre = this.mean;
    const paying = this.#waiting + 1;
    const deviation = x - centre;
    for (let k = 0; k < PLAIN; k++) products[k]! *= 1 - RATES[k]! * deviation;
    for (let k = PLAIN; k < COUNT; k++) {
      const least = LEAST[k]!;
      products[k]! *= 1 - RATES[k]! * (centre > least ? deviation : x - least);
    }
    this.#count(OUTCOMES, x);
    this.#count(CENTRES, paying * centre);
    for (let k = PLAIN; k < COUNT && centre > LEAST[k]!; k++) this.#count(EXCESS + 2 * (k - PLAIN), paying * (centre - LEAST[k]!));
    this.#rounds += paying;
    this.#waiting = 0;
    this.#plays++;
    if (this.#plays % BETWEEN_SCALINGS === 0) this.#scale();
    this.#wealth = undefined;
  }

  /** Neumaier's compensated summation. */
  #count(at: number, value: number): void {
    const sums = this.#sums;
    const before = sums[at]!;
    const sum = before + value;
    sums[at] = sum;
    sums[at + 1]! += before >= value ? before - sum + value : value - sum + before;
  }

  /** Moves the powers of two of the products to their exponents. That is exact, so it does not matter when it is done. */
  #scale(): void {
    for (let k = 0; k < COUNT; k++) {
      const exponent = (highWord(this.#products[k]!) >> 20) - 1023;
      this.#products[k]! *= POWERS_OF_TWO[1074 - exponent]!;
      this.#exponents[k]! += exponent;
    }
  }

  get wealth(): LogWealth {
    if (this.#wealth !== undefined) return this.#wealth;
    this.#scale();
    const { share } = this;
    const centre = this.mean;
    const waiting = this.#waiting;
    const bases = new Float64Array(COUNT);
    const paid = new Float64Array(COUNT);
    for (let k = 0; k < COUNT; k++) {
      bases[k] = LOG_WEIGHTS[k]! + (this.#exponents[k]! * Math.LN2 + log(this.#products[k]!));
      const at = k < PLAIN ? CENTRES : EXCESS + 2 * (k - PLAIN);
      paid[k] = share * (this.#sums[at]! + (this.#sums[at + 1]! + waiting * Math.max(0, centre - LEAST[k]!)));
    }
    this.#wealth = new LogWealth(RATES, bases, LEAST, paid, share * (this.#rounds + waiting));
    return this.#wealth;
  }

  snapshot(): BetsSnapshot {
    this.#scale();
    return {
      plays: this.#plays,
      rounds: this.#rounds,
      waiting: this.#waiting,
      products: [...this.#products],
      exponents: [...this.#exponents],
      sums: [...this.#sums],
    };
  }

  load(snapshot: BetsSnapshot, name: string): void {
    const { plays, rounds, waiting, products, exponents, sums } = snapshot;
    requireCounts({ [`${name}.plays`]: plays, [`${name}.rounds`]: rounds, [`${name}.waiting`]: waiting });
    requireNumbers(products, `${name}.products`, COUNT, 1, 2);
    requireNumbers(exponents, `${name}.exponents`, COUNT, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    requireNumbers(sums, `${name}.sums`, SUMS, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    this.#plays = plays;
    this.#rounds = rounds;
    this.#waiting = waiting;
    this.#products.set(products);
    this.#exponents.set(exponents);
    this.#sums.set(sums);
    this.#wealth = undefined;
  }
}

/**
 * The upper end at `threshold` of the probability of an event that occurred `events` times in rounds of that weight: bets at the rates up to 0.9 with the centre 0,
 * whose wealth depends on the two counts alone.
 */
export function largestProbability(events: number, weight: number, threshold: number): number {
  const rates = RATES.subarray(0, PLAIN);
  const bases = rates.map((rate, k) => LOG_WEIGHTS[k]! + events * log1p(-rate));
  const none = new Float64Array(PLAIN);
  return new LogWealth(rates, bases, none, none, weight).end(threshold);
}

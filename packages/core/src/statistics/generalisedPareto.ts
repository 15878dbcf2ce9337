import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { type Estimate, SINGLE } from "./interval.js";

/** Below -1/2 the likelihood is not regular (Smith, Biometrika 72, 1985), and a tail that ends so soon needs no closer look. */
const LEAST_SHAPE = -0.5;
const GREATEST_SHAPE = 20;
/** Nearer to 0 than this, the formulas lose their digits, and the distribution is the exponential one up to this much. */
const SMALLEST_SHAPE = 1e-5;
/** How far the log-likelihood may fall within a 95 % interval: half of a quantile of chi-square with one degree of freedom. */
const FALL = (SINGLE * SINGLE) / 2;

/**
 * The generalised Pareto distribution, P(excess > x) = (1 + shape x / scale)^(-1/shape), fitted to positive excesses over a threshold by maximum likelihood, with the likelihood-ratio
 * interval of its shape. Whatever the distribution of the values, that of their excesses comes close to one of these as the threshold rises (Pickands, Annals of Statistics 3, 1975).
 * A positive shape is the inverse of the tail index.
 *
 * For a given shape the likelihood has one maximum in the scale, where sum x / (scale + shape x) = n / (1 + shape): the left side falls. There its derivative by the
 * shape is (sum ln(1 + shape x / scale) - n shape) / shape^2, whose zero is the estimate: the equation of Grimshaw (Technometrics 35, 1993).
 */
export class GeneralisedPareto {
  readonly shape: Estimate;
  readonly #excesses: Float64Array;
  readonly #mean: number;
  readonly #largest: number;
  /** The last scale that was found: shapes that follow each other are near each other. */
  #last = 0;

  /** In any order, at least one. */
  constructor(excesses: Float64Array) {
    this.#excesses = excesses;
    this.#mean = excesses.reduce((sum, x) => sum + x / excesses.length, 0);
    this.#largest = excesses.reduce((most, x) => Math.max(most, x), 0);
    const estimate = crossing((shape) => this.#score(shape), LEAST_SHAPE, GREATEST_SHAPE);
    const best = this.logLikelihood(estimate);
    const within = (shape: number) => this.logLikelihood(shape) - best + FALL;
    // The ends are looked for in steps of twice the error that the estimate would have if the distribution were exact, (1 + shape) / sqrt(n).
    const step = (2 * (1 + estimate)) / Math.sqrt(excesses.length);
    let [least, greatest] = [estimate, estimate];
    do least = Math.max(LEAST_SHAPE, least - step);
    while (least > LEAST_SHAPE && within(least) > 0);
    do greatest = Math.min(GREATEST_SHAPE, greatest + step);
    while (greatest < GREATEST_SHAPE && within(greatest) > 0);
    this.shape = { estimate, low: crossing((shape) => -within(shape), least, estimate), high: crossing(within, estimate, greatest) };
  }

  get scale(): number {
    return this.#scaleAt(this.shape.estimate);
  }

  /**
   * The mean of the distribution, scale / (1 - shape), Infinity from shape 1 on. Its logarithm errs with the shape, along the best scales, and with the scale at a given shape,
   * whose variance is (1 + 2 shape) / n; to first order the two are independent, so their distances are added as squares. The interval is joined with the normal one of the
   * plain mean: where the tail ends or has atoms, the distribution does not fit, and the plain mean is as good as any.
   */
  get meanExcess(): Estimate {
    const { estimate, low, high } = this.shape;
    const logMean = (shape: number) => (shape < 1 ? log(this.#scaleAt(shape)) - log(1 - shape) : Infinity);
    const middle = logMean(estimate);
    const distance = (shape: number) => Math.sqrt(squared(logMean(shape) - middle) + (SINGLE * SINGLE * (1 + 2 * estimate)) / this.#excesses.length);
    const plain = SINGLE * this.#errorOfMean();
    return {
      estimate: exp(middle),
      low: Math.min(Math.max(0, this.#mean - plain), middle < Infinity ? exp(middle - distance(low)) : Infinity),
      high: high < 1 ? Math.max(this.#mean + plain, exp(middle + distance(high))) : Infinity,
    };
  }

  /** The standard error of the plain mean, in units of the largest excess, whose square may overflow. */
  #errorOfMean(): number {
    const unit = this.#largest;
    const squares = this.#excesses.reduce((sum, x) => sum + squared((x - this.#mean) / unit), 0);
    return (unit * Math.sqrt(squares)) / this.#excesses.length;
  }

  /** The largest log-likelihood of a shape over all scales. */
  logLikelihood(shape: number): number {
    const used = away(shape);
    const scale = this.#scaleAt(used);
    return -this.#excesses.length * log(scale) - (1 + 1 / used) * this.#logarithms(used / scale);
  }

  #score(shape: number): number {
    const used = away(shape);
    return (this.#logarithms(used / this.#scaleAt(used)) - this.#excesses.length * used) / (used * used);
  }

  #logarithms(rate: number): number {
    let sum = 0;
    for (const x of this.#excesses) sum += log1p(rate * x);
    return sum;
  }

  /** The best scale of a shape, by Newton's method on a logarithmic scale, with halving as safeguard. For a positive shape it is at most the mean excess, else at least. */
  #scaleAt(shape: number): number {
    const excesses = this.#excesses;
    const target = excesses.length / (1 + shape);
    let low = shape > 0 ? 0 : Math.max(this.#mean, -shape * this.#largest);
    let high = shape > 0 ? this.#mean : Infinity;
    let scale = this.#last > low && this.#last < high ? this.#last : shape > 0 ? this.#mean : Math.max(this.#mean, (0.01 - shape) * this.#largest);
    for (let step = 0; step < 200; step++) {
      let value = 0;
      let slope = 0;
      for (let i = 0; i < excesses.length; i++) {
        const reach = scale + shape * excesses[i]!;
        const term = excesses[i]! / reach;
        value += term;
        slope += term / reach;
      }
      if (value >= target) low = scale;
      else high = scale;
      let next = scale * exp((value - target) / (slope * scale));
      if (!(next > low && next < high)) next = high === Infinity ? 2 * scale : low === 0 ? scale / 1024 : Math.sqrt(low) * Math.sqrt(high);
      const found = Math.abs(next - scale) <= 1e-10 * scale;
      scale = next;
      // The next step of Newton's method would be of the order of this one's square.
      if (found) break;
    }
    this.#last = scale;
    return scale;
  }
}

function squared(x: number): number {
  return x * x;
}

function away(shape: number): number {
  return Math.abs(shape) < SMALLEST_SHAPE ? SMALLEST_SHAPE : shape;
}

/** Where a function falls through 0 between two ends, by the Illinois variant of the rule of false position; an end, if it does not. */
function crossing(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let [above, below] = [f(low), f(high)];
  if (!(above > 0)) return low;
  if (!(below < 0)) return high;
  let side = 0;
  for (let step = 0; step < 100 && high - low > 1e-9; step++) {
    let x = (low * below - high * above) / (below - above);
    if (!(x > low && x < high)) x = (low + high) / 2;
    const value = f(x);
    if (value > 0) {
      if (x - low < 1e-10) return x;
      [low, above] = [x, value];
      if (side > 0) below /= 2;
      side = 1;
    } else {
      if (high - x < 1e-10) return x;
      [high, below] = [x, value];
      if (side < 0) above /= 2;
      side = -1;
    }
  }
  return (low + high) / 2;
}

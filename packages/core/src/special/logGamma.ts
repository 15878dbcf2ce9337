// log Gamma(x) in three ranges. Near its zeros 1 and 2: the Taylor series of log Gamma(2 + z) (DLMF 5.7.3), which keeps the relative accuracy.
// From 10 on: Stirling's series (DLMF 5.11.1), whose first omitted term is below 2e-18 there. Between: the recurrence Gamma(x) = (x - 1) Gamma(x - 1).
// We computed the constants: zeta(k) - 1 with mpmath at 40 digits, Stirling's from the Bernoulli numbers as fractions.
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";

/** log Gamma(1/2). */
export const HALF_LOG_PI = 0.5723649429247001;
const HALF_LOG_TWO_PI = 0.9189385332046728;
const ONE_MINUS_EULER = 0.42278433509846713;

/** zeta(k) - 1 for k = 2, 3, ...: with |z| <= 1/2 the first omitted term is below 2^-60. */
const ZETA_MINUS_ONE = [
  0.6449340668482264, 0.2020569031595943, 0.08232323371113819, 0.03692775514336993, 0.01734306198444914, 0.008349277381922827, 0.00407735619794434,
  0.0020083928260822143, 0.0009945751278180853, 0.0004941886041194645, 0.0002460865533080483, 0.00012271334757848915, 6.124813505870483e-5,
  3.058823630702049e-5, 1.528225940865187e-5, 7.637197637899763e-6, 3.81729326499984e-6, 1.908212716553939e-6, 9.539620338727962e-7,
  4.769329867878064e-7, 2.38450502727733e-7, 1.1921992596531106e-7, 5.960818905125948e-8, 2.980350351465228e-8, 1.4901554828365043e-8,
  7.45071178983543e-9, 3.725334024788457e-9, 1.862659723513049e-9,
];

/** B(2n) / (2n (2n - 1)) for n = 1, 2, ... */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/** The natural logarithm of the gamma function for x > 0, within 1e-15 + 4e-16 |log Gamma(x)| of the true value; near 1 and 2 the accuracy is relative. */
export function logGamma(x: number): number {
  if (x < 0.5) return logGamma(x + 1) - log(x);
  if (x < 1.5) return logGammaOnePlus(x - 1);
  if (x < 2.5) return aboveTwo(x - 2);
  if (x < 10) {
    let product = 1;
    let y = x;
    while (y >= 2.5) {
      y -= 1;
      product *= y;
    }
    return log(product) + aboveTwo(y - 2);
  }
  const square = 1 / (x * x);
  let tail = 0;
  for (let n = STIRLING.length - 1; n >= 0; n--) tail = tail * square + STIRLING[n]!;
  return (x - 0.5) * log(x) - x + HALF_LOG_TWO_PI + tail / x;
}

/** log Gamma(1 + z) for z >= -1/2; 1 + z would lose the digits of a small z. */
export function logGammaOnePlus(z: number): number {
  return z > 0.5 ? logGamma(1 + z) : aboveTwo(z) - log1p(z);
}

/** log Gamma(2 + z) = (1 - Euler's constant) z + sum over k >= 2 of (zeta(k) - 1) (-z)^k / k. */
function aboveTwo(z: number): number {
  let sum = 0;
  for (let i = ZETA_MINUS_ONE.length - 1; i >= 0; i--) sum = -z * sum + ZETA_MINUS_ONE[i]! / (i + 2);
  return z * (ONE_MINUS_EULER + z * sum);
}

// One tail of a stable distribution of index A in (1, 2), after J. P. Nolan, "Numerical calculation of stable densities and distribution functions",
// Stochastic Models 13 (1997), theorem 1; the series is from V. M. Zolotarev, "One-dimensional stable distributions" (1986). Angles are in units of pi and
// measured from the end where Nolan's theta is pi/2. For z > 0, in the unit of Zolotarev's form, this turns Nolan's integral into
//   P(Z >= z) = integral over 0 < e < E of exp(-z^q W(e)) de,   q = A / (A - 1),   E = P(Z > 0) = (1 - d) / A,
//   W(e) = (sin e / sin(d + A e))^q sin(d + (A - 1) e) / sin e,   W rising to infinity at E, where d + A E = 1;
// d in [0, 2 - A] says how heavy this tail is: P(Z >= z) is about sin(pi d) Gamma(A) z^-A / pi, and lighter than any power if d = 0.
import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { sinPi } from "../elementary/sinPi.js";
import { lowerGammaRatio } from "../special/incompleteGamma.js";
import { logGamma } from "../special/logGamma.js";
import { integrateInterval } from "../special/quadrature.js";

const LOG_746 = 6.61472560020376;

export interface StableTail {
  /** P(Z >= z) for z >= 0. */
  survival(z: number): number;
  /** E[Z 1{0 < Z <= z}] for z >= 0. */
  partialMean(z: number): number;
}

/** `total` is E[Z 1{Z > 0}]. */
export function stableTail(index: number, d: number, total: number): StableTail {
  const q = index / (index - 1);
  const end = (1 - d) / index;
  const logGammaOne = logGamma(1 + 1 / q);

  // log W from both distances, each exact: sin(d + A e) = sin(A (E - e)).
  function logW(fromLow: number, toHigh: number): number {
    const sine = sinPi(fromLow);
    const other = fromLow < toHigh ? sinPi(d + index * fromLow) : sinPi(index * toHigh);
    return q * log(sine / other) + log(sinPi(d + (index - 1) * fromLow) / sine);
  }

  /** Integrates f(log(z^q W)) over e, in two parts that meet at z^q W = 1, where the integrands change. */
  function integrate(z: number, f: (logPower: number) => number): number {
    const base = q * log(z);
    let [low, high] = [0, end];
    for (let step = 0; step < 40; step++) {
      const middle = 0.5 * (low + high);
      if (base + logW(middle, end - middle) < 0) low = middle;
      else high = middle;
    }
    const turn = 0.5 * (low + high);
    const rest = end - turn;
    return (
      integrateInterval((fromLow, toHigh) => f(base + logW(fromLow, toHigh + rest)), turn) +
      integrateInterval((fromLow, toHigh) => f(base + logW(turn + fromLow, toHigh)), rest)
    );
  }

  /**
   * The sum over k of sin(pi k d) Gamma(k A) / (pi k!) z^-kA, each term times weight(k), or undefined if it does not settle. Zolotarev's series of the tail
   * eventually diverges, but for large z its terms fall below rounding before that.
   */
  function series(z: number, weight: (k: number) => number): number | undefined {
    const logZ = log(z);
    let sum = 0;
    let logFactorial = 0;
    let previous = Infinity;
    for (let k = 1; k < 60; k++) {
      logFactorial += log(k);
      const size = exp(logGamma(k * index) - logFactorial - k * index * logZ);
      if (!(size < previous)) return undefined;
      sum += (size * sinPi(k * d) * weight(k)) / Math.PI;
      if (size < 1e-17 * sum) return sum;
      previous = size;
    }
    return undefined;
  }

  return {
    survival(z) {
      if (z === 0) return end;
      // W rises, so a light tail (d = 0) is below every double where z^q W(0) is above 746.
      if (q * log(z) + logW(1e-300, end) > LOG_746) return 0;
      const far = d > 0 && z > 2 ? series(z, () => 1) : undefined;
      return far ?? integrate(z, (logPower) => exp(-exp(logPower)));
    },
    partialMean(z) {
      if (z === 0) return 0;
      if (z === Infinity) return total;
      // E[Z 1{Z >= z}] term by term: z^-kA in the survival function gives z^(1 - kA) kA / (kA - 1).
      const far = d > 0 && z > 2 ? series(z, (k) => (k * index) / (k * index - 1)) : undefined;
      if (far !== undefined) return total - z * far;
      // W^(-1/q) gamma(1 + 1/q, z^q W) = z (z^q W)^(-1/q) gamma(1 + 1/q, z^q W).
      // Where z^q W is below e^-40, this is z^q W / (1 + 1/q) to all digits; the first factor alone would overflow.
      return (
        z *
        integrate(z, (logPower) =>
          logPower < -40 ? exp(logPower) / (1 + 1 / q) : exp(logGammaOne - logPower / q) * lowerGammaRatio(1 + 1 / q, exp(logPower)),
        )
      );
    },
  };
}

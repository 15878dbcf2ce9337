// Student's t times `scale` (Johnson, Kotz and Balakrishnan, "Continuous univariate distributions" 2, chapter 28). For dof <= 1 it has no mean.
import { cosPi } from "../elementary/cosPi.js";
import { exp } from "../elementary/exp.js";
import { expm1 } from "../elementary/expm1.js";
import { log } from "../elementary/log.js";
import { log1p } from "../elementary/log1p.js";
import { pow } from "../elementary/pow.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { incompleteBeta } from "../special/incompleteBeta.js";
import { HALF_LOG_PI, logGamma } from "../special/logGamma.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { momentByQuadrature } from "./moments.js";
import { SCALE_RANGE } from "./ranges.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

export const STUDENT_T = {
  dof: { type: "number", above: 1, atMost: 1000, description: "the degrees of freedom, not only integers: the tail index" },
  scale: { ...SCALE_RANGE, description: "the factor of the standard distribution" },
} as const satisfies Parameters;

/**
 * Student's t times `scale`: symmetric, both tails of index dof.
 *
 * @example
 * ```ts
 * import { studentT } from "tsallis";
 *
 * const distribution = studentT({ dof: 1.5, scale: 1 });
 * console.log(distribution.mean, distribution.variance, distribution.cdf(0)); // 0 Infinity 0.5
 * ```
 */
export function studentT(options: Completed<typeof STUDENT_T>, path = ""): DetailedDistribution {
  const { dof, scale } = completeOptions(STUDENT_T, options, path);
  const unit = scale * Math.sqrt(dof);
  const absoluteMoment = (order: number) =>
    order < dof ? exp(order * log(unit) + logGamma(0.5 * (order + 1)) + logGamma(0.5 * (dof - order)) - HALF_LOG_PI - logGamma(0.5 * dof)) : Infinity;
  const halfMean = 0.5 * absoluteMoment(1);
  // log(1 + (x / unit)^2), also where the square or the ratio would overflow.
  const logTerm = (x: number) => {
    const ratio = Math.abs(x / unit);
    return ratio < 1e8 ? log1p(ratio * ratio) : 2 * (log(Math.abs(x)) - log(unit));
  };
  // P(X >= x) for x >= 0 is half of I at 1 / (1 + (x / unit)^2). Beyond 1e100 units the tail equals its power to all digits.
  const tail = (x: number) => {
    const ratio = Math.min(x / unit, 1e100);
    const square = ratio * ratio;
    return 0.5 * incompleteBeta(1 / (1 + square), square / (1 + square), 0.5 * dof, 0.5) * pow(ratio === 1e100 ? (1e100 * unit) / x : 1, dof);
  };
  // E[X 1{a <= X <= b}] for 0 <= a <= b: the density times x has a closed integral.
  const positivePart = (a: number, b: number) => {
    const from = 0.5 * (dof - 1) * logTerm(a);
    return a < b ? halfMean * exp(-from) * -expm1(from - 0.5 * (dof - 1) * logTerm(b)) : 0;
  };

  const distribution: DetailedDistribution = completeDistribution({
    spec: { distribution: "student-t", dof, scale },
    mean: 0,
    variance: dof > 2 ? (scale * scale * dof) / (dof - 2) : Infinity,
    low: -Infinity,
    high: Infinity,
    leftIndex: dof,
    rightIndex: dof,
    closedPartialMean: true,
    absoluteMoment,
    momentAbout: (centre, order) => momentByQuadrature(distribution, centre, order, 0, scale),
    partialMean: (low, high) => positivePart(Math.max(low, 0), high) - positivePart(Math.max(-high, 0), -low),
    cdf: (x) => (x > 0 ? 1 - tail(x) : tail(-x)),
    survival: (x) => (x > 0 ? tail(x) : 1 - tail(-x)),
    // R. W. Bailey, "Polar generation of random variates with the t-distribution", Math. Comp. 62 (1994).
    sample(rng) {
      const radius = Math.sqrt(expm1((-2 / dof) * log(rng.open())));
      return unit * radius * cosPi(2 * rng.uniform());
    },
    verdict: symmetricVerdict,
  });
  return distribution;
}

import type { Parameters } from "../parameters.js";
import { BERNOULLI, bernoulli } from "./bernoulli.js";
import { BURR, burr } from "./burr.js";
import { CONSTANT, constant } from "./constant.js";
import type { DetailedDistribution } from "./distribution.js";
import { FRECHET, frechet } from "./frechet.js";
import { LOG_NORMAL, logNormal } from "./logNormal.js";
import { LOMAX, lomax } from "./lomax.js";
import { MIXTURE, mixture } from "./mixture.js";
import { NEGATED, negated } from "./negated.js";
import { NORMAL, normal } from "./normal.js";
import { PARETO, pareto } from "./pareto.js";
import { SCALED, scaled } from "./scaled.js";
import { SHIFTED, shifted } from "./shifted.js";
import { SIGNED, signed } from "./signed.js";
import { STABLE, stable } from "./stable.js";
import { STUDENT_T, studentT } from "./studentT.js";
import { THINNED, thinned } from "./thinned.js";
import { TWO_POINT, twoPoint } from "./twoPoint.js";
import { UNIFORM, uniform } from "./uniform.js";
import { WEIBULL, weibull } from "./weibull.js";

/** What the table says of a distribution. */
export interface DistributionEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** Checks the options against `parameters`; distributions inside them are Distribution objects already. `path` is put before each name in messages. */
  create(options: unknown, path?: string): DetailedDistribution;
}

/**
 * Every distribution, by the name that specs use. Listings, schemas and the conformance tests read this table.
 *
 * @example
 * ```ts
 * import { DISTRIBUTIONS } from "tsallis";
 *
 * console.log(Object.keys(DISTRIBUTIONS).length, Object.keys(DISTRIBUTIONS.pareto.parameters)); // 19 [ 'shape', 'scale' ]
 * ```
 */
export const DISTRIBUTIONS: Readonly<Record<string, DistributionEntry>> = {
  pareto: { parameters: PARETO, create: pareto, description: "Pareto I: P(X >= x) = (scale / x)^shape from scale on" },
  lomax: { parameters: LOMAX, create: lomax, description: "Lomax, a Pareto that starts at 0: P(X >= x) = (1 + x / scale)^-shape" },
  frechet: { parameters: FRECHET, create: frechet, description: "Frechet: P(X <= x) = exp(-(x / scale)^-shape)" },
  burr: { parameters: BURR, create: burr, description: "Burr XII: P(X >= x) = (1 + (x / scale)^c)^-k" },
  "log-normal": { parameters: LOG_NORMAL, create: logNormal, description: "log-normal: log X is normal" },
  weibull: { parameters: WEIBULL, create: weibull, description: "Weibull: P(X >= x) = exp(-(x / scale)^shape)" },
  "student-t": { parameters: STUDENT_T, create: studentT, description: "Student's t: symmetric, both tails of index dof" },
  stable: { parameters: STABLE, create: stable, description: "alpha-stable with mean 0: tails of the given index, one heavier by skew" },
  normal: { parameters: NORMAL, create: normal, description: "normal" },
  uniform: { parameters: UNIFORM, create: uniform, description: "uniform between low and high" },
  bernoulli: { parameters: BERNOULLI, create: bernoulli, description: "1 with probability p, else 0" },
  constant: { parameters: CONSTANT, create: constant, description: "always the same value" },
  "two-point": { parameters: TWO_POINT, create: twoPoint, description: "a value with some probability, else 0" },
  signed: { parameters: SIGNED, create: signed, description: "a distribution of sizes with a random sign, + with probability p" },
  thinned: { parameters: THINNED, create: thinned, description: "another distribution with probability q, else 0" },
  shifted: { parameters: SHIFTED, create: shifted, description: "another distribution plus a number" },
  scaled: { parameters: SCALED, create: scaled, description: "another distribution times a positive number" },
  negated: { parameters: NEGATED, create: negated, description: "another distribution with its sign reversed" },
  mixture: { parameters: MIXTURE, create: mixture, description: "one of several distributions, chosen with given weights" },
};

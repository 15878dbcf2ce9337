import { show, TsallisError } from "../errors.js";
import { ADA2_TINF_BOUNDS } from "./ada2TINF.js";
import { ADAR_UCB_BOUNDS } from "./adaRUCB.js";
import { ADA_TINF_BOUNDS } from "./adaTINF.js";
import { APE2_BOUNDS } from "./ape2.js";
import type { Bound } from "./bound.js";
import { DELAYED_TSALLIS_INF_BOUNDS } from "./delayedTsallisINF.js";
import { FORCE_MOM_BOUNDS } from "./forceMoM.js";
import { HTINF_BOUNDS } from "./htinf.js";
import { LOWER_BOUNDS } from "./lowerBounds.js";
import { MR_BOUNDS } from "./mr.js";
import { OMD_LB_HT_BOUNDS } from "./omdLBHT.js";
import { OPT_TINF_BOUNDS } from "./optTINF.js";
import { ROBUST_UCB_BOUNDS } from "./robustUCB.js";
import { SIGNED_TINF_BOUNDS } from "./signedTINF.js";
import { TSALLIS_INF_BOUNDS } from "./tsallisINF.js";
import { UNI_INF_BOUNDS } from "./uniINF.js";

/**
 * Every bound of Table 1 of Huang, Dai and Huang (ICML 2022) and of its four theorems, in the order of the table, then those of later policies and of our own.
 *
 * @example
 * ```ts
 * import { BOUNDS } from "tsallis";
 *
 * console.log(BOUNDS.filter(({ policy }) => policy === "htinf").map(({ id }) => id)); // [ 'htinf/adversarial', 'htinf/stochastically-constrained' ]
 * ```
 */
export const BOUNDS: readonly Bound[] = Object.freeze([
  ...LOWER_BOUNDS,
  ...ROBUST_UCB_BOUNDS,
  ...APE2_BOUNDS,
  ...TSALLIS_INF_BOUNDS,
  ...HTINF_BOUNDS,
  ...OPT_TINF_BOUNDS,
  ...ADA_TINF_BOUNDS,
  ...ADA2_TINF_BOUNDS,
  ...ADAR_UCB_BOUNDS,
  ...MR_BOUNDS,
  ...FORCE_MOM_BOUNDS,
  ...UNI_INF_BOUNDS,
  ...OMD_LB_HT_BOUNDS,
  ...DELAYED_TSALLIS_INF_BOUNDS,
  ...SIGNED_TINF_BOUNDS,
]);

/**
 * The bound of that id; throws ERR_UNKNOWN_NAME if there is none.
 *
 * @example
 * ```ts
 * import { bound } from "tsallis";
 *
 * const { exponents, corrected } = bound("htinf/adversarial");
 * console.log(exponents.horizon(1.5).toFixed(2), corrected({ arms: 3, horizon: 1e6, alpha: 1.5, sigma: 1 })?.toFixed(0)); // 0.67 432675
 * ```
 */
export function bound(id: string): Bound {
  const found = BOUNDS.find((candidate) => candidate.id === id);
  if (found === undefined) {
    throw new TsallisError("ERR_UNKNOWN_NAME", "id", id, `no bound ${show(id)}; known bounds: ${BOUNDS.map((known) => known.id).join(", ")}`);
  }
  return found;
}

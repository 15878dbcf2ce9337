import { show, TsallisError } from "../errors.js";
import { ADA2TINF_BOUNDS } from "./ada2TINF.js";
import { ADATINF_BOUNDS } from "./adaTINF.js";
import { APE2_BOUNDS } from "./ape2.js";
import type { Bound } from "./bound.js";
import { HTINF_BOUNDS } from "./htinf.js";
import { LOWER_BOUNDS } from "./lowerBounds.js";
import { OPTTINF_BOUNDS } from "./optTINF.js";
import { ROBUST_UCB_BOUNDS } from "./robustUcb.js";
import { TSALLIS_INF_BOUNDS } from "./tsallisInf.js";

/** Every bound of Table 1 of Huang, Dai and Huang (ICML 2022) and of its four theorems, in the order of the table. */
export const BOUNDS: readonly Bound[] = Object.freeze([
  ...LOWER_BOUNDS,
  ...ROBUST_UCB_BOUNDS,
  ...APE2_BOUNDS,
  ...TSALLIS_INF_BOUNDS,
  ...HTINF_BOUNDS,
  ...OPTTINF_BOUNDS,
  ...ADATINF_BOUNDS,
  ...ADA2TINF_BOUNDS,
]);

export function bound(id: string): Bound {
  const found = BOUNDS.find((candidate) => candidate.id === id);
  if (found === undefined) {
    throw new TsallisError("ERR_UNKNOWN_NAME", "id", id, `no bound ${show(id)}; known bounds: ${BOUNDS.map((known) => known.id).join(", ")}`);
  }
  return found;
}

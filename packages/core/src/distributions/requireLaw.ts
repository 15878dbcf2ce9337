import { show, TsallisError } from "../errors.js";
import type { Distribution } from "./distribution.js";
import type { Law } from "./law.js";

/** Combinators work on laws of this library only: for a foreign one there would be no spec that rebuilds the result, and no tails to compute its moments from. */
export function requireLaw(distribution: Distribution, name: string): Law {
  if (!("momentAbout" in distribution && "truncatedNonNegativity" in distribution)) {
    throw new TsallisError(
      "ERR_PARAMETER",
      name,
      distribution,
      `${name} must be a distribution made by this library, such as pareto({ shape, scale }), got ${show(distribution)}`,
    );
  }
  return distribution as Law;
}

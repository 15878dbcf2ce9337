import type { Distribution } from "../distributions/distribution.js";
import { TsallisError } from "../errors.js";
import { requireMeans } from "./requireMeans.js";

/** Guards environments that have two lists of distributions, `arms` and `alternate`. */
export function requireAlternate(arms: readonly Distribution[], alternate: readonly Distribution[], path: string): void {
  requireMeans(arms, `${path}arms`);
  requireMeans(alternate, `${path}alternate`);
  if (alternate.length !== arms.length) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}alternate`,
      alternate.length,
      `${path}alternate must have as many distributions as arms, ${arms.length}, got ${alternate.length}`,
    );
  }
}

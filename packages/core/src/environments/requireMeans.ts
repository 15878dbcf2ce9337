import type { Distribution } from "../distributions/distribution.js";
import { show, TsallisError } from "../errors.js";

/** Regret compares means, so an arm's distribution must have a finite mean. `name` is the list's, with its path. */
export function requireMeans(distributions: readonly Distribution[], name: string): void {
  for (const [i, distribution] of distributions.entries()) {
    if (!Number.isFinite(distribution.mean)) {
      throw new TsallisError(
        "ERR_PARAMETER",
        `${name}[${i}]`,
        distribution.spec,
        `${name}[${i}] must have a finite mean, because regret is a difference of means; the mean of ${show(distribution.spec)} is ${show(distribution.mean)}`,
      );
    }
  }
}

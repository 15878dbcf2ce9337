import type { Distribution } from "../distributions/distribution.js";
import { show, TsallisError } from "../errors.js";

/** Regret compares means, so an arm's law must have a finite mean. `name` is the list's, with its path. */
export function requireMeans(laws: readonly Distribution[], name: string): void {
  for (const [i, law] of laws.entries()) {
    if (!Number.isFinite(law.mean)) {
      throw new TsallisError(
        "ERR_PARAMETER",
        `${name}[${i}]`,
        law.spec,
        `${name}[${i}] must have a finite mean, because regret is a difference of means; the mean of ${show(law.spec)} is ${show(law.mean)}`,
      );
    }
  }
}

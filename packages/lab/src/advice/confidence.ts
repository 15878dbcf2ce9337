import { normal } from "tsallis";

const STANDARD = normal({ mean: 0, deviation: 1 });

/** The 97.5 % quantile of the standard normal law, for 95 % intervals. */
export const Z95 = confidence(1);

/** The quantile with which `statements` two-sided intervals hold together with a probability of 95 % (Bonferroni). */
export function confidence(statements: number): number {
  return -STANDARD.quantile(0.025 / statements);
}

/**
 * Statistics of heavy-tailed numbers: quantiles, sums and means, intervals, tests, tails and moments, and numbers as text.
 *
 * @module
 */
export { type ArmLosses, FEWEST_LOSSES } from "./armLosses.js";
export { chiSquareTail } from "./chiSquareTail.js";
export { CompensatedSum, mean } from "./compensatedSum.js";
export { type ArmFindings, type LossFindings, lossFindings, type PooledFindings, type Tails } from "./findings.js";
export { formatCount, formatInterval, formatNumber, formatPercent, powerOfTen } from "./formatNumber.js";
export type { HillPoint, Tail } from "./hill.js";
export { type Estimate, type Interval, wilsonInterval, Z95 } from "./interval.js";
export { medianEstimate } from "./medianEstimate.js";
export type { ParetoTail } from "./paretoTail.js";
export { observedQuantile, quantile, quantileOfSorted } from "./quantile.js";
export { type RankTest, rankTest } from "./rankTest.js";
export type { Sigma } from "./sigmas.js";
export { type Standardised, standardised } from "./standardised.js";
export type { TruncatedMean, TruncatedNonNegativity } from "./truncatedNonNegativity.js";

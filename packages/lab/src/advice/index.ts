export { type Advice, type ArmFindings, advise, type PooledFindings, type Tails } from "./advise.js";
export { type ArmLosses, FEWEST_LOSSES } from "./armLosses.js";
export { hillSvg } from "./hillFigure.js";
export type { HillPoint } from "./hillPlot.js";
export type { Recommendation } from "./recommend.js";
export type { Sigma } from "./sigmas.js";
export type { Tail } from "./tail.js";
export type { TruncatedMean } from "./truncatedMeanProfile.js";
export type { TruncatedNonNegativity } from "./truncatedNonNegativity.js";

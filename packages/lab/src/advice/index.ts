export { type Advice, advise } from "./advise.js";
export { hillSvg } from "./hillFigure.js";
export type { Recommendation } from "./recommend.js";

export { drawReport, type Report } from "./figures/drawReport.js";
export { type ComparedResults, renderComparison } from "./page/renderComparison.js";
export { renderEvaluation } from "./page/renderEvaluation.js";
export { renderFigures, renderReport } from "./page/renderReport.js";
export { type Finding, type Verification, verifyResults } from "./verifyResults.js";
export { type WriteOptions, writeResults } from "./writeResults.js";

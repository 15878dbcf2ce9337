export { type WriteOptions, writeResults } from "../writeResults.js";
export { drawReport, type Report } from "./figures/drawReport.js";
export { renderFigures, renderReport } from "./page/renderReport.js";

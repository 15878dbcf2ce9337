/** What a page needs to play runs and to judge losses: no file, thread or clock of Node is behind it. */
export { type Advice, advise } from "./advice/advise.js";
export { isStuck } from "./analysis/stuck.js";
export type { LabEnvironmentSpec } from "./document/experiment.js";
export { type ResolvedRun, resolveRun } from "./document/resolveRun.js";
export { LabError, type LabErrorCode } from "./labError.js";
export { checkpoints } from "./run/checkpoints.js";
export { lastFifth } from "./run/lastFifth.js";
export { Play, type PlaySettings, type RunTotals } from "./run/play.js";
export { type ApplicableBound, applicableBounds, type Guarantee, type Objection, type Situation } from "./theory/applicableBounds.js";
export { uniformRegret } from "./theory/uniformRegret.js";

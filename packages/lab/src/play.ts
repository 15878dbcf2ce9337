/** What a page needs to play runs: no file, thread or clock of Node is behind it. */
export type { LabEnvironmentSpec } from "./document/experiment.js";
export { type ResolvedRun, resolveRun } from "./document/resolveRun.js";
export { LabError, type LabErrorCode } from "./labError.js";
export { checkpoints } from "./run/checkpoints.js";
export { Play, type PlaySettings, type RunTotals } from "./run/play.js";
export { type ApplicableBound, applicableBounds, type Guarantee, type Objection, type Situation } from "./theory/applicableBounds.js";

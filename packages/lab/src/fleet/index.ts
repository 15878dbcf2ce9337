export { abortable } from "./abortable.js";
export { type Engine, openEngine } from "./engine.js";
export { Fleet, type FleetExperiment, type FleetMemberState, type FleetProgress, type FleetState } from "./fleet.js";
export type { FleetListener } from "./fleetListener.js";
export { queueExecutor } from "./queueExecutor.js";
export { parseQueueUrl, type QueueUrl } from "./queueUrl.js";
export { type FleetWorker, startWorker, type WorkerEvent, type WorkerOptions } from "./startWorker.js";
export { within } from "./within.js";
export type { FleetMember } from "./workerName.js";

export type { FleetListener } from "./coordinator/fleetListener.js";
export { queueExecutor } from "./coordinator/queueExecutor.js";
export { Fleet, type FleetExperiment, type FleetMemberState, type FleetProgress, type FleetState } from "./fleet.js";
export { abortable } from "./queue/abortable.js";
export { type Engine, openEngine } from "./queue/engine.js";
export { parseQueueUrl, type QueueUrl } from "./queue/queueUrl.js";
export { within } from "./queue/within.js";
export type { FleetMember } from "./queue/workerName.js";
export { type FleetWorker, startWorker, type WorkerEvent, type WorkerOptions } from "./worker/startWorker.js";

/** Where BullMQ keeps jobs that no worker has begun, and the others. */
export const QUEUED_STATES = ["wait", "prioritized", "delayed"] as const;
export const BEGUN_STATES = ["active", "completed", "failed"] as const;
export const ALL_STATES = [...QUEUED_STATES, ...BEGUN_STATES] as const;

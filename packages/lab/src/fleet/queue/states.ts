/** Where BullMQ keeps jobs that no worker has begun. */
export const QUEUED_STATES = ["wait", "prioritized", "delayed"] as const;
export const ALL_STATES = [...QUEUED_STATES, "active", "completed", "failed"] as const;

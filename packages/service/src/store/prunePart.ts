/** Events that are deleted in one transaction, and the pause after it in which others can write: a log may have millions, and writers wait some seconds only. */
export const PRUNE = { events: 10_000, pauseMs: 50 } as const;

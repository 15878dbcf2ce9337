import { setTimeout as pause } from "node:timers/promises";

/** Whether a promise settles in time, whether it resolves or rejects. */
export async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = pause(milliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([settled, late]);
  } finally {
    timer.abort();
  }
}

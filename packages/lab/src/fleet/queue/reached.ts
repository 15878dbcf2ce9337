import { abortable } from "./abortable.js";
import { QueueError } from "./queueError.js";

/** How long a coordinator, and a worker that starts, wait for a server that is not there. */
export const PATIENCE_MS = 600_000;
/** The pauses between two attempts: the first, and the longest. */
const FIRST_MS = 500;
const LONGEST_MS = 5000;

/**
 * Tries until the server is there, as it will be soon where everything starts at once. Rejects at once if waiting cannot help, after the patience with
 * the last error, and with the reason of an abort. `onWait` is told each new reason to wait.
 */
export async function reached<T>(attempt: () => Promise<T>, onWait: (reason: string) => void, signal: AbortSignal): Promise<T> {
  const start = performance.now();
  let told: string | undefined;
  for (let ms = FIRST_MS; ; ms = Math.min(2 * ms, LONGEST_MS)) {
    try {
      return await abortable(attempt(), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof QueueError) || error.isFinal || performance.now() - start > PATIENCE_MS) throw error;
      if (error.reason !== told) onWait(error.reason);
      told = error.reason;
    }
    await abortable(new Promise((resolve) => setTimeout(resolve, ms)), signal);
  }
}

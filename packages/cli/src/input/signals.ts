/**
 * Runs code of the user's own on this thread. It may never return, and then no listener gets its turn: so Ctrl-C has none meanwhile, and ends the process
 * at once.
 */
export async function endable<T>(run: () => T | Promise<T>): Promise<T> {
  const listeners = process.rawListeners("SIGINT") as NodeJS.SignalsListener[];
  process.removeAllListeners("SIGINT");
  try {
    return await run();
  } finally {
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}

/** Resolves at the first SIGTERM or when the given signal aborts, as it does at Ctrl-C. After that, a second SIGTERM or Ctrl-C ends the process at once. */
export function firstSignal(interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const name of ["SIGINT", "SIGTERM"]) process.removeAllListeners(name);
      resolve();
    };
    if (interrupted.aborted) return stop();
    interrupted.addEventListener("abort", stop, { once: true });
    process.once("SIGTERM", stop);
  });
}

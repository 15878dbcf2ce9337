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

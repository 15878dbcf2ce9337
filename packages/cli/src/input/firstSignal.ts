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

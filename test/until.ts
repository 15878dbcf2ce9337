import { setTimeout } from "node:timers/promises";

/** How long a test waits for something before it fails. It is long enough for a busy machine. */
export const PATIENCE_MS = 300_000;

/** Waits until a condition holds; checks it again and again. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not come: ${what}`);
    await setTimeout(10);
  }
}

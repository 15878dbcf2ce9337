import { setTimeout } from "node:timers/promises";

/** What a test waits for has failed to come after so many milliseconds, however busy the machine. */
export const PATIENCE = 300_000;

/** Waits for a condition, asked again and again. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it did not come: ${what}`);
    await setTimeout(10);
  }
}

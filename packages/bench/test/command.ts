import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ended } from "../../cli/test/command.js";
import type { Ended } from "../../cli/test/ended.js";

const MAIN = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** Starts the benchmarks, as a child process. */
export function start(...args: string[]) {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...process.env, NO_COLOR: "1" } });
}

/** Everything that a benchmark printed, and its exit code. */
export function bench(...args: string[]): Promise<Ended> {
  return ended(start(...args));
}

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Ended } from "./ended.js";

const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));

/** Starts the real command, as a child process. */
export function start(...args: string[]) {
  return startIn(process.cwd(), ...args);
}

/** Starts the real command in another folder. */
export function startIn(cwd: string, ...args: string[]) {
  return spawn(process.execPath, [BIN, ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } });
}

/** Everything that a started command printed, and its exit code. */
export function ended(child: ReturnType<typeof start>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the real command on some stdin. */
export function tsallis(args: readonly string[], stdin = "", cwd = process.cwd()): Promise<Ended> {
  const child = startIn(cwd, ...args);
  // The command may end without having read everything.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return ended(child);
}

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder, and those that it lies in. Node's own way to do so never ends where a folder exists and nothing can be made in it, as in /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error;
  }
}

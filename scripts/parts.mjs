// The real parts that the tests need beside npm's packages. A later one (redis, postgresql) is one more line in PARTS.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** @param {string} program @returns {string | undefined} where PATH finds it */
function onPath(program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of Chromium or Chrome: $CHROMIUM if it is set, else from PATH. @returns {string | undefined} */
export function chromium() {
  if (process.env.CHROMIUM) return isExecutable(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined;
  return ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(onPath).find(Boolean);
}

/** `packages` are Debian's. @type {{ name: string, present: () => boolean, packages: string[] }[]} */
export const PARTS = [{ name: "Chromium", present: () => chromium() !== undefined, packages: ["chromium", "fonts-liberation"] }];

/** Whether this process may install Debian packages by itself. */
export function canInstall() {
  return process.getuid?.() === 0 && onPath("apt-get") !== undefined;
}

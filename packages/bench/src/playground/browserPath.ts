import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Failure } from "@tsallis/cli/dist/text/failure.js";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of Chromium or Chrome: $CHROMIUM if it is set, else from PATH. */
export function browserPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = process.env.CHROMIUM ? [process.env.CHROMIUM] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = paths.find(isExecutable);
  if (found === undefined)
    throw new Failure("ERR_FILE", "there is no Chromium; install it (Debian: apt-get install chromium), or name it in CHROMIUM", "chromium");
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

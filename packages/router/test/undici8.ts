import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];

/** undici 8 needs a newer Node than the rest of the repository. */
export const isRunnable = major > 22 || (major === 22 && minor >= 19);

/** Loads undici 8, and installs it first if it is not there. Its folder has its own lock file. */
export async function loadUndici8(): Promise<object> {
  const folder = fileURLToPath(new URL("undici8/", import.meta.url));
  const entry = `${folder}node_modules/undici/index.js`;
  if (!existsSync(entry)) execFileSync("npm", ["ci"], { cwd: folder, stdio: "ignore" });
  return import(entry);
}

// Builds every room: the TypeScript of all, then the pages, which are skipped if nothing that they are made of is newer than they are.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMON = ["packages/web/common", "packages/web/package.json", "package-lock.json", "scripts/build.mjs"];
/** The pages, what each is made of besides what they share, and where it goes. */
const PAGES = [
  { page: "packages/web/dashboard", sources: ["packages/core/dist"], folder: "packages/service/dashboard" },
  // The library and the lab's loop are part of it.
  { page: "packages/web/playground", sources: ["packages/core/dist", "packages/lab/dist"], folder: "packages/cli/playground" },
];

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const { status } = spawnSync(process.execPath, [tsc, "-b"], { cwd: ROOT, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

removeLeftovers();
for (const { page, sources, folder } of PAGES) {
  const made = existsSync(ROOT + folder) ? times(folder) : [];
  if (made.length > 1 && Math.min(...made) > Math.max(...[page, ...sources, ...COMMON].flatMap(times))) continue;
  const { build } = await import("vite");
  await build({ configFile: `${ROOT}${page}/vite.config.mjs`, logLevel: "warn" });
}

/** Removes what was built from sources that are gone, so that it is neither packed nor imported. */
function removeLeftovers() {
  for (const folder of readdirSync(`${ROOT}packages`).filter((name) => name !== "web")) {
    const room = `${ROOT}packages/${folder}/`;
    for (const path of readdirSync(`${room}dist`, { recursive: true }).map(String)) {
      const source = path.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/, ".ts");
      if (source !== path && !existsSync(`${room}src/${source}`)) rmSync(`${room}dist/${path}`);
    }
  }
}

/** When a file, or a folder and everything in it, last changed. @param {string} path @returns {number[]} */
function times(path) {
  const entry = statSync(ROOT + path);
  return [entry.mtimeMs, ...(entry.isDirectory() ? readdirSync(ROOT + path).flatMap((name) => times(`${path}/${name}`)) : [])];
}

// The programs that the tests need beside npm's packages.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

const DEBIAN_POSTGRES = "/usr/lib/postgresql";

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

/** The path of redis-server. @returns {string | undefined} */
export function redisServer() {
  return onPath("redis-server");
}

/** The folder of initdb and postgres. Debian keeps them off PATH, in one folder per version; the newest is taken. @returns {string | undefined} */
export function postgresFolder() {
  const onPathToo = onPath("postgres");
  if (onPathToo) return dirname(onPathToo);
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(DEBIAN_POSTGRES, version, "bin")).find((folder) => isExecutable(join(folder, "postgres")));
}

/** Whether pages get Arial or a font of the same widths, by which figures are laid out. Systems without fontconfig have Arial. */
function hasArial() {
  const { stdout, error } = spawnSync("fc-match", ["Arial"], { encoding: "utf8" });
  return error !== undefined || /Arial|Liberation Sans|Arimo/.test(stdout);
}

/** `packages` are Debian's. @type {{ name: string, present: () => boolean, packages: string[] }[]} */
export const PARTS = [
  { name: "Chromium", present: () => chromium() !== undefined, packages: ["chromium"] },
  { name: "a font as wide as Arial", present: hasArial, packages: ["fonts-liberation"] },
  { name: "Redis", present: () => redisServer() !== undefined, packages: ["redis-server"] },
  { name: "PostgreSQL", present: () => postgresFolder() !== undefined, packages: ["postgresql"] },
];

/** Whether this process may install Debian packages by itself. */
export function canInstall() {
  return process.getuid?.() === 0 && onPath("apt-get") !== undefined;
}

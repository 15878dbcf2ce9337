// `npm run site` builds the site into site/dist: the pages of docs/, the API reference, the playground and the results of an experiment that it runs. It fails if
// a link leads nowhere, or if the search does not find what it must.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BASE, REPOSITORY, SITE } from "../site/addresses.mjs";
import { checkLinks } from "./siteLinks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = `${ROOT}site/dist/`;
/** Words that a newcomer looks for, and the page that the search must find first, or among the first three. */
const SOUGHT = {
  install: "/get-started",
  "quick start": "/get-started",
  "get started": "/get-started",
  "how to choose a policy": "/guides/choosing-a-policy",
  "heavy tails": "/get-started",
  "load balancing": "/guides/route-by-latency",
  "late feedback": "/reference/policies",
  "truncated non-negativity": "/reference/distributions",
  "delete old events": "/reference/cli",
  "confidence interval": "/guides/reading-a-report",
};

const results = mkdtempSync(join(tmpdir(), "tsallis-site-"));
try {
  if (!existsSync(`${ROOT}node_modules`)) await run("npm", ["ci"]);
  if (!isInstalled()) await run("npm", ["ci"], "site");
  await node("scripts/build.mjs");
  // All of them end before an error ends this: none is left behind.
  const parts = await Promise.allSettled([
    node("site/api.mjs").then(() => node("site/node_modules/vitepress/bin/vitepress.js", "build", "site")),
    run(process.execPath, ["packages/cli/bin/tsallis.js", "run", "showdown", "--quiet", "--out", results], "", "ignore"),
  ]);
  for (const part of parts) if (part.status === "rejected") throw part.reason;
  cpSync(`${ROOT}packages/cli/playground`, `${DIST}playground`, { recursive: true });
  for (const picture of ["playground.png", "playground-dark.png"]) cpSync(`${ROOT}docs/${picture}`, DIST + picture);
  for (const part of ["report.html", "summary.json"]) cpSync(join(results, part), `${DIST}showdown/${part}`);
} finally {
  rmSync(results, { recursive: true });
}

const files = readdirSync(DIST, { recursive: true })
  .map((path) => String(path).split(sep).join("/"))
  .filter((path) => statSync(DIST + path).isFile());
const { pages, links, dead } = checkLinks({
  files,
  read: (path) => readFileSync(DIST + path, "utf8"),
  address: SITE ?? `http://localhost${BASE.replace(/\/$/, "")}`,
  repository: REPOSITORY,
  inRepository: (path) => existsSync(ROOT + path),
});
for (const link of dead) console.error(`a dead link: ${link}`);

// Its parts are in the site's own folder of packages, which the repository's types do not know.
const { search } = await import(new URL("../site/search.mjs", import.meta.url).href);
const lost = [];
for (const [words, page] of Object.entries(SOUGHT)) {
  const found = await search(words);
  if (!found.slice(0, 3).some((/** @type {string} */ id) => id.includes(page))) lost.push(words);
}
for (const words of lost) console.error(`the search does not find: ${words}`);

console.log(`site/dist: ${pages} pages, ${links} links, ${dead.length} dead`);
process.exit(dead.length + lost.length > 0 ? 1 : 0);

/** Whether the site's packages are those of its lock file. */
function isInstalled() {
  const [lock, installed] = [`${ROOT}site/package-lock.json`, `${ROOT}site/node_modules/.package-lock.json`];
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs;
}

/** @param {string} script @param {string[]} args */
function node(script, ...args) {
  return run(process.execPath, [script, ...args]);
}

/** Runs a program; rejects unless it ends well. @param {string} program @param {string[]} args @param {string} folder @param {"inherit" | "ignore"} output @returns {Promise<void>} */
function run(program, args, folder = "", output = "inherit") {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { cwd: ROOT + folder, stdio: ["ignore", output, "inherit"] });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? done() : reject(new Error(`${program} ${args.join(" ")} ended with ${code}`))));
  });
}

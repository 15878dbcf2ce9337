// `npm run site` builds the site into site/dist: the pages of docs/, the API reference, each page also as Markdown with a list of them in llms.txt, the playground
// and the results of an experiment that it runs. It fails if a link leads nowhere, if the search does not find what it must, or if axe finds a fault.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { BASE, REPOSITORY, SITE } from "../site/addresses.mjs";
import { llms } from "../site/llms.mjs";
import { SECTIONS } from "../site/sidebar.mjs";
import { siteViolations } from "./siteAxe.mjs";
import { checkLinks } from "./siteLinks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DIST = `${ROOT}site/dist/`;
/** What newcomers look for, and the page that the search must find first. */
const SOUGHT = {
  install: "/get-started",
  "quick start": "/get-started",
  "how to choose a policy": "/guides/choosing-a-policy",
  "what is regret": "/glossary",
  "heavy tails": "/glossary",
  "load balancing": "/guides/route-by-latency",
  "reward instead of loss": "/glossary",
  docker: "/guides/",
  "truncated non-negativity": "/reference/distributions",
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

for (const [folder, from] of [
  ["docs/", ""],
  ["site/", ""],
  ["site/api/", "api/"],
]) {
  const recursive = folder !== "site/";
  for (const path of readdirSync(ROOT + folder, { recursive }).map((each) => String(each).split(sep).join("/"))) {
    if (path.endsWith(".md")) writeMarkdown(from + path.replace(/^README\.md$/, "documentation.md"), readFileSync(ROOT + folder + path, "utf8"));
  }
}
const about = /^ {2}tagline: (.+)$/m.exec(readFileSync(`${ROOT}site/index.md`, "utf8"))?.[1] ?? "";
writeFileSync(
  `${DIST}llms.txt`,
  llms(about, SITE === null ? BASE : `${SITE}/`, (page) => readFileSync(`${ROOT}docs/${page}.md`, "utf8")),
);

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
  if (!found[0]?.includes(page)) lost.push(`${words}: ${found[0]} instead of ${page}`);
}
for (const words of lost) console.error(`the search does not find first: ${words}`);

const looked = ["", "documentation", "results", "api/", ...SECTIONS.flatMap((section) => section.pages.map(([, page]) => page ?? ""))];
const faults = await siteViolations(DIST, BASE, looked);
for (const fault of faults ?? []) console.error(`axe: ${fault}`);

console.log(
  `site/dist: ${pages} pages, ${links} links, ${dead.length} dead; axe: ${faults === undefined ? "not run, Chromium is missing" : `${looked.length} pages, ${faults.length} faults`}`,
);
process.exit(dead.length + lost.length + (faults?.length ?? 0) > 0 ? 1 : 0);

/** Puts the Markdown of a page next to it. @param {string} page @param {string} markdown */
function writeMarkdown(page, markdown) {
  mkdirSync(dirname(DIST + page), { recursive: true });
  writeFileSync(DIST + page, markdown.replaceAll("](../docs/", "]("));
}

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

// `npm run release`: packs the public packages, checks the tarballs, and publishes these tarballs, in the order of the workspaces. The workflow "release" runs
// it for a tag. With `-- --dry-run` it does all but publish, and asks no server, so that npm test can do it too. `-- --no-provenance` is for the first version of
// a package, which its owner has to publish by hand (CONTRIBUTING.md, "Releasing").
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { unfit, unfitTarball } from "./releaseChecks.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, "no-provenance": { type: "boolean" } } });
// npm takes the option for itself if the "--" before it is forgotten.
const dryRun = values["dry-run"] === true || process.env.npm_config_dry_run === "true";

const folder = mkdtempSync(join(tmpdir(), "tsallis-release-"));
try {
  process.exitCode = await release();
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns {Promise<number>} the exit code */
async function release() {
  const places = /** @type {string[]} */ (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).workspaces);
  const packages = places.map((place) => ({ place, ...manifestOf(place) })).filter((manifest) => !manifest.private);
  const tag = process.env.GITHUB_REF_TYPE === "tag" ? process.env.GITHUB_REF_NAME : undefined;
  const complaints = unfit(packages, readFileSync(join(ROOT, "CHANGELOG.md"), "utf8"), { tag, origin: origin(), final: !dryRun });
  if (complaints.length > 0) return refuse(complaints);

  const packed = packages.map(({ place, name, version }) => ({ name, id: `${name}@${version}`, tarball: pack(place) }));
  for (const { name, tarball } of packed) complaints.push(...(await unfitTarball(tarball)).map((what) => `${name}: ${what}`));
  if (complaints.length > 0) return refuse(complaints);
  return packed.every(({ id, tarball }) => publish(id, tarball)) ? 0 : 1;
}

/** The address of the repository: the workflow's, or the clone's. @returns {string | undefined} */
function origin() {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (server !== undefined && name !== undefined) return `${server}/${name}`;
  try {
    const address = execFileSync("git", ["remote", "get-url", "origin"], { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    return address.replace(/^git@([^:]+):/, "https://$1/").replace(/\.git$/, "");
  } catch {
    return undefined;
  }
}

/** @param {string[]} complaints */
function refuse(complaints) {
  console.error(`Nothing is published:\n${complaints.map((what) => `- ${what}`).join("\n")}`);
  return 1;
}

/** @param {string} place @returns {import("./releaseChecks.mjs").Manifest} */
function manifestOf(place) {
  return JSON.parse(readFileSync(join(ROOT, place, "package.json"), "utf8"));
}

/** @param {string} place @returns {string} the path of the tarball */
function pack(place) {
  const args = ["pack", "--silent", "--offline", "--dry-run=false", "--pack-destination", folder];
  return join(folder, execFileSync("npm", args, { cwd: join(ROOT, place), encoding: "utf8" }).trim());
}

/** @param {string} id name@version @param {string} tarball @returns {boolean} whether it worked */
function publish(id, tarball) {
  if (!dryRun && isPublished(id)) {
    console.log(`${id} is published already`);
    return true;
  }
  const args = ["publish", tarball, "--access", "public", ...(values["no-provenance"] ? [] : ["--provenance"])];
  try {
    execFileSync("npm", [...args, ...(dryRun ? ["--dry-run", "--offline", "--loglevel=error"] : [])], { stdio: "inherit" });
    return true;
  } catch {
    console.error(
      `${id} is not published, for the reason that npm gives above. Mend it and run this again: what is published already is passed over.`,
    );
    return false;
  }
}

/** @param {string} id */
function isPublished(id) {
  try {
    return execFileSync("npm", ["view", id, "version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() !== "";
  } catch {
    return false;
  }
}

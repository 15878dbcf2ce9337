// `npm test`: the real parts, the build, the types, lint and format, the tests. Arguments go to vitest: `npm test -- test/docs.test.ts`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { canInstall, PARTS } from "./parts.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const { resolve } = createRequire(import.meta.url);
const report = `${cwd}node_modules/.cache/vitest.json`;

installParts();
stopUnless(node("build", resolve("typescript/bin/tsc"), "-b"));
stopUnless(node("types of the tests", resolve("typescript/bin/tsc"), "-p", "tsconfig.test.json"));
stopUnless(node("lint and format", resolve("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."));

mkdirSync(`${cwd}node_modules/.cache`, { recursive: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const vitest = resolve("vitest/package.json").replace("package.json", "vitest.mjs");
const status = node("tests", vitest, "run", ...reporters, ...process.argv.slice(2));
printCounts(status);
process.exit(status);

function installParts() {
  const missing = PARTS.filter(({ present }) => !present());
  if (missing.length === 0) return;
  const packages = missing.flatMap((part) => part.packages).join(" ");
  if (!canInstall()) stopWithout(missing, packages);
  stopUnless(run("package lists", "apt-get", "update"));
  stopUnless(run(`install ${packages}`, "apt-get", "install", "-y", "--no-install-recommends", ...packages.split(" ")));
  if (missing.some(({ present }) => !present())) stopWithout(missing, packages);
}

/** @param {{ name: string }[]} missing @param {string} packages */
function stopWithout(missing, packages) {
  const names = missing.map(({ name }) => name).join(", ");
  console.error(`Not found: ${names}. Install with: sudo apt-get update && sudo apt-get install -y ${packages}`);
  process.exit(2);
}

/** @param {string} heading @param {string[]} args @returns {number} the exit code */
function node(heading, ...args) {
  return run(heading, process.execPath, ...args);
}

/** @param {string} heading @param {string} program @param {string[]} args @returns {number} the exit code */
function run(heading, program, ...args) {
  console.log(`\n== ${heading}`);
  const start = performance.now();
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, error } = spawnSync(program, args, { cwd, env, stdio: "inherit" });
  if (error) console.error(error.message);
  console.log(`== ${heading}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return status ?? 1;
}

/** @param {number} status */
function stopUnless(status) {
  if (status !== 0) process.exit(status);
}

/** The closing line. A test file that does not even load has no failed test of its own, but still counts. @param {number} status */
function printCounts(status) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
  const failed = numFailedTests || (status === 0 ? 0 : 1);
  const skipped = numPendingTests + numTodoTests;
  console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}

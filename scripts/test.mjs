// `npm test` installs missing programs, builds, lints, checks the format and the types, and runs all tests. Arguments go to vitest. If they name files, only
// what those need is done: `npm test -- packages/core/test/root.test.ts` builds nothing, `npm test -- fleet` builds and makes sure that the servers are there.
// `npm test -- --project=long` runs the tests of one kind; lint, format and types are checked with the unit tests.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { KINDS, kindOf, testFiles } from "./kinds.mjs";
import { canInstall, PARTS } from "./parts.mjs";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const { resolve } = createRequire(import.meta.url);
const report = `${cwd}node_modules/.cache/vitest.json`;
const args = process.argv.slice(2);
/** The value after such an option of vitest is not a file. @type {readonly string[]} */
const TAKE_VALUE = ["-t", "--testNamePattern", "--reporter", "--project", "--retry", "--bail"];

const words = args.filter((arg, i) => !arg.startsWith("-") && !TAKE_VALUE.includes(args[i - 1] ?? ""));
const named = namedFiles();
const projects = args.flatMap((arg, i) => (args[i - 1] === "--project" ? [arg] : (/^--project=(.+)$/.exec(arg)?.slice(1) ?? [])));
const kinds = KINDS.filter(
  (kind) => (words.length === 0 || named.some((path) => kindOf(path) === kind)) && (projects.length === 0 || projects.includes(kind)),
);
if (kinds.length === 0) {
  const sought = [...words, ...projects.map((project) => `--project=${project}`)];
  console.error(`No test file matches ${sought.join(" ")}. See them with: npx vitest list --filesOnly; the projects are ${KINDS.join(", ")}`);
  console.log("0 passed, 1 failed");
  process.exit(1);
}

if (kinds.includes("system")) await installParts();
if (words.length === 0 || kinds.includes("command") || kinds.includes("system")) stopUnless(await node("build", `${cwd}scripts/build.mjs`));
const tsc = resolve("typescript/bin/tsc");
const lint = ["lint and format", resolve("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."];
if (words.length === 0 && kinds.includes("unit")) stopUnless(await together([lint, ["types of the tests", tsc, "-p", "tsconfig.test.json"]]));

mkdirSync(`${cwd}node_modules/.cache`, { recursive: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const others = args.filter((arg, i) => !arg.startsWith("--project") && args[i - 1] !== "--project");
const vitest = resolve("vitest/package.json").replace("package.json", "vitest.mjs");
const status = await node("tests", vitest, "run", ...reporters, ...kinds.map((kind) => `--project=${kind}`), ...others);
process.exit(printCounts(status));

/** The test files that the arguments name by a part of the path, as in vitest. */
function namedFiles() {
  const parts = words.map((word) => word.replace(cwd, "").replace(/^\.\//, ""));
  return testFiles().filter((path) => parts.some((part) => path.includes(part)));
}

async function installParts() {
  const missing = PARTS.filter(({ present }) => !present());
  if (missing.length === 0) return;
  const packages = missing.flatMap((part) => part.packages).join(" ");
  if (!canInstall()) stopWithout(missing, packages);
  stopUnless(await run("package lists", "apt-get", "update"));
  stopUnless(await run(`install ${packages}`, "apt-get", "install", "-y", "--no-install-recommends", ...packages.split(" ")));
  if (missing.some(({ present }) => !present())) stopWithout(missing, packages);
}

/** @param {{ name: string }[]} missing @param {string} packages */
function stopWithout(missing, packages) {
  const names = missing.map(({ name }) => name).join(", ");
  console.error(`Not found: ${names}. Install with: sudo apt-get update && sudo apt-get install -y ${packages}`);
  process.exit(2);
}

/** Runs programs that do not need each other at the same time. @param {string[][]} programs @returns {Promise<number>} the first exit code that is not 0 */
async function together(programs) {
  const codes = await Promise.all(programs.map(([heading, ...rest]) => node(/** @type {string} */ (heading), ...rest)));
  return codes.find((code) => code !== 0) ?? 0;
}

/** @param {string} heading @param {string[]} rest @returns {Promise<number>} the exit code */
function node(heading, ...rest) {
  return run(heading, process.execPath, ...rest);
}

/** @param {string} heading @param {string} program @param {string[]} rest @returns {Promise<number>} the exit code */
function run(heading, program, ...rest) {
  console.log(`\n== ${heading}`);
  const start = performance.now();
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return new Promise((done) => {
    const child = spawn(program, rest, { cwd, env, stdio: "inherit" });
    child.on("error", (error) => {
      console.error(error.message);
      done(1);
    });
    child.on("close", (code) => {
      console.log(`== ${heading}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
      done(code ?? 1);
    });
  });
}

/** @param {number} code */
function stopUnless(code) {
  if (code !== 0) process.exit(code);
}

/** Prints the closing line. A test file that does not even load has no failed test, but still counts as a failure. @param {number} code */
function printCounts(code) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
  // A run without any test has shown nothing.
  const ran = numPassedTests + numFailedTests > 0;
  const failed = numFailedTests || (code === 0 && ran ? 0 : 1);
  const skipped = numPendingTests + numTodoTests;
  if (!ran) console.error("No test ran: nothing matches.");
  console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return code || (ran ? 0 : 1);
}

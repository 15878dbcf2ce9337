// `npm run new -- KIND NAME`, such as `npm run new -- distribution log-gamma`: writes the files of a new policy, distribution, environment or command, its
// exports, its entry in the table, its examples in the tests and its row in the reference. CONTRIBUTING.md says what to fill in. `npm run new -- bits`, at
// the end, writes what is computed: the losses, samples and hashes that tests hold. `--root DIR` works on a copy of the repository.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TEMPLATES } from "./new/templates.mjs";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const { values, positionals } = parseArgs({ options: { root: { type: "string" } }, allowPositionals: true });
const root = values.root ?? HERE;
const [kind = "", name = ""] = positionals;
/** @type {Set<string>} */
const changed = new Set();

/** @type {Record<string, (names: import("./new/templates.mjs").Names) => string[]>} what is registered, and the files that are left to fill in */
const KINDS = { policy: addPolicy, distribution: addDistribution, environment: addEnvironment, command: addCommand };

if (kind === "bits" && name === "") await writeBits();
else if (Object.hasOwn(KINDS, kind) && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)) add();
else stop(`Usage: npm run new -- ${Object.keys(KINDS).join("|")} NAME, with a NAME such as log-gamma; or npm run new -- bits`);

/** @param {string} message @returns {never} */
function stop(message) {
  console.error(message);
  process.exit(2);
}

function add() {
  const words = name.split("-").map((word) => word[0]?.toUpperCase() + word.slice(1));
  const pascal = words.join("");
  const names = { name, camel: `${pascal[0]?.toLowerCase()}${pascal.slice(1)}`, pascal, upper: name.replaceAll("-", "_").toUpperCase() };
  const files = Object.entries(TEMPLATES[/** @type {keyof typeof TEMPLATES} */ (kind)](names));
  for (const [path] of files) if (existsSync(join(root, path))) stop(`${path} exists already; choose another name`);
  for (const [path, text] of files) write(path, text);
  const left = /** @type {(typeof KINDS)[string]} */ (KINDS[kind])(names);
  const code = [...changed].filter((path) => /\.(?:ts|mjs)$/.test(path));
  const biome = ["check", "--write", "--vcs-enabled=false", `--config-path=${HERE}`, ...code];
  execFileSync(join(HERE, "node_modules/.bin/biome"), biome, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  console.log(
    `Written:\n${[...changed].map((path) => `  ${path}`).join("\n")}\nFill in, everywhere it says TODO:\n${left.map((path) => `  ${path}`).join("\n")}`,
  );
  console.log(`Then: ${kind === "command" ? "" : "npm run new -- bits, and "}npm test`);
}

/** @param {import("./new/templates.mjs").Names} names */
function addPolicy({ camel, pascal, upper }) {
  const table = "packages/core/src/policies/table.ts";
  insert(table, "", "import {", `import { ${upper}_PARAMETERS, ${pascal} } from "./${camel}.js";`);
  insert(
    table,
    "export const POLICIES",
    "};",
    `  "${name}": definePolicy(${pascal}, ${upper}_PARAMETERS, { description: "TODO", example: {}, needs: [], guarantee: null, experimental: true }),`,
  );
  addExport(`{ ${pascal}, type ${pascal}Options } from "./policies/${camel}.js"`, pascal, `type ${pascal}Options`);
  const page = "docs/reference/policies/baselines.md";
  replace("docs/reference/policies.md", /^\| \[Baselines\].*?(?= \|$)/m, (row) => `${row}, \`${name}\``);
  insert(page, "| spec | class | the arm it plays |", "", `| \`{ "policy": "${name}" }\` | \`${pascal}\` | TODO | TODO |`);
  count(/\d+(?= policies)/);
  return [`packages/core/src/policies/${camel}.ts`, `${table}: its description`, `packages/core/test/policies.${camel}.test.ts`, page];
}

/** @param {import("./new/templates.mjs").Names} names */
function addDistribution({ camel, upper }) {
  const table = "packages/core/src/distributions/table.ts";
  insert(table, "", "import {", `import { ${upper}, ${camel} } from "./${camel}.js";`);
  insert(table, "export const DISTRIBUTIONS", "};", `  "${name}": { parameters: ${upper}, create: ${camel}, description: "TODO" },`);
  replace(table, /(?<=\/\/ )\d+(?= \[)/, (text) => String(Number(text) + 1));
  addExport(`{ ${camel} } from "./distributions/${camel}.js"`, camel);
  // The references of the distribution that it is until it is filled in.
  replace("packages/core/test/fixtures/distributions.json", /(?:^\{"spec":\{"distribution":"lomax".*\n)+/m, (lines) => {
    return lines + lines.replaceAll('"distribution":"lomax"', `"distribution":"${name}"`);
  });
  insert("packages/core/test/distributions.noreg.test.ts", "const SPECS", "];", `  { distribution: "${name}", shape: 1.5, scale: 1 },`);
  insert("test/reproducible/worlds.mjs", "export const PARAMETERS", "};", `  "${name}": { shape: 1.5, scale: 1 },`);
  const page = "docs/reference/distributions.md";
  insert(page, "| name | parameters | definition |", "", `| \`${name}\` | \`shape\`, \`scale\` | TODO | TODO | TODO | TODO |`);
  count(/\d+(?= distributions)/);
  return [
    `packages/core/src/distributions/${camel}.ts`,
    `${table}: its description`,
    `packages/core/test/fixtures/distributions.py, and run it with --only ${name}`,
    page,
  ];
}

/** @param {import("./new/templates.mjs").Names} names */
function addEnvironment({ camel, upper }) {
  const table = "packages/core/src/environments/table.ts";
  insert(table, "", "import {", `import { ${upper}, ${camel} } from "./${camel}.js";`);
  insert(table, "export const ENVIRONMENTS", "};", `  "${name}": { parameters: ${upper}, create: ${camel}, description: "TODO" },`);
  const example = `{ environment: "${name}", alpha: 1.5, arms: [paretoSpec(1.7, 1), signedSpec(0.8)] }`;
  insert("packages/core/test/environments.test.ts", "const EXAMPLES", "];", `  ${example},`);
  replace("packages/core/test/environments.each.test.ts", /(?<=const given = \[.*)\]/, () => `, "${name}"]`);
  insert("packages/core/test/environments.noreg.test.ts", "const OPTIONS", "};", `  "${name}": { arms: distributions(1, 2) },`);
  insert("test/reproducible/worlds.mjs", "export const WORLDS", "};", `  "${name}": { alpha: 1.4, arms },`);
  const page = "docs/reference/environments.md";
  insert(page, "| --- | --- | --- |", "", `| [\`${name}\`](#${name}) | TODO | TODO |`);
  const spec = { environment: name, alpha: 1.5, arms: [1, 2].map((scale) => ({ distribution: "pareto", shape: 1.7, scale })) };
  const section = [`## \`${name}\``, "", "- `arms`: at least 1 distribution, TODO", "", "TODO", "", "```json", JSON.stringify(spec), "```"];
  replace(page, /\n*$/, () => `\n\n${section.join("\n")}\n`);
  count(/\d+(?= environments)/);
  return [`packages/core/src/environments/${camel}.ts`, `${table}: its description`, "packages/core/test/environments.each.test.ts", page];
}

/** @param {import("./new/templates.mjs").Names} names */
function addCommand({ camel, pascal }) {
  const main = "packages/cli/src/main.ts";
  insert(main, "", "import {", `import { add${pascal} } from "./commands/${camel}.js";`);
  insert(main, "addCompletion(program)", "}", `  add${pascal}(program);`);
  insert("packages/cli/test/startup.command.test.ts", 'it.each([\n  ["run"]', "])", `  ["${name}"],`);
  const page = "docs/reference/cli.md";
  insert(page, "- [`tsallis run`]", "", `- [\`tsallis ${name}\`](#${name}): TODO`);
  replace(page, /\n*$/, () => `\n\n## ${name}\n\nTODO\n`);
  return [`packages/cli/src/commands/${camel}.ts`, `packages/cli/test/${camel}.test.ts`, page];
}

/** An export of the library, and its lines in the list that locks them: values first, then types. @param {string} what @param {string[]} lines */
function addExport(what, ...lines) {
  insert("packages/core/src/index.ts", "", "export { ", `export ${what};`);
  replace("test/exports/core.txt", /[\s\S]*/, (text) => {
    const all = [...text.trim().split("\n"), ...lines];
    const isType = (/** @type {string} */ line) => line.startsWith("type ");
    return `${[...all.filter((line) => !isType(line)).sort(), ...all.filter(isType).sort()].join("\n")}\n`;
  });
}

/** The front page of the site counts what the library has. @param {RegExp} number */
function count(number) {
  replace("site/index.md", number, (text) => String(Number(text) + 1));
}

/** Puts a line before the first line that begins with `before` (an empty line, if that is empty) after the text `after`. @param {string} path @param {string} after @param {string} before @param {string} line */
function insert(path, after, before, line) {
  const text = readFileSync(join(root, path), "utf8");
  const from = text.indexOf(after);
  const at = before === "" ? text.indexOf("\n\n", from) : from === 0 && text.startsWith(before) ? -1 : text.indexOf(`\n${before}`, from);
  if (from < 0 || (at < 0 && !text.startsWith(before))) stop(`${path} has changed: scripts/new.mjs finds no place for ${line}`);
  write(path, `${text.slice(0, at + 1)}${line}\n${text.slice(at + 1)}`);
}

/** @param {string} path @param {RegExp} pattern @param {(found: string) => string} by */
function replace(path, pattern, by) {
  const text = readFileSync(join(root, path), "utf8");
  if (!pattern.test(text)) stop(`${path} has changed: scripts/new.mjs does not find ${pattern}`);
  write(
    path,
    text.replace(pattern, (found) => by(found)),
  );
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  changed.add(path);
}

async function writeBits() {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: HERE, stdio: "inherit" });
  const { run, runWorlds } = await import("../test/reproducible/run.mjs");
  const { Fnv1a } = await import("../test/reproducible/fnv1a.mjs");
  const hashes = `${JSON.stringify(run(), null, 2)}\n`;
  write("test/reproducible/hashes.json", hashes);
  write("test/reproducible/worlds.json", `${JSON.stringify(runWorlds(), null, 2)}\n`);
  const hash = new Fnv1a();
  for (const byte of new TextEncoder().encode(hashes)) hash.add(byte);
  replace("packages/core/src/bits.ts", /(?<=BITS = ")[^"]*/, () => hash.digest());
  const vitest = [join(HERE, "node_modules/vitest/vitest.mjs"), "run", "-u", "--project=unit", "packages/core/test/distributions.noreg.test.ts"];
  execFileSync(process.execPath, [...vitest, "packages/core/test/environments.noreg.test.ts"], { cwd: HERE, stdio: "inherit" });
  console.log("Look at what has changed with git diff: only the lines of what you have added or changed may differ.");
}

// Writes the tables of options in docs/reference/cli.md, from the help of the command as it is built.
//
//   node scripts/build.mjs && node scripts/commandReference.mjs
//
// test/commandReference.command.test.ts fails if the page is not what this gives.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "@commander-js/extra-typings";
import { addCommands } from "../packages/cli/dist/main.js";

const PAGE = fileURLToPath(new URL("../docs/reference/cli.md", import.meta.url));
const PART = /(<!-- options of ([a-z ]+), by scripts\/commandReference\.mjs -->\n)[\s\S]*?(<!-- end of options -->)/g;

/** The page with its generated tables. @param {string} page */
export function commandReference(page) {
  const program = new Command("tsallis");
  addCommands(program, new AbortController().signal, []);
  return page.replace(PART, (_, start, name, end) => `${start}\n${optionsOf(program, name.split(" "))}\n${end}`);
}

/** @param {import("@commander-js/extra-typings").CommandUnknownOpts} program @param {string[]} path */
function optionsOf(program, path) {
  const found = path.reduce((/** @type {typeof program | undefined} */ at, word) => at?.commands.find((each) => each.name() === word), program);
  if (found === undefined) throw new Error(`docs/reference/cli.md has a table of the options of ${path.join(" ")}, but there is no such command`);
  const help = found.createHelp();
  const rows = [
    ...help.visibleArguments(found).map((argument) => [`[${help.argumentTerm(argument)}]`, help.argumentDescription(argument)]),
    ...help.visibleOptions(found).flatMap((option) => (option.long === "--help" ? [] : [[help.optionTerm(option), help.optionDescription(option)]])),
  ];
  return `| option | meaning |\n| --- | --- |\n${rows.map(([term, text]) => `| \`${term}\` | ${text?.replaceAll("|", "\\|")} |\n`).join("")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, commandReference(readFileSync(PAGE, "utf8")));

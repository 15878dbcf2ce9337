import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { Failure, systemFailure } from "../text/failure.js";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { shellWord } from "../text/terminal.js";

const HELP = `
Writes experiment.yaml, policy.mjs, environment.mjs and conformance.test.mjs, and prints the commands that run them. Overwrites nothing.

Examples:
  $ tsallis init mine
`;

const TEMPLATE = new URL("../../template/", import.meta.url);
const FILES = ["experiment.yaml", "policy.mjs", "environment.mjs", "conformance.test.mjs"];

export function addInit(program: Command): void {
  program
    .command("init")
    .summary("write a sample experiment of your own")
    .description("Write a sample experiment with a policy and an environment of your own, and a test of both.")
    .argument("[dir]", "the folder to write to", ".")
    .addHelpText("after", helpText(HELP))
    .action((dir) => init(dir));
}

async function init(directory: string): Promise<void> {
  const { makeFolder } = await import("@tsallis/lab");
  const taken = FILES.find((file) => existsSync(join(directory, file)));
  if (taken !== undefined) throw new Failure("ERR_FILE", "already exists; give a new folder: tsallis init DIR", join(directory, taken));
  try {
    makeFolder(resolve(directory));
    for (const file of FILES) writeFileSync(join(directory, file), readFileSync(new URL(file, TEMPLATE)), { flag: "wx" });
  } catch (error) {
    throw systemFailure(error, directory);
  }
  const [document, policy, environment, test] = FILES.map((file) => shellWord(join(directory, file)));
  const imports = `--import ${policy} --import ${environment}`;
  const results = shellWord(join(directory, "results"));
  const commands = [
    ...(hasLab(directory) ? [] : [`npm install --prefix ${shellWord(directory)} @tsallis/lab`]),
    `node --test ${test}`,
    `npx tsallis run ${document} ${imports} --out ${results}`,
    `npx tsallis report ${results} ${imports}`,
  ];
  const wrote = FILES.map((file) => `  ${join(directory, file)}\n`).join("");
  await print(`Written:\n${wrote}\nTest them, run the experiment, write its report again:\n${commands.map((line) => `  ${line}\n`).join("")}`);
}

/** Whether the test will find the lab. */
function hasLab(directory: string): boolean {
  try {
    createRequire(resolve(directory, FILES[0]!)).resolve("@tsallis/lab");
    return true;
  } catch {
    return false;
  }
}

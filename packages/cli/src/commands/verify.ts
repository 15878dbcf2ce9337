import type { Command } from "@commander-js/extra-typings";
import type { Finding } from "@tsallis/lab/report";
import { importOption } from "../input/options.js";
import { Failure } from "../text/failure.js";
import { print, printText } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { shellWord, shownPath } from "../text/terminal.js";

const HELP = `
The folder is not changed. Exit codes: 0 intact; 1 not intact, with every finding printed; 2 the folder cannot be checked.

Examples:
  $ tsallis verify results/mine
  $ tsallis verify results/mine --json | jq '.findings[].file'
`;

interface VerifyOptions {
  readonly import: readonly string[];
  readonly json?: true | undefined;
}

export function addVerify(program: Command): void {
  program
    .command("verify")
    .summary("check that a results folder is intact")
    .description("Check that a results folder is intact: its hash, every line of its journal, and, byte for byte, every file that follows from them.")
    .argument("<dir>", "a folder written by tsallis run")
    .addOption(importOption())
    .option("--json", "print the findings as JSON")
    .addHelpText("after", helpText(HELP))
    .action((dir, options) => verify(dir, options));
}

async function verify(directory: string, options: VerifyOptions): Promise<void> {
  const { readFrozen, requireSameImports, STAGES } = await import("@tsallis/lab");
  const { verifyResults } = await import("@tsallis/lab/report");
  const { withHeartbeat } = await import("../text/heartbeat.js");
  const { imported } = await import("../input/imported.js");
  const { verifyText } = await import("../text/verifyText.js");
  requireSameImports(readFrozen(directory), await imported(options.import));
  const { frozen, ...found } = await withHeartbeat(STAGES, (onStage) => verifyResults(directory, onStage)).catch((error: unknown) => {
    throw error instanceof Error && "syscall" in error ? new Failure("ERR_FILE", `cannot be checked: ${error.message}`, shownPath(directory)) : error;
  });
  const { experiment, version, hash } = frozen;
  const verification = { name: experiment.name, version, hash, ...found };
  if (options.json) await print(`${JSON.stringify(verification)}\n`);
  else await printText(verifyText(verification, directory));
  const [first] = found.findings;
  if (first === undefined) return;
  const count = found.findings.length === 1 ? "" : `${found.findings.length} findings, the first: `;
  throw new Failure("ERR_RESULTS", `${count}${first.file}: ${first.detail}; ${remedyOf(first, directory, options.import)}`, shownPath(directory), 1);
}

/** The findings of one kind come together, so the first one's remedy is the next step. The modules are those that were given here, so they are found from here. */
function remedyOf({ file, problem }: Finding, directory: string, modules: readonly string[]): string {
  const dir = shellWord(shownPath(directory));
  const imports = modules.map((module) => ` --import ${shellWord(module)}`).join("");
  const made = `the command that made the folder: tsallis run ...${imports} --out ${dir}`;
  if (problem === "other-version") return "check it with that version";
  if (problem === "damaged") return `repair it with ${made}`;
  if (problem === "incomplete") return `continue with ${made}`;
  if (problem === "foreign") return file === "lock" ? "wait for that process; if it is dead, the next run removes the file" : "move it away";
  if (file === "experiment.json") return `write it again with ${made}`;
  return `write these files again with: tsallis report ${dir}${imports}`;
}

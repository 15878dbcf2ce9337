import type { Command } from "@commander-js/extra-typings";
import { print } from "../text/output.js";

const HELP = `
An editor that reads the schema completes and checks experiments while you write them. In YAML, name it in the first line:
# yaml-language-server: $schema=./experiment.schema.json

Examples:
  $ tsallis schema > experiment.schema.json
`;

export function addSchema(program: Command): void {
  program
    .command("schema")
    .summary("print the JSON Schema of experiments")
    .description("Print the JSON Schema (2020-12) of experiment documents.")
    .addHelpText("after", HELP)
    .action(() => schema());
}

async function schema(): Promise<void> {
  const { experimentSchema } = await import("@tsallis/lab");
  await print(`${JSON.stringify(experimentSchema(), null, 2)}\n`);
}

import type { Command } from "@commander-js/extra-typings";
import { importOption } from "../input/options.js";
import { print } from "../text/output.js";

const HELP = `
An editor that reads the schema completes and checks experiments while you write them. In YAML, name it in the first line:
# yaml-language-server: $schema=./experiment.schema.json
With --import it has the policies and environments of your own modules too.

Examples:
  $ tsallis schema > experiment.schema.json
  $ tsallis schema --import ./my-policy.mjs > experiment.schema.json
`;

export function addSchema(program: Command): void {
  program
    .command("schema")
    .summary("print the JSON Schema of experiments")
    .description("Print the JSON Schema (2020-12) of experiment documents.")
    .addOption(importOption())
    .addHelpText("after", HELP)
    .action((options) => schema(options.import));
}

async function schema(files: readonly string[]): Promise<void> {
  const { experimentSchema } = await import("@tsallis/lab");
  const { imported } = await import("../input/imported.js");
  await imported(files);
  await print(`${JSON.stringify(experimentSchema(), null, 2)}\n`);
}

import type { Command } from "@commander-js/extra-typings";
import { importOption } from "../input/options.js";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
With this schema an editor completes and checks experiments. In YAML, name it in the first line:

  # yaml-language-server: $schema=./experiment.schema.json

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
    .addHelpText("after", helpText(HELP))
    .action((options) => schema(options.import));
}

async function schema(files: readonly string[]): Promise<void> {
  const { experimentSchema } = await import("@tsallis/lab");
  const { imported } = await import("../input/imported.js");
  await imported(files);
  await print(`${JSON.stringify(experimentSchema(), null, 2)}\n`);
}

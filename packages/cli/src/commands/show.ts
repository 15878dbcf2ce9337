import type { Command } from "@commander-js/extra-typings";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Examples:
  $ tsallis show showdown > mine.yaml
`;

export function addShow(program: Command): void {
  program
    .command("show")
    .summary("print a built-in experiment")
    .description("Print a built-in experiment, to copy and change.")
    .argument("<name>", "its name; tsallis list experiments shows all")
    .addHelpText("after", helpText(HELP))
    .action((name) => show(name));
}

async function show(name: string): Promise<void> {
  const { builtIn } = await import("@tsallis/lab");
  const { unknownName } = await import("../input/givenExperiment.js");
  const text = builtIn(name);
  if (text === undefined) throw unknownName(name);
  await print(text);
}

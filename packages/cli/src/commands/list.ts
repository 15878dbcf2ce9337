import { Argument, type Command } from "@commander-js/extra-typings";
import type { Listed } from "../text/listing.js";
import { print } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
Examples:
  $ tsallis list policies
  $ tsallis list experiments
  $ tsallis list distributions --json | jq '.[].name'
`;

export function addList(program: Command): void {
  program
    .command("list")
    .summary("list policies, environments and more")
    .description("List what is available, with parameters and their ranges.")
    .addArgument(new Argument("<what>").choices(["environments", "distributions", "policies", "experiments"] as const))
    .option("--json", "print one JSON array")
    .addHelpText("after", helpText(HELP))
    .action((what, options) => list(what, options));
}

async function list(what: Listed, { json }: { readonly json?: true | undefined }): Promise<void> {
  const { listing } = await import("../text/listing.js");
  const { entries, table } = listing(what);
  await print(json ? `${JSON.stringify(entries)}\n` : table());
}

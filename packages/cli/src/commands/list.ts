import { Argument, type Command } from "@commander-js/extra-typings";
import type { Listed } from "../text/listing.js";
import { print } from "../text/output.js";

const HELP = `
Examples:
  $ tsallis list policies
  $ tsallis list experiments
  $ tsallis list distributions --json | jq '.[].name'
`;

export function addList(program: Command): void {
  program
    .command("list")
    .summary("list environments, distributions, policies or experiments")
    .description("List what is available, with parameters and their ranges.")
    .addArgument(new Argument("<what>").choices(["environments", "distributions", "policies", "experiments"] as const))
    .option("--json", "print one JSON array instead of a table")
    .addHelpText("after", HELP)
    .action((what, options) => list(what, options));
}

async function list(what: Listed, { json }: { readonly json?: true | undefined }): Promise<void> {
  const { listing } = await import("../text/listing.js");
  const { entries, table } = listing(what);
  await print(json ? `${JSON.stringify(entries)}\n` : table());
}

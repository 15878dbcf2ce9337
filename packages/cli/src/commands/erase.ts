import type { Command } from "@commander-js/extra-typings";
import { storeOption } from "../input/options.js";
import { Failure } from "../text/failure.js";
import { printText } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
Removes the id, its salt and the request. The log stays provable, because its chain covers only a salted hash of each id. An open decision ends first, and
nothing is learned from it. An event of the log records that an id was erased. Older backups, and files from prune or GET /v1/bandits/NAME/log, still have
the id. Servers may keep running.

Examples:
  $ tsallis erase order-81723 --bandit checkout
  $ tsallis erase order-81723 --bandit checkout --db tsallis.db
`;

interface EraseCommandOptions {
  readonly db?: string | undefined;
  readonly bandit: string;
}

export function addErase(program: Command): void {
  program
    .command("erase")
    .summary("erase the id of a decision from a store")
    .description("Erase the id of a decision from the log of its bandit, which stays provable.")
    .argument("<id>", "the id of the decision")
    .requiredOption("--bandit <name>", "its bandit")
    .addOption(storeOption())
    .addHelpText("after", helpText(HELP))
    .action((id, options) => erase(id, options));
}

async function erase(id: string, { db, bandit }: EraseCommandOptions): Promise<void> {
  if (id === "") throw new Failure("ERR_USAGE", "the id is empty");
  const { eraseDecision } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const erased = await usingStore(db, "write", (store) => eraseDecision(store, { bandit, id, by: "tsallis erase" }));
  await printText(erased === 0 ? `${bandit} has no event with that id: nothing to erase\n` : `${bandit}: erased from ${counted(erased, "event")}\n`);
}

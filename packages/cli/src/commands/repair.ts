import type { Command } from "@commander-js/extra-typings";
import type { Repaired } from "@tsallis/service";
import { storeOption } from "../input/options.js";
import { printText } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
Without --yes nothing is changed, and the lines say what would be dropped. A backup is better than a repair, and a fork is better than a cut: the old log
stays as evidence. The last event of the new log names the head that was dropped, and tsallis audit --head finds it there. Running servers open the bandit
again within a minute.

Examples:
  $ tsallis repair --bandit checkout
  $ tsallis repair --bandit checkout --fork checkout-2 --yes
  $ tsallis repair --bandit checkout --yes
`;

interface RepairCommandOptions {
  readonly db?: string | undefined;
  readonly bandit: string;
  readonly fork?: string | undefined;
  readonly yes?: true | undefined;
}

export function addRepair(program: Command): void {
  program
    .command("repair")
    .summary("cut or copy a log that does not replay")
    .description("Cut the log of a shut bandit after its last good event, or copy the good events into a new bandit.")
    .requiredOption("--bandit <name>", "the bandit that is shut")
    .option("--fork <name>", "copy the good events into a new bandit of this name, and leave the old one as it is")
    .option("--yes", "do it, instead of saying what would be dropped")
    .addOption(storeOption())
    .addHelpText("after", helpText(HELP))
    .action((options) => repair(options));
}

async function repair({ db, bandit, fork, yes }: RepairCommandOptions): Promise<void> {
  const { repairBandit } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const options = { bandit, fork, dryRun: yes !== true, by: "tsallis repair" };
  await printText(repairText(await usingStore(db, "write", (store) => repairBandit(store, options)), fork, yes === true));
}

function repairText({ name, kept, hash, dropped, head, reason }: Repaired, fork: string | undefined, isDone: boolean): string {
  const good = kept === 0 ? "no event is good" : `the last good event is ${kept.toLocaleString("en")} (${hash})`;
  const last = head === "" ? "the last of them is missing" : `the last of them is ${head}`;
  const what =
    fork === undefined ? `${counted(dropped, "event")} dropped; ${last}` : `copied to ${fork} without ${counted(dropped, "event")}; ${last}`;
  return `${name}: ${reason}\n${name}: ${good}\n${name}: ${what}${isDone ? "" : "\nnothing was changed; --yes does it"}\n`;
}

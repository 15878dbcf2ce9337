import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import type { Fleet } from "@tsallis/lab/fleet";
import { queueOption } from "../input/queueOption.js";
import { counted } from "../text/counted.js";
import { Failure } from "../text/failure.js";
import { print, say } from "../text/output.js";

const HELP = `
On a terminal the tables are drawn again every 2 seconds until Ctrl-C; in a pipe, and with --json, once.

Examples:
  $ tsallis fleet --queue redis://host:6379/0
  $ tsallis fleet --json | jq '.workers | length'
  $ tsallis fleet drain
  $ tsallis fleet clear results/mine
`;

interface FleetOptions {
  readonly queue?: string | undefined;
  readonly json?: true | undefined;
}

/** How often the table is drawn again, and how often a drained fleet is looked at, in milliseconds. */
const REDRAW = 2000;
const LOOK = 500;
/** So much of a hash names an experiment. */
const HASH = /^[0-9a-f]{8,64}$/;

export function addFleet(program: Command, signal: AbortSignal): void {
  const command = program
    .command("fleet")
    .summary("show the workers of a queue and what they do")
    .description("Show the workers of a queue, the chunks in it and how fast experiments go on.")
    .addOption(queueOption())
    .option("--json", "print one JSON object instead of tables")
    .addHelpText("after", HELP)
    .action((options) => fleet(options, signal));
  command
    .command("drain")
    .summary("let workers finish what they play, and take nothing more")
    .description("Let all workers finish what they play and take nothing more, until tsallis fleet resume. Returns when nothing is being played.")
    .addOption(queueOption())
    .action((_options, subcommand) => drain(subcommand.optsWithGlobals(), signal));
  command
    .command("resume")
    .summary("let the workers of a drained queue go on")
    .description("Let the workers of a drained queue take chunks again.")
    .addOption(queueOption())
    .action((_options, subcommand) => resume(subcommand.optsWithGlobals()));
  command
    .command("clear")
    .summary("remove what the queue holds of an experiment")
    .description("Remove the chunks and the document of an experiment whose coordinator is gone for good. One that still runs puts them back.")
    .argument("<experiment>", "its HASH, at least 8 digits of it, or the DIR of its results")
    .addOption(queueOption())
    .action((experiment, _options, subcommand) => clear(experiment, subcommand.optsWithGlobals()));
}

/** Shows a fleet: on a terminal until Ctrl-C, else once. */
async function fleet(options: FleetOptions, signal: AbortSignal): Promise<void> {
  const { fleetText } = await import("../text/fleetText.js");
  await opened(options, async (open) => {
    if (options.json) return print(`${JSON.stringify(await open.read())}\n`);
    if (!process.stdout.isTTY) return print(fleetText(await open.read()));
    while (!signal.aborted) {
      const text = fleetText(await open.read());
      // From the top left corner, and what the last table leaves below.
      await print(`\x1b[H${text.replaceAll("\n", "\x1b[K\n")}\x1b[J`);
      await pause(REDRAW, undefined, { signal }).catch(() => {});
    }
  });
}

/** Lets workers finish what they play and take nothing more; waits until they have. */
async function drain(options: FleetOptions, signal: AbortSignal): Promise<void> {
  await opened(options, async (open) => {
    await open.drain();
    let last: number | undefined;
    for (;;) {
      const { active, workers, queue, url } = await open.read();
      if (active === 0 || workers.length === 0) {
        return say(`${queue} is drained: workers take nothing more; let them go on with: npx tsallis fleet resume --queue ${url}`);
      }
      if (active !== last) say(`waiting for ${counted(active, "chunk")}`);
      last = active;
      await pause(LOOK, undefined, { signal });
    }
  });
}

async function resume(options: FleetOptions): Promise<void> {
  await opened(options, async (open) => {
    await open.resume();
    say("workers take chunks again");
  });
}

/** Removes what the queue holds of one experiment, named by its hash or a folder of its results. */
async function clear(experiment: string, options: FleetOptions): Promise<void> {
  const hash = await hashOf(experiment);
  await opened(options, async (open) => {
    const { removed, active } = await open.clear(hash);
    const left = active === 0 ? "" : `; ${counted(active, "chunk")} being played cannot be removed now`;
    say(`${counted(removed, "chunk")} of experiment ${hash.slice(0, 8)} removed${left}`);
  });
}

async function hashOf(experiment: string): Promise<string> {
  if (existsSync(experiment)) return (await import("@tsallis/lab")).readFrozen(experiment).hash;
  if (HASH.test(experiment)) return experiment;
  throw new Failure(
    "ERR_USAGE",
    `${JSON.stringify(experiment)} is neither a folder of results nor the hash of an experiment, of which at least 8 digits are needed`,
  );
}

async function opened(options: FleetOptions, use: (open: Fleet) => Promise<void>): Promise<void> {
  const { Fleet } = await import("@tsallis/lab/fleet");
  const { requireQueue } = await import("../input/givenQueue.js");
  const open = await Fleet.open(requireQueue(options.queue));
  try {
    await use(open);
  } finally {
    await open.close();
  }
}

import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "@commander-js/extra-typings";
import type { Fleet, QueueUrl } from "@tsallis/lab/fleet";
import { queueOption } from "../input/options.js";
import { Failure } from "../text/failure.js";
import { print, say } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";
import { jsonLine } from "../text/terminal.js";

const HELP = `
On a terminal the tables refresh every 2 seconds until Ctrl-C. In a pipe or with --json, they are printed once.

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

/** How often the tables are redrawn, and how often `drain` checks whether chunks are still being played. */
const REDRAW_MS = 2000;
const LOOK_MS = 500;
/** The hash of an experiment, or its first digits. */
const HASH = /^[0-9a-f]{8,64}$/;

export function addFleet(program: Command, signal: AbortSignal): void {
  const command = program
    .command("fleet")
    .summary("show the workers of a queue")
    .description("Show the workers of a queue, its chunks and the progress of its experiments.")
    .addOption(queueOption())
    .option("--json", "print one JSON object")
    .addHelpText("after", helpText(HELP))
    .action((options) => fleet(options, signal));
  command
    .command("drain")
    .summary("let workers finish their chunks and take no more")
    .description("Let all workers finish their chunks and take no more, until tsallis fleet resume. Returns when no chunk is being played.")
    .addOption(queueOption())
    .action((_options, subcommand) => drain(subcommand.optsWithGlobals(), signal));
  command
    .command("resume")
    .summary("let the workers of a drained queue continue")
    .description("Let the workers of a drained queue take chunks again.")
    .addOption(queueOption())
    .action((_options, subcommand) => resume(subcommand.optsWithGlobals()));
  command
    .command("clear")
    .summary("remove an experiment from the queue")
    .description("Remove an experiment whose coordinator (tsallis run) is gone. A coordinator that still runs adds it again.")
    .argument("<experiment>", "its hash (at least 8 digits) or the folder of its results")
    .addOption(queueOption())
    .action((experiment, _options, subcommand) => clear(experiment, subcommand.optsWithGlobals()));
}

/** Shows a fleet: on a terminal until Ctrl-C, otherwise once. */
async function fleet(options: FleetOptions, signal: AbortSignal): Promise<void> {
  const { fleetText } = await import("../text/fleetText.js");
  await opened(options, async (open) => {
    if (options.json) return print(jsonLine(await open.read()));
    if (!process.stdout.isTTY) return print(fleetText(await open.read()));
    while (!signal.aborted) {
      const text = fleetText(await open.read());
      // Draw from the top left corner, and clear what the last tables left below.
      await print(`\x1b[H${text.replaceAll("\n", "\x1b[K\n")}\x1b[J`);
      await pause(REDRAW_MS, undefined, { signal }).catch(() => {});
    }
  });
}

/** Lets workers finish their chunks and take no more; waits until they have finished. */
async function drain(options: FleetOptions, signal: AbortSignal): Promise<void> {
  await opened(options, async (open, { word }) => {
    await open.drain();
    let last: number | undefined;
    for (;;) {
      const { active, workers, queue } = await open.read();
      if (active === 0 || workers.length === 0) {
        return say(`${queue} is drained: workers take no more chunks; let them continue with: npx tsallis fleet resume --queue ${word}`);
      }
      if (active !== last) say(`waiting for ${counted(active, "chunk")}`);
      last = active;
      await pause(LOOK_MS, undefined, { signal });
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
    const { removed, active, known } = await open.clear(hash);
    // A folder names its experiment even when all of it was played; a hash that matches nothing may be mistyped.
    if (!known && !existsSync(experiment))
      throw new Failure("ERR_UNKNOWN_NAME", `the queue holds nothing of experiment ${hash.slice(0, 8)}; tsallis fleet lists what it holds`);
    const left = active === 0 ? "" : `; ${counted(active, "chunk")} being played cannot be removed now`;
    say(`${counted(removed, "chunk")} of experiment ${hash.slice(0, 8)} removed${left}`);
  });
}

async function hashOf(experiment: string): Promise<string> {
  if (existsSync(experiment)) return (await import("@tsallis/lab")).readFrozen(experiment).hash;
  if (HASH.test(experiment)) return experiment;
  throw new Failure(
    "ERR_USAGE",
    `${JSON.stringify(experiment)} is neither a folder of results nor the hash of an experiment; give at least 8 digits of a hash`,
  );
}

async function opened(options: FleetOptions, use: (open: Fleet, url: QueueUrl) => Promise<void>): Promise<void> {
  const { Fleet, parseQueueUrl } = await import("@tsallis/lab/fleet");
  const { requireQueue } = await import("../input/givenQueue.js");
  const url = requireQueue(options.queue);
  const open = await Fleet.open(url);
  try {
    await use(open, parseQueueUrl(url));
  } finally {
    await open.close();
  }
}

import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { readFrozen } from "@tsallis/lab";
import { Fleet } from "@tsallis/lab/fleet";
import { requireQueue } from "../input/givenQueue.js";
import { counted } from "../text/counted.js";
import { Failure } from "../text/failure.js";
import { fleetText } from "../text/fleetText.js";
import { print, say } from "../text/output.js";

export interface FleetOptions {
  readonly queue?: string | undefined;
  readonly json?: true | undefined;
}

/** How often the table is drawn again, and how often a drained fleet is looked at, in milliseconds. */
const REDRAW = 2000;
const LOOK = 500;
/** So much of a hash names an experiment. */
const HASH = /^[0-9a-f]{8,64}$/;

/** Shows a fleet: on a terminal until Ctrl-C, else once. */
export async function fleet(options: FleetOptions, signal: AbortSignal): Promise<void> {
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
export async function drain(options: FleetOptions, signal: AbortSignal): Promise<void> {
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

export async function resume(options: FleetOptions): Promise<void> {
  await opened(options, async (open) => {
    await open.resume();
    say("workers take chunks again");
  });
}

/** Removes what the queue holds of one experiment, named by its hash or a folder of its results. */
export async function clear(experiment: string, options: FleetOptions): Promise<void> {
  const hash = hashOf(experiment);
  await opened(options, async (open) => {
    const { removed, active } = await open.clear(hash);
    const left = active === 0 ? "" : `; ${counted(active, "chunk")} being played cannot be removed now`;
    say(`${counted(removed, "chunk")} of experiment ${hash.slice(0, 8)} removed${left}`);
  });
}

function hashOf(experiment: string): string {
  if (existsSync(experiment)) return readFrozen(experiment).hash;
  if (HASH.test(experiment)) return experiment;
  throw new Failure(
    "ERR_USAGE",
    `${JSON.stringify(experiment)} is neither a folder of results nor the hash of an experiment, of which at least 8 digits are needed`,
  );
}

async function opened(options: FleetOptions, use: (open: Fleet) => Promise<void>): Promise<void> {
  const open = await Fleet.open(requireQueue(options.queue));
  try {
    await use(open);
  } finally {
    await open.close();
  }
}

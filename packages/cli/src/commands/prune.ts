import type { Command } from "@commander-js/extra-typings";
import type { PruneOptions } from "@tsallis/service";
import { storeOption } from "../input/options.js";
import { Failure, shortened } from "../text/failure.js";
import { printText, say } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
The file is read back and verified before anything is deleted. Keep it: tsallis audit FILE --db STORE then proves the log from its beginning. These events
stay in the store: those after the oldest snapshot, decisions that wait for feedback, and everything within a bandit's window and the last 30 days. The
server may keep running.

Examples:
  $ tsallis prune --before 2026-09-01 --export 2026-08.ndjson.gz
  $ tsallis prune --db tsallis.db --bandit checkout --before 2026-09-01 --export checkout.ndjson.gz
`;

interface PruneCommandOptions {
  readonly db?: string | undefined;
  readonly before: string;
  readonly export: string;
  readonly bandit?: string | undefined;
}

export function addPrune(program: Command, signal: AbortSignal): void {
  program
    .command("prune")
    .summary("move old events of a store into a file")
    .description("Move old events of a store into a file. They are deleted only after the file has been verified.")
    .requiredOption("--before <date>", "move events before this date: 2026-09-01 (UTC) or 2026-09-01T12:00:00Z")
    .requiredOption("--export <file>", "a new file, such as 2026-08.ndjson.gz; .gz compresses it")
    .addOption(storeOption())
    .option("--bandit <name>", "only this bandit")
    .addHelpText("after", helpText(HELP))
    .action((options) => prune(options, signal));
}

async function prune({ db, before, export: file, bandit }: PruneCommandOptions, signal: AbortSignal): Promise<void> {
  const time = readDate(before);
  if (file === "") throw new Failure("ERR_USAGE", "--export is empty; give the name of a new file");
  const { pruneStore } = await import("@tsallis/service");
  const { usingStore } = await import("../input/givenStore.js");
  const progress = new ProgressLine();
  const onProgress: PruneOptions["onProgress"] = (what, events) => {
    // What has begun to be deleted is deleted to its end.
    if (what !== "being deleted") signal.throwIfAborted();
    progress.show(() => `${events.toLocaleString("en")} events ${what}`, what);
  };
  try {
    const pruned = await usingStore(db, "write", (store) => pruneStore(store, { before: time, file, bandit, onProgress }));
    progress.stop();
    if (pruned.length === 0) return say("nothing to prune: every event before that date is still needed");
    for (const { name, events, kept, recomputed } of pruned) {
      const how = recomputed ? "every decision recomputed" : "the chain of hashes followed";
      await printText(`${name}: ${counted(events, "event")} moved into ${file} (${how}), ${counted(kept, "event")} stay\n`);
    }
  } finally {
    progress.stop();
  }
}

function readDate(text: string): number {
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?Z)?$/.test(text);
  const time = isDate ? Date.parse(text) : Number.NaN;
  // The 30th of February would be taken for the 2nd of March.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10))) return time;
  throw new Failure("ERR_PARAMETER", `before must be a date such as 2026-09-01 or 2026-09-01T12:00:00Z, got ${shortened(text)}`, "--before");
}

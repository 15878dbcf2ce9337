import { availableParallelism } from "node:os";
import type { Command } from "@commander-js/extra-typings";
import type { FleetWorker, WorkerEvent } from "@tsallis/lab/fleet";
import { importOption, metricsOption, queueOption } from "../input/options.js";
import { say } from "../text/output.js";
import { helpText } from "../text/prose.js";
import { jsonLine } from "../text/terminal.js";

const HELP = `
A chunk is a batch of runs. Install BullMQ and a driver first: npm install bullmq ioredis (or pg). Put a URL with a password into TSALLIS_QUEUE. When
stopped, the worker finishes the chunks that end within 10 seconds and gives the rest back.

Examples:
  $ tsallis worker --queue redis://host:6379/0
  $ TSALLIS_QUEUE=postgres://ada:secret@host/database tsallis worker --concurrency 4 --json
`;

interface WorkerOptions {
  readonly queue?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly patience?: string | undefined;
  readonly import: readonly string[];
  readonly metrics?: string | undefined;
  readonly json?: true | undefined;
}

const MOST_CONCURRENCY = 1024;
const PATIENCE_S = 300;
const MOST_PATIENCE_S = 86_400;

export function addWorker(program: Command, signal: AbortSignal): void {
  program
    .command("worker")
    .summary("play the runs of a queue")
    .description("Play the chunks that tsallis run --queue puts into a queue, until SIGTERM or Ctrl-C.")
    .addOption(queueOption())
    .option("--concurrency <number>", "chunks played at once, each in a thread (default: one per core)")
    .option("--patience <seconds>", "give a chunk to another worker if its thread plays no round for this long (default: 300)")
    .addOption(importOption())
    .addOption(metricsOption())
    .option("--json", "log to stdout, one JSON object per line")
    .addHelpText("after", helpText(HELP))
    .action((options) => worker(options, signal));
}

/** Plays chunks of a queue until SIGTERM or Ctrl-C. A second signal ends the process at once. */
async function worker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { startWorker } = await import("@tsallis/lab/fleet");
  const { requireQueue } = await import("../input/givenQueue.js");
  const { imported } = await import("../input/imported.js");
  const { firstSignal } = await import("../input/signals.js");
  const { readInteger } = await import("../input/options.js");
  const { workerText } = await import("../text/fleetText.js");
  const { serveMetrics } = await import("../serving/metricsServer.js");
  const { WorkerFigures } = await import("../serving/figures.js");
  const url = requireQueue(options.queue);
  const concurrency = readInteger("concurrency", options.concurrency, availableParallelism(), 1, MOST_CONCURRENCY);
  const patience = readInteger("patience", options.patience, PATIENCE_S, 1, MOST_PATIENCE_S);
  const imports = await imported(options.import);
  const stopped = firstSignal(signal);
  const stopping = new AbortController();
  stopped.then(() => stopping.abort());
  let started: FleetWorker | undefined;
  const figures = new WorkerFigures(() => started?.active ?? 0);
  const tellText = (event: Told) => {
    const text = workerText(event);
    if (text !== undefined) say(text);
  };
  const tell = options.json ? tellJson : tellText;
  const onEvent = (event: WorkerEvent) => {
    figures.take(event);
    tell(event);
  };
  if (options.metrics !== undefined) await serveMetrics(options.metrics, figures);
  try {
    started = await startWorker(url, { concurrency, patience, imports, onEvent, signal: stopping.signal });
  } catch (error) {
    // Stopped while it waited for its server: that it did not start is no error.
    if (!stopping.signal.aborted) throw error;
  }
  await stopped;
  await started?.stop();
  tell({ event: "stopped" });
  // A driver may still be trying to reach a server that is not there.
  process.exit(0);
}

type Told = WorkerEvent | { readonly event: "stopped" };

/** One object per line, with the time. */
function tellJson(event: Told): void {
  process.stdout.write(jsonLine({ time: new Date().toISOString(), ...event }));
}

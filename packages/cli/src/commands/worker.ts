import { availableParallelism } from "node:os";
import { startWorker, type WorkerEvent } from "@tsallis/lab/fleet";
import { firstSignal } from "../firstSignal.js";
import { requireQueue } from "../input/givenQueue.js";
import { imported } from "../input/imported.js";
import { numberOrText } from "../input/numberOrText.js";
import { Failure } from "../text/failure.js";
import { say } from "../text/output.js";
import { workerText } from "../text/workerText.js";

export interface WorkerCommandOptions {
  readonly queue?: string | undefined;
  readonly concurrency?: string | undefined;
  readonly patience?: string | undefined;
  readonly import: readonly string[];
  readonly json?: true | undefined;
}

const MOST_CONCURRENCY = 1024;
const PATIENCE = 300;
const MOST_PATIENCE = 86_400;

/** Plays chunks of a queue until it is told to stop, by SIGTERM or Ctrl-C; a second one ends it at once. */
export async function worker(options: WorkerCommandOptions, signal: AbortSignal): Promise<void> {
  const url = requireQueue(options.queue);
  const concurrency = readInteger("concurrency", options.concurrency, availableParallelism(), MOST_CONCURRENCY);
  const patience = readInteger("patience", options.patience, PATIENCE, MOST_PATIENCE);
  const imports = await imported(options.import);
  const stopped = firstSignal(signal);
  const onEvent = options.json ? tellJson : tellText;
  const started = await startWorker(url, { concurrency, patience, imports, onEvent });
  await stopped;
  await started.stop();
  onEvent({ event: "stopped" });
  // A driver may still be trying to reach a server that is not there.
  process.exit(0);
}

type Told = WorkerEvent | { readonly event: "stopped" };

/** One object per line, with the time. */
function tellJson(event: Told): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}

function tellText(event: Told): void {
  const text = workerText(event);
  if (text !== undefined) say(text);
}

function readInteger(name: string, given: string | undefined, otherwise: number, most: number): number {
  const value = given === undefined ? otherwise : numberOrText(given);
  if (Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= most) return value as number;
  throw new Failure("ERR_PARAMETER", `${name} must be an integer in [1, ${most}], got ${JSON.stringify(value)}`, `--${name}`);
}

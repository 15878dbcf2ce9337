import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Analysis, freezeExperiment, type Overrides, runExperiment, summaryJson, threadsExecutor } from "@tsallis/lab";
import { queueExecutor } from "@tsallis/lab/fleet";
import { givenExperiment } from "../input/givenExperiment.js";
import { withoutCredentials } from "../input/givenQueue.js";
import { imported } from "../input/imported.js";
import { numberOrText } from "../input/numberOrText.js";
import { Failure } from "../text/failure.js";
import { print, say } from "../text/output.js";
import { resultText } from "../text/resultText.js";
import { RunProgress } from "../text/runProgress.js";
import { shellWord } from "../text/shellWord.js";
import { systemFailure } from "../text/systemFailure.js";

export interface RunOptions {
  readonly out?: string | undefined;
  readonly seeds?: string | undefined;
  readonly horizon?: string | undefined;
  readonly workers?: string | undefined;
  readonly queue?: string | undefined;
  readonly only?: string | undefined;
  readonly import: readonly string[];
  readonly csv?: true | undefined;
  readonly quiet?: true | undefined;
  readonly json?: true | undefined;
}

/** The most threads that --workers may ask for. */
const MOST_WORKERS = 1024;

/** Runs an experiment and prints what came of it. `args` is the whole command line, to say how to go on after an interruption. */
export async function run(source: string, options: RunOptions, signal: AbortSignal, args: readonly string[]): Promise<void> {
  const queue = options.queue === "" ? undefined : options.queue;
  if (queue !== undefined && options.workers !== undefined) {
    throw new Failure(
      "ERR_USAGE",
      "--workers counts threads of this machine, and a queue has workers of its own: give --concurrency to tsallis worker",
    );
  }
  const workers = readWorkers(options.workers);
  const imports = await imported(options.import);
  const frozen = freezeExperiment(givenExperiment(source, overridesOf(options)), imports);
  const directory = options.out ?? join("results", `${frozen.experiment.name}-${frozen.hash.slice(0, 8)}`);
  const progress = options.quiet ? undefined : new RunProgress(frozen.experiment.name, directory);
  const executor =
    queue === undefined
      ? threadsExecutor(workers)
      : queueExecutor(queue, {
          onWorkers: (alive) => progress?.showWorkers(alive),
          onNotice: (text) => (progress === undefined ? say(text) : progress.interrupt(text)),
        });
  let analysis: Analysis;
  try {
    analysis = await runExperiment(frozen, {
      directory,
      executor,
      signal,
      csv: options.csv === true,
      ...(options.only === undefined ? {} : { only: options.only }),
      onProgress: (state) => progress?.show(state),
    });
  } catch (error) {
    progress?.stop();
    if (signal.aborted) say(`stopped; go on with: npx tsallis ${withoutCredentials(args, queue).map(shellWord).join(" ")}`);
    throw systemFailure(error, directory);
  } finally {
    progress?.stop();
  }
  await print(options.json ? `${JSON.stringify(summaryJson(analysis))}\n` : resultText(analysis, directory));
  requireNoFailures(analysis);
}

function overridesOf({ seeds, horizon }: RunOptions): Overrides {
  return { ...(seeds === undefined ? {} : { seeds: numberOrText(seeds) }), ...(horizon === undefined ? {} : { horizon: numberOrText(horizon) }) };
}

function readWorkers(given: string | undefined): number {
  const workers = given === undefined ? availableParallelism() : numberOrText(given);
  if (Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw new Failure("ERR_PARAMETER", `workers must be an integer in [1, ${MOST_WORKERS}], got ${JSON.stringify(workers)}`, "--workers");
}

/** The results stand; the exit code and one line say that they have gaps. */
function requireNoFailures({ failures, runs }: Analysis): void {
  const [first] = failures;
  if (first === undefined) return;
  const { code, message } = first.error;
  const what = `${failures.length} of ${runs.length} runs failed, ${failures.length === 1 ? "" : "first "}${first.id}`;
  throw new Failure("ERR_RUNS", `${what}: ${code === null ? "" : `${code}: `}${message}`, "", 1);
}

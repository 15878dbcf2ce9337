import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { Analysis, DryRun, FrozenExperiment, Overrides } from "@tsallis/lab";
import { importOption, metricsOption, numberOrText, policyOption, queueOption, readSeeds } from "../input/options.js";
import { readPolicy } from "../input/readPolicy.js";
import { endable } from "../input/signals.js";
import { Failure, systemFailure } from "../text/failure.js";
import type { At } from "../text/heartbeat.js";
import { print, printText, say } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { helpText } from "../text/prose.js";
import { counted } from "../text/quantities.js";

const HELP = `
The results folder gets summary.json, traces.parquet, ranking.csv, ranking.tex, report.html and figures/. If a run is stopped, the same command continues
it and ends with the same bytes.

Examples:
  $ tsallis run
  $ tsallis run zimmert-seldin-2019 --seeds 10 --horizon 10000
  $ tsallis show showdown > mine.yaml && tsallis run mine.yaml --workers 4 --out results/mine
  $ tsallis run --policy htinf --policy ucb1
  $ tsallis run suite --dry-run
  $ tsallis run mine.yaml --only 'stochastic/*' --import ./my-policy.mjs
  $ tsallis run mine.yaml --queue redis://host:6379/0
  $ tsallis run mine.yaml --json --quiet | jq '.rows[] | {environment, policy, mean: .checkpoints[-1].mean}'
`;

interface RunOptions {
  readonly out?: string | undefined;
  readonly seeds?: string | undefined;
  readonly horizon?: string | undefined;
  readonly workers?: string | undefined;
  readonly queue?: string | undefined;
  readonly policy: readonly string[];
  readonly metrics?: string | undefined;
  readonly only?: string | undefined;
  readonly retryFailed?: true | undefined;
  readonly import: readonly string[];
  readonly dryRun?: true | undefined;
  readonly csv?: true | undefined;
  readonly runHash?: true | undefined;
  readonly quiet?: true | undefined;
  readonly json?: true | undefined;
}

/** While runs are played, RunProgress shows how far they are. */
const PLAYING = "";

/** The most threads that --workers may ask for. */
const MOST_WORKERS = 1024;

export function addRun(program: Command, signal: AbortSignal, args: readonly string[]): void {
  program
    .command("run")
    .summary("run an experiment and write a report")
    .description("Run an experiment: every policy in every environment with every seed. Prints a ranking and writes a report.")
    .argument("[experiment]", "a YAML or JSON file, or the name of a built-in experiment", "showdown")
    .option("--out <dir>", "folder for the results (default: results/NAME-HASH)")
    .option("--seeds <seeds>", "number of seeds, or the seeds themselves (101-110 or 1,5,9); overrides the document")
    .option("--horizon <rounds>", "rounds per run; overrides the document, but not a sweep over horizon")
    .option("--workers <number>", "runs played at once (default: one per core)")
    .addOption(queueOption("play on the workers of this queue instead of this machine"))
    .addOption(policyOption())
    .addOption(metricsOption())
    .option("--only <pattern>", "play only runs whose id (environment/policy/seed) contains this text; with a *, the whole id must match")
    .option("--retry-failed", "rerun failed runs")
    .addOption(importOption())
    .option("--dry-run", "estimate runs, time and memory from a sample of a few seconds; write nothing")
    .option("--csv", "also write traces.csv")
    .option("--run-hash", "print a hash of the arms and losses of each run")
    .option("--quiet", "show no progress")
    .option("--json", "print the summary as JSON")
    .addHelpText("after", helpText(HELP))
    .action((experiment, options) => run(experiment, options, signal, args));
}

/** Runs an experiment and prints the outcome. `args` is the whole command line, to say how to continue after an interruption. */
async function run(source: string, options: RunOptions, signal: AbortSignal, args: readonly string[]): Promise<void> {
  const queue = options.queue === "" ? undefined : options.queue;
  if (queue !== undefined && options.workers !== undefined) {
    throw new Failure(
      "ERR_USAGE",
      "--workers counts threads of this machine, but a queue has its own workers; leave it out, and give --concurrency to tsallis worker",
    );
  }
  if (queue === undefined && options.metrics !== undefined) {
    throw new Failure("ERR_USAGE", "--metrics is for a run on the workers of a queue; name it with --queue, or leave --metrics out");
  }
  const workers = readWorkers(options.workers);
  const { freezeExperiment, runExperiment, STAGES, summaryJson, threadsExecutor } = await import("@tsallis/lab");
  const { queueExecutor } = await import("@tsallis/lab/fleet");
  const { givenExperiment } = await import("../input/givenExperiment.js");
  const { withoutCredentials } = await import("../input/givenQueue.js");
  const { imported } = await import("../input/imported.js");
  const { serveMetrics } = await import("../serving/metricsServer.js");
  const { withHeartbeat } = await import("../text/heartbeat.js");
  const { resultText } = await import("../text/resultText.js");
  const { RunFigures } = await import("../serving/figures.js");
  const { RunProgress } = await import("../text/runProgress.js");
  const imports = await imported(options.import);
  const experiment = await endable(() => givenExperiment(source, overridesOf(options)));
  const frozen = freezeExperiment(experiment, imports);
  const directory = options.out ?? join("results", `${frozen.experiment.name}-${frozen.hash.slice(0, 8)}`);
  if (options.dryRun) return dryRun(frozen, directory, queue === undefined ? workers : 0, options, signal);
  const progress = options.quiet ? undefined : new RunProgress(frozen.experiment.name, directory);
  const figures = new RunFigures();
  const executor =
    queue === undefined
      ? threadsExecutor(workers)
      : queueExecutor(queue, {
          onWorkers: (alive, slots) => {
            figures.takeWorkers(alive, slots);
            progress?.showWorkers(alive);
          },
          onServer: (answers) => figures.takeServer(answers),
          onInvalid: () => figures.takeInvalid(),
          onNotice: (text) => (progress === undefined ? say(text) : progress.interrupt(text)),
        });
  const closeMetrics = options.metrics === undefined ? undefined : await serveMetrics(options.metrics, figures);
  let analysis: Analysis;
  try {
    const play = (at: At) =>
      runExperiment(frozen, {
        directory,
        executor,
        signal,
        csv: options.csv === true,
        ...(options.only === undefined ? {} : { only: options.only }),
        retryFailed: options.retryFailed === true,
        onDamage: (damaged, kept, open) =>
          say(`journal: ${counted(damaged, "damaged line")} removed; ${counted(kept, "run")} kept, ${open.toLocaleString("en")} to play`),
        onProgress: (state) => {
          at(PLAYING, 0);
          figures.takeProgress(state);
          progress?.show(state);
        },
        onStage: (stage, share) => {
          progress?.stop();
          at(stage, share);
        },
      });
    analysis = await withHeartbeat([PLAYING, ...STAGES], play, { wanted: !options.quiet });
  } catch (error) {
    progress?.stop();
    if (signal.aborted) say(`stopped; continue with: npx tsallis ${withoutCredentials(args, queue)}`);
    throw systemFailure(error, directory);
  } finally {
    progress?.stop();
    closeMetrics?.();
  }
  if (options.json) await print(`${JSON.stringify(summaryJson(analysis))}\n`);
  else await printText(resultText(analysis, directory));
  requireNoFailures(analysis);
}

/** Prints what an experiment would take. */
async function dryRun(frozen: FrozenExperiment, directory: string, workers: number, options: RunOptions, signal: AbortSignal): Promise<void> {
  const { dryRun: estimate } = await import("@tsallis/lab");
  const { dryRunText } = await import("../text/dryRunText.js");
  const progress = new ProgressLine();
  let estimated: DryRun;
  try {
    const onProgress = (share: number) => options.quiet || progress.show(() => `sampling each cell: ${Math.floor(100 * share)} %`);
    const only = options.only === undefined ? {} : { only: options.only };
    estimated = await endable(() => estimate(frozen, { directory, workers, signal, ...only, onProgress }));
  } finally {
    progress.stop();
  }
  const { experiment, hash } = frozen;
  if (options.json) await print(`${JSON.stringify({ name: experiment.name, hash, directory, ...estimated })}\n`);
  else await printText(dryRunText(experiment.name, directory, estimated));
}

function overridesOf({ seeds, horizon, runHash, policy }: RunOptions): Overrides {
  return {
    ...(seeds === undefined ? {} : { seeds: readSeeds(seeds) }),
    ...(horizon === undefined ? {} : { horizon: numberOrText(horizon) }),
    ...(runHash && { runHash }),
    ...(policy.length > 0 && { policies: policy.map(readPolicy) }),
  };
}

function readWorkers(given: string | undefined): number {
  const workers = given === undefined ? availableParallelism() : numberOrText(given);
  if (Number.isSafeInteger(workers) && workers >= 1 && workers <= MOST_WORKERS) return workers;
  throw new Failure("ERR_PARAMETER", `workers must be an integer in [1, ${MOST_WORKERS}], got ${JSON.stringify(workers)}`, "--workers");
}

/** Failed runs leave gaps in the results, which stand otherwise: one line and the exit code say so. */
function requireNoFailures({ frozen, failures, runs }: Analysis): void {
  const [first] = failures;
  if (first === undefined) return;
  const { code, message } = first.error;
  const what = `${failures.length} of ${counted(runs.length, "run")} failed, ${failures.length === 1 ? "" : "first "}${first.id}`;
  const edited = frozen.imports.length === 0 ? "" : " (an edited module is another experiment)";
  throw new Failure("ERR_RUNS", `${what}: ${code === null ? "" : `${code}: `}${message}; --retry-failed reruns failed runs${edited}`, "", 1);
}

import { Argument, type Command, Option } from "@commander-js/extra-typings";
import { queueOption } from "./input/queueOption.js";

const RUN_HELP = `
FILE is an experiment as YAML or JSON; NAME is one of those that tsallis list experiments shows. Without either, showdown is run.
The results go to a folder: summary.json, traces.parquet, ranking.csv, ranking.tex, report.html, figures/. The same command goes on where an earlier one
was stopped, whatever stopped it, and ends with the same bytes.

Examples:
  $ tsallis run
  $ tsallis run zimmert-seldin-2019 --seeds 10 --horizon 10000
  $ tsallis show showdown > mine.yaml && tsallis run mine.yaml --workers 4 --out results/mine
  $ tsallis run mine.yaml --only 'stochastic/*' --import ./my-policy.mjs
  $ tsallis run mine.yaml --queue redis://host:6379/0
  $ tsallis run mine.yaml --json --quiet | jq '.[] | {environment, policy, mean: .checkpoints[-1].mean}'
`;

const WORKER_HELP = `
The URL may also come from the environment variable TSALLIS_QUEUE, so that a password is on no command line. BullMQ and the driver of the queue have to be
installed: npm install bullmq ioredis (or pg). SIGTERM or Ctrl-C: nothing more is taken, what ends within 10 seconds is finished, the rest is given back.

Examples:
  $ tsallis worker --queue redis://host:6379/0
  $ TSALLIS_QUEUE=postgres://ada:secret@host/database tsallis worker --concurrency 4 --json
`;

const FLEET_HELP = `
On a terminal the tables are drawn again every 2 seconds until Ctrl-C; in a pipe, and with --json, once.

Examples:
  $ tsallis fleet --queue redis://host:6379/0
  $ tsallis fleet --json | jq '.workers | length'
  $ tsallis fleet drain
  $ tsallis fleet clear results/mine
`;

const LIST_HELP = `
Examples:
  $ tsallis list policies
  $ tsallis list experiments
  $ tsallis list distributions --json | jq '.[].name'
`;

const SHOW_HELP = `
Examples:
  $ tsallis show showdown > mine.yaml
`;

const SCHEMA_HELP = `
An editor that reads it completes and checks experiments while you write them. In YAML the first line may be
# yaml-language-server: $schema=./experiment.schema.json

Examples:
  $ tsallis schema > experiment.schema.json
`;

const REPORT_HELP = `
Everything but experiment.json and the journal is written again: after an update of tsallis, or of an experiment that was stopped half-way.

Examples:
  $ tsallis report results/mine
  $ tsallis report results/mine --csv
`;

const COMPARE_HELP = `
Regret at the horizon, per environment and policy that both have. A cell is marked where a permutation test, corrected for the number of cells, says that
chance alone would hardly do that (p below 0.05).

Examples:
  $ tsallis compare results/before results/after
  $ tsallis compare results/before results/after --json | jq '.cells[] | select(.changed)'
`;

const IMPORT = "a module of your own that exports policies or environments; may be repeated";

/** What --import has collected so far, and one more. */
function collect(file: string, files: string[]): string[] {
  return [...files, file];
}

/** The commands of the lab. It takes half a second to load, so each command loads what it needs when it is called. */
export function addLabCommands(program: Command, signal: AbortSignal, args: readonly string[]): void {
  program
    .command("run")
    .summary("run an experiment, and write a report")
    .description("Run an experiment: every policy in every environment with every seed. Ends in a ranking and a report.")
    .argument("[experiment]", "a FILE of your own, or the NAME of a built-in experiment", "showdown")
    .option("--out <dir>", "the folder of the results (default: results/NAME-HASH)")
    .option("--seeds <number>", "play with the seeds 1 to this number, whatever the document says")
    .option("--horizon <rounds>", "play so many rounds, whatever the document says; a sweep over horizon keeps its values")
    .option("--workers <number>", "how many runs are played at once (default: one per core)")
    .addOption(queueOption("play on the workers of this queue (tsallis worker) instead of this machine"))
    .option(
      "--only <pattern>",
      "only the runs whose id (environment/policy/seed) has this in it; with a *, which is any text, the whole id must match",
    )
    .addOption(new Option("--import <file>", IMPORT).argParser(collect).default([], "none"))
    .option("--csv", "write traces.csv beside traces.parquet")
    .option("--quiet", "no progress")
    .option("--json", "print the summary as JSON instead of tables")
    .addHelpText("after", RUN_HELP)
    .action(async (experiment, options) => (await import("./commands/run.js")).run(experiment, options, signal, args));
  program
    .command("worker")
    .summary("play chunks of experiments that others coordinate")
    .description("Play what tsallis run --queue hands out, until SIGTERM or Ctrl-C.")
    .addOption(queueOption())
    .option("--concurrency <number>", "how many chunks are played at once, each in a thread (default: one per core)")
    .option("--patience <seconds>", "give a chunk to another worker if its thread plays no round for so long (default: 300)")
    .addOption(new Option("--import <file>", IMPORT).argParser(collect).default([], "none"))
    .option("--json", "log to stdout, one JSON object per line")
    .addHelpText("after", WORKER_HELP)
    .action(async (options) => (await import("./commands/worker.js")).worker(options, signal));
  const fleet = program
    .command("fleet")
    .summary("show the workers of a queue and what they do")
    .description("Show the workers of a queue, the chunks in it and how fast experiments go on.")
    .addOption(queueOption())
    .option("--json", "print one JSON object instead of tables")
    .addHelpText("after", FLEET_HELP)
    .action(async (options) => (await import("./commands/fleet.js")).fleet(options, signal));
  fleet
    .command("drain")
    .summary("let workers finish what they play, and take nothing more")
    .description("Let all workers finish what they play and take nothing more, until tsallis fleet resume. Returns when nothing is being played.")
    .addOption(queueOption())
    .action(async (_options, command) => (await import("./commands/fleet.js")).drain(command.optsWithGlobals(), signal));
  fleet
    .command("resume")
    .summary("let the workers of a drained queue go on")
    .description("Let the workers of a drained queue take chunks again.")
    .addOption(queueOption())
    .action(async (_options, command) => (await import("./commands/fleet.js")).resume(command.optsWithGlobals()));
  fleet
    .command("clear")
    .summary("remove what the queue holds of an experiment")
    .description("Remove the chunks and the document of an experiment whose coordinator is gone for good. One that still runs puts them back.")
    .argument("<experiment>", "its HASH, at least 8 digits of it, or the DIR of its results")
    .addOption(queueOption())
    .action(async (experiment, _options, command) => (await import("./commands/fleet.js")).clear(experiment, command.optsWithGlobals()));
  program
    .command("list")
    .summary("list environments, distributions, policies or experiments")
    .description("List what there is, with parameters and their ranges.")
    .addArgument(new Argument("<what>").choices(["environments", "distributions", "policies", "experiments"] as const))
    .option("--json", "print one JSON array instead of a table")
    .addHelpText("after", LIST_HELP)
    .action(async (what, options) => (await import("./commands/list.js")).list(what, options));
  program
    .command("show")
    .summary("print a built-in experiment, to copy")
    .description("Print the document of a built-in experiment, to copy and change.")
    .argument("<name>", "its name, as tsallis list experiments shows it")
    .addHelpText("after", SHOW_HELP)
    .action(async (name) => (await import("./commands/show.js")).show(name));
  program
    .command("schema")
    .summary("print the JSON Schema of experiments")
    .description("Print the JSON Schema (2020-12) of experiment documents.")
    .addHelpText("after", SCHEMA_HELP)
    .action(async () => (await import("./commands/schema.js")).schema());
  program
    .command("report")
    .summary("write the report of results again, without running")
    .description("Write summary, ranking, report and figures of a folder of results again, without running anything.")
    .argument("<dir>", "a folder that tsallis run has written")
    .addOption(new Option("--import <file>", IMPORT).argParser(collect).default([], "none"))
    .option("--csv", "write traces.csv beside traces.parquet")
    .addHelpText("after", REPORT_HELP)
    .action(async (dir, options) => (await import("./commands/report.js")).report(dir, options));
  program
    .command("compare")
    .summary("tell what changed between two results, beyond noise")
    .description("Tell what changed from the results in one folder to those in another, beyond noise.")
    .argument("<before>", "a folder that tsallis run has written")
    .argument("<after>", "another one")
    .option("--json", "print the comparison as JSON instead of tables")
    .addHelpText("after", COMPARE_HELP)
    .action(async (before, after, options) => (await import("./commands/compare.js")).compare(before, after, options));
}

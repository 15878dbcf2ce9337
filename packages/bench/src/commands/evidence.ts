import type { Command } from "@commander-js/extra-typings";
import { numberOrText } from "@tsallis/cli/dist/input/options.js";

const HELP = `
Logs of five arms are made by matched-tinf with and without a holdout, htinf and thompson; races have two and five arms under uniform traffic. The same seeds give the same
figures on every machine. With 100 logs of each kind, the benchmark takes about six minutes on two cores.

Examples:
  $ npm run bench -- evidence
  $ npm run bench -- evidence --worlds "Pareto 1.6,Bernoulli" --logs 20
  $ npm run -s bench -- evidence --logs 400 --races 1000 --first 20001 --json > evidence.json
`;

export function addEvidence(program: Command, signal: AbortSignal): void {
  program
    .command("evidence")
    .summary("measure how often answers from logged decisions are right, at the end and at all times")
    .description(
      "Measure the intervals and verdicts of tsallis/evidence on logs of known distributions, next to normal, inverse propensity and winsorised ones.",
    )
    .option("--worlds <names>", "the distributions of losses, with commas; all if left out")
    .option("--logs <number>", "the number of logs for each world and policy", "100")
    .option("--races <number>", "the number of races of two arms for each world, and a fifth as many of five arms; as many as logs if left out")
    .option("--first <seed>", "the seed of the first log; the others follow", "5001")
    .option("--rounds <number>", "the decisions of a log", "10000")
    .option("--json", "print JSON instead of tables: {coverage, races}")
    .addHelpText("after", HELP)
    .action(async ({ worlds, logs, races = logs, first, rounds }, command) => {
      const { json = false } = command.optsWithGlobals();
      const { benchEvidence } = await import("../evidence/benchEvidence.js");
      await benchEvidence(
        { worlds, logs: numberOrText(logs), races: numberOrText(races), first: numberOrText(first), rounds: numberOrText(rounds), json },
        signal,
      );
    });
}

import type { Command } from "@commander-js/extra-typings";
import type { Choice, Policy } from "tsallis";
import type { PolicyOptions } from "../input/givenPolicy.js";
import { inputBytes, isBlank, lineBatches } from "../input/inputLines.js";
import { at, Failure } from "../text/failure.js";
import { isClosedPipe, print, say } from "../text/output.js";
import { ProgressLine } from "../text/progressLine.js";
import { helpText } from "../text/prose.js";

const HELP = `
The log has one JSON object per line, such as {"arm":2,"loss":0.37}, or is CSV or TSV with the columns arm and loss; gzipped or not. Each line of the output
has the round, the probabilities before the loss was seen, the threshold, and whether the loss was skipped. A bad line ends the replay with exit code 2,
and no snapshot is written.

Examples:
  $ tsallis replay --policy '{"policy":"htinf","alpha":1.5,"sigma":2.5}' --arms 5 trace.jsonl
  $ tsallis replay --policy ada2tinf --arms 5 --snapshot state.json < monday.jsonl
  $ tsallis replay --resume state.json --snapshot state.json tuesday.tsv.gz
  $ jq -c '{arm, reward}' log.jsonl | tsallis replay --policy opttinf --arms 3 --reward
`;

interface ReplayOptions extends PolicyOptions {
  readonly reward?: true | undefined;
  readonly snapshot?: string | undefined;
}

export function addReplay(program: Command, signal: AbortSignal): void {
  program
    .command("replay")
    .summary("feed a log of arms and losses to a policy")
    .description("Feed a log of arms and losses to a policy: what would it have believed, round by round?")
    .argument("[file]", "the log; - or nothing for stdin")
    .option("--policy <spec>", "the policy as JSON, or its name if it requires no parameters")
    .option("--arms <number>", "number of arms; the log counts them from 0")
    .option("--reward", "read rewards instead of losses: loss = -reward")
    .option("--snapshot <file>", "save the policy's state after the last line")
    .option("--resume <file>", "continue from a saved state")
    .addHelpText("after", helpText(HELP))
    .action((file, options) => replay(file, options, signal));
}

async function replay(file = "-", options: ReplayOptions, signal: AbortSignal): Promise<void> {
  const { givenPolicy } = await import("../input/givenPolicy.js");
  const { snapshotTarget, writeSnapshot } = await import("../input/snapshotFile.js");
  const policy = await givenPolicy(options);
  const target = options.snapshot === undefined ? undefined : await snapshotTarget(options.snapshot);
  if (options.reward) {
    say(
      "warning: rewards are read as negative losses, so a heavy right tail of the rewards becomes a heavy left tail of the losses; that breaks truncated non-negativity, and the paper's guarantees do not apply",
    );
  }
  try {
    await replayLines(file, policy, options.reward === true, signal);
  } catch (error) {
    if (target === undefined || signal.aborted) throw error;
    if (isClosedPipe(error)) throw new Failure("ERR_FILE", "stdout was closed before the end, so no snapshot was written", options.snapshot, 1);
    if (error instanceof Failure) throw new Failure(error.code, `${error.message} (no snapshot was written)`, error.place, error.exitCode);
    throw error;
  }
  if (target !== undefined) await writeSnapshot(target, policy.snapshot());
}

async function replayLines(file: string, policy: Policy, reward: boolean, signal: AbortSignal): Promise<void> {
  const { observationReader } = await import("../input/observation.js");
  const { isSkipped } = await import("tsallis");
  const read = observationReader(reward ? "reward" : "loss");
  const progress = new ProgressLine(process.stderr.isTTY && !process.stdout.isTTY);
  let number = 0;
  try {
    for await (const lines of lineBatches(inputBytes(file, signal, 'lines such as {"arm":2,"loss":0.37}'))) {
      let text = "";
      try {
        for (const line of lines) {
          number++;
          if (isBlank(line)) continue;
          const observation = read(line);
          if (observation !== undefined) text += replayed(observation.arm, observation.loss, policy, isSkipped);
        }
      } catch (error) {
        throw at(`line ${number}`, error);
      } finally {
        if (text !== "") await print(text);
      }
      progress.show(() => `round ${policy.round.toLocaleString("en")}`);
    }
  } finally {
    progress.stop();
  }
}

/** Feeds one line of a log to the policy; returns the line to print. */
function replayed(arm: number, loss: number, policy: Policy, isSkipped: (choice: Choice, loss: number) => boolean): string {
  const probabilities = policy.probabilities();
  const choice = policy.force(arm);
  const { round, probability, threshold } = choice;
  const details = policy.details();
  policy.update(choice, loss);
  const skipped = isSkipped(choice, loss);
  return `${JSON.stringify({ round, arm, loss, probability, probabilities: probabilities && Array.from(probabilities), threshold, skipped, ...details })}\n`;
}

import { parseQueueUrl } from "@tsallis/lab/fleet";
import { Failure } from "../text/failure.js";
import { shellWord } from "../text/terminal.js";

/** The URL of a queue, from --queue or the environment, unchecked. */
export function requireQueue(given: string | undefined): string {
  if (given !== undefined && given !== "") return given;
  throw new Failure(
    "ERR_USAGE",
    "no queue is given; name one with --queue or in the environment variable TSALLIS_QUEUE, such as redis://host:6379/0 or postgres://host:5432/database",
  );
}

/** A command line as text for a shell, without the credentials of the queue. */
export function withoutCredentials(args: readonly string[], queue: string | undefined): string {
  if (queue === undefined) return args.map(shellWord).join(" ");
  const { scrub, word } = parseQueueUrl(queue);
  const given = [queue, `--queue=${queue}`];
  return args.map((each) => (given.includes(each) ? each.replace(queue, () => word) : shellWord(scrub(each)))).join(" ");
}

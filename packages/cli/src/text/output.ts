import { Failure, reason } from "./failure.js";
import { wrappedMessage, wrappedProse } from "./prose.js";
import { oneLine } from "./terminal.js";

/** Writes to stdout and waits until the text is taken (back-pressure). Rejects on an error, such as EPIPE from `| head` or a full disk. */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      if (!error) resolve();
      else reject(isClosedPipe(error) ? error : new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, "stdout", 1));
    });
  });
}

/** Prints text for people: on a terminal, prose is wrapped to its width. */
export function printText(text: string): Promise<void> {
  return print(wrappedProse(text, process.stdout.columns));
}

/** Whether the reader of stdout has gone away. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** Prints one line for people on stderr, which keeps it out of the results. */
export function say(text: string): void {
  sayLine(oneLine(`tsallis: ${text}`));
}

/** Prints a line as it is on stderr; a terminal that is too narrow for it gets several. */
export function sayLine(line: string): void {
  process.stderr.write(`${wrappedMessage(line, process.stderr.columns)}\n`);
}

import { Failure, reason } from "./failure.js";
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

/** Whether the reader of stdout has gone away. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** Prints one line for people on stderr, apart from the results. */
export function say(text: string): void {
  process.stderr.write(`tsallis: ${oneLine(text)}\n`);
}

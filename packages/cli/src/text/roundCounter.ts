const FIRST_AFTER_MS = 2000;
const EVERY_MS = 200;

/** Shows the progress of a long replay on stderr: after two seconds, and only if stderr is a terminal and stdout is not. */
export class RoundCounter {
  readonly #wanted = process.stderr.isTTY && !process.stdout.isTTY;
  #next = performance.now() + FIRST_AFTER_MS;
  #shown = false;

  show(rounds: number): void {
    if (!this.#wanted || performance.now() < this.#next) return;
    this.#next = performance.now() + EVERY_MS;
    this.#shown = true;
    process.stderr.write(`\rround ${rounds.toLocaleString("en-GB")}`);
  }

  /** Wipes the line. */
  stop(): void {
    if (this.#shown) process.stderr.write("\r\u001b[K");
  }
}

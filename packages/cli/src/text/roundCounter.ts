const FIRST_AFTER = 2000;
const EVERY = 200;

/** Shows on stderr how far a long replay is: after two seconds, and only where it disturbs nobody. */
export class RoundCounter {
  readonly #wanted = process.stderr.isTTY && !process.stdout.isTTY;
  #next = performance.now() + FIRST_AFTER;
  #shown = false;

  show(rounds: number): void {
    if (!this.#wanted || performance.now() < this.#next) return;
    this.#next = performance.now() + EVERY;
    this.#shown = true;
    process.stderr.write(`\rround ${rounds.toLocaleString("en-GB")}`);
  }

  /** Wipes the line. */
  stop(): void {
    if (this.#shown) process.stderr.write("\r\u001b[K");
  }
}

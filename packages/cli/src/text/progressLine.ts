const FIRST_AFTER_MS = 2000;
const EVERY_MS = 200;

/** One line on stderr that shows how far long work is: from two seconds after its start, five times a second at most, and only on a terminal. */
export class ProgressLine {
  readonly #first = performance.now() + FIRST_AFTER_MS;
  #next = this.#first;
  #shown: string | undefined;

  constructor(readonly wanted = process.stderr.isTTY === true) {}

  /** A new stage of the work is shown at once: it may take long before it is shown again. */
  show(text: () => string, stage = ""): void {
    const now = performance.now();
    if (!this.wanted || now < (stage === this.#shown ? this.#next : this.#first)) return;
    this.#next = now + EVERY_MS;
    this.#shown = stage;
    process.stderr.write(`\r\u001b[K${text()}`);
  }

  /** Wipes the line. */
  stop(): void {
    if (this.#shown !== undefined) process.stderr.write("\r\u001b[K");
  }
}

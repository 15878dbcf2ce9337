import { say } from "@tsallis/cli/dist/text/output.js";
import { SingleBar } from "cli-progress";

/** How often a line is printed without a terminal. */
const EVERY_MS = 3000;

/** The progress of a long command on stderr: a bar on a terminal, or else a plain line every few seconds. */
export class Progress {
  readonly #bar: SingleBar | undefined;
  #done = 0;
  #next = performance.now() + EVERY_MS;

  constructor(
    readonly label: string,
    readonly total: number,
  ) {
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar({
      stream: process.stderr,
      format: `${label} [{bar}] {percentage} %`,
      barCompleteChar: "=",
      barIncompleteChar: "-",
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
    });
    this.#bar.start(total, 0);
  }

  step(): void {
    this.#done++;
    this.#bar?.update(this.#done);
    if (this.#bar !== undefined || performance.now() < this.#next) return;
    this.#next = performance.now() + EVERY_MS;
    say(`${this.label}: ${Math.floor((100 * this.#done) / this.total)} %`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}

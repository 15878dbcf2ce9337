import { say } from "@tsallis/cli/dist/text/output.js";
import { SingleBar } from "cli-progress";

/** Without a terminal: a line every so many milliseconds. */
const EVERY = 3000;

/** How far a long command is, on stderr: a bar on a terminal, else a plain line every few seconds. */
export class Progress {
  readonly #bar: SingleBar | undefined;
  #done = 0;
  #next = performance.now() + EVERY;

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
    this.#next = performance.now() + EVERY;
    say(`${this.label}: ${Math.floor((100 * this.#done) / this.total)} %`);
  }

  stop(): void {
    this.#bar?.stop();
  }
}

import type { Progress } from "@tsallis/lab";
import { SingleBar } from "cli-progress";
import { say } from "./output.js";
import { counted, duration, rateText } from "./quantities.js";
import { shownPath } from "./terminal.js";

/** How often a line is printed without a terminal. */
const EVERY_MS = 4000;
/** The start of play, which says nothing about the time left: the engine is still compiling. */
const SETTLING_MS = 2000;
/** On a narrower terminal the bar is shorter, so that the time left is in view. */
const WIDE = 100;

/** The progress of an experiment on stderr: first the runs found from before, then a bar on a terminal, or else a plain line every few seconds. */
export class RunProgress {
  #bar: SingleBar | undefined;
  #begun = false;
  /** When the first rounds had been played; threads take a while to start. */
  #first: { readonly time: number; readonly rounds: number } | undefined;
  #next = 0;
  /** Whether a line said how far it is, but not yet that all runs have ended: that one does not wait, because what follows has waits of its own. */
  #said = false;
  #last: Progress | undefined;
  /** Repeats what was shown last where nothing moves, as in a policy of one's own that loops. */
  #ticker: NodeJS.Timeout | undefined;
  /** The connected workers of a fleet; undefined on one machine. */
  #workers: number | undefined;

  constructor(
    readonly name: string,
    readonly directory: string,
  ) {}

  show(progress: Progress): void {
    const now = performance.now();
    this.#last = progress;
    if (!this.#begun) this.#begin(progress, now);
    if (progress.rounds > 0) this.#first ??= { time: now, rounds: progress.rounds };
    const { time, rounds } = this.#first ?? { time: now, rounds: 0 };
    const state = stateOf(progress, progress.rounds - rounds, now - time, this.#workers);
    const share = progress.roundsInAll === 0 ? 1 : progress.rounds / progress.roundsInAll;
    if (this.#bar !== undefined) this.#bar.update(share, { state: state.join(" · ") });
    else if (now >= this.#next || (this.#said && progress.done === progress.runs)) {
      this.#next = now + EVERY_MS;
      this.#said = progress.done < progress.runs;
      say(`${Math.floor(100 * share)} %, ${state.join(", ")}`);
    }
  }

  /** Shows how many workers of the fleet are connected. */
  showWorkers(workers: number): void {
    this.#workers = workers;
    if (this.#last !== undefined) this.show(this.#last);
  }

  /** Prints a line in between. */
  interrupt(text: string): void {
    if (this.#bar !== undefined) process.stderr.write("\r\x1b[K");
    say(text);
  }

  stop(): void {
    clearInterval(this.#ticker);
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #begin({ runs, resumed }: Progress, now: number): void {
    this.#begun = true;
    this.#next = now + EVERY_MS;
    this.#ticker = setInterval(() => this.show(this.#last!), EVERY_MS).unref();
    const found = resumed === 0 ? "" : `, ${resumed === runs ? "all" : resumed.toLocaleString("en")} of them already there`;
    say(`${this.name}: ${counted(runs, "run")} into ${shownPath(this.directory)}${found}`);
    if (!process.stderr.isTTY) return;
    this.#bar = new SingleBar({
      stream: process.stderr,
      format: "[{bar}] {percentage} % · {state}",
      barsize: (process.stderr.columns ?? 0) < WIDE ? 12 : 24,
      barCompleteChar: "=",
      barIncompleteChar: "-",
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
    });
    this.#bar.start(1, 0, { state: "starting" });
  }
}

/** "81 of 180 runs", "1.9 million rounds/s", "2 failed", "14 s left" */
function stateOf({ runs, done, failed, rounds, roundsInAll }: Progress, played: number, milliseconds: number, workers: number | undefined): string[] {
  if (done === runs) return ["writing the results"];
  const rate = (1000 * played) / milliseconds;
  return [
    `${done} of ${runs} ${runs === 1 ? "run" : "runs"}`,
    ...(played > 0 ? [`${rateText(rate)} rounds/s`] : []),
    ...(workers === undefined ? [] : [counted(workers, "worker")]),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(played > 0 && milliseconds >= SETTLING_MS ? [`${duration((roundsInAll - rounds) / rate)} left`] : []),
  ];
}

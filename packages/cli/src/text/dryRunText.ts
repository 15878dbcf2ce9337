import type { DryRun } from "@tsallis/lab";
import { counted } from "./counted.js";
import { duration } from "./duration.js";
import { shownPath } from "./shownPath.js";

/** With less than this share of a core, the machine is busy. */
const BUSY = 0.7;

/** What an experiment would take, as text. */
export function dryRunText(name: string, directory: string, estimated: DryRun): string {
  const { runs, found, rounds, threads, seconds, coreSeconds, bytes, sample, failed } = estimated;
  const there = found === 0 ? "" : ` (${counted(found, "other run")} ${found === 1 ? "is" : "are"} there already)`;
  const cores = `${duration(coreSeconds)} of one core`;
  const time =
    seconds === null ? `${cores}, to be divided by the cores of the workers` : `${duration(seconds)} with ${counted(threads, "thread")}, ${cores}`;
  const cells = sample.cells === 1 ? "the one cell" : `${sample.begun === sample.cells ? "each" : sample.begun} of the ${sample.cells} cells`;
  const share = sample.coreSeconds / sample.seconds;
  return [
    `${name}, a dry run: nothing was written`,
    `runs    ${runs.toLocaleString("en")}${there}`,
    `rounds  ${rounds.toLocaleString("en")}`,
    `time    about ${time}`,
    `memory  about ${Math.round(bytes / 1e6).toLocaleString("en")} MB`,
    `folder  ${shownPath(directory)}`,
    `Time and memory are estimates: one run of ${cells} (environment, policy, swept value) was begun, in ${sample.seconds.toFixed(1)} s.`,
    ...(sample.seconds > 1 && share < BUSY
      ? [`The machine is busy: the sample got ${Math.round(100 * share)} % of a core, so the estimate is rough, and the time will be longer.`]
      : []),
    ...(failed.length === 0 ? [] : [`${counted(failed.length, "cell")} failed, first ${failed[0]!.id}: ${failed[0]!.message}`]),
    "",
  ].join("\n");
}

const FIRST_AFTER_MS = 2000;
const EVERY_MS = 200;

/** Shows on stderr how much of the sample is done: after two seconds, and only on a terminal. */
export class SampleProgress {
  #next = performance.now() + FIRST_AFTER_MS;
  #shown = false;

  show(share: number): void {
    if (!process.stderr.isTTY || performance.now() < this.#next) return;
    this.#next = performance.now() + EVERY_MS;
    this.#shown = true;
    process.stderr.write(`\r\u001b[Ktrying each cell: ${Math.floor(100 * share)} %`);
  }

  /** Wipes the line. */
  stop(): void {
    if (this.#shown) process.stderr.write("\r\u001b[K");
  }
}

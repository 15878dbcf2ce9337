import type { DryRun } from "@tsallis/lab";
import { counted, duration } from "./quantities.js";
import { shownPath } from "./terminal.js";

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

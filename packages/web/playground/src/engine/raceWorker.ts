import type { FromWorker, ToWorker } from "./messages.js";
import { Runner } from "./runner.js";

/** A slice is so short that a command never waits long, and a frame comes for every picture. */
const SLICE_MS = 8;
const FRAME_MS = 16;

let runner: Runner | null = null;
let lanes = 0;
let going: { readonly speed: number; readonly until: number; readonly from: number; readonly start: number } | null = null;
/** Whether a slice is on its way. There is never more than one, however quickly one pauses and plays. */
let isDue = false;
let shownAt = Number.NEGATIVE_INFINITY;

/** Lets messages in between two slices; a timer would wait at least four milliseconds. */
const next = new MessageChannel();
next.port1.onmessage = () => slice();

const tell = (message: FromWorker, transfer: Transferable[] = []) =>
  (postMessage as (message: FromWorker, transfer: Transferable[]) => void)(message, transfer);

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if ("start" in data) {
    const { race, checkpoints } = data.start;
    runner = new Runner(race, data.start.lanes, checkpoints);
    lanes = data.start.lanes.length;
    going = null;
    show();
  } else if ("go" in data) {
    going = { ...data.go, from: runner!.round, start: performance.now() };
    if (!isDue) slice();
  } else if ("pause" in data) {
    going = null;
    show();
  } else tell({ runHashes: runner!.runHashes(lanes) });
});

function slice(): void {
  isDue = false;
  if (going === null || runner === null) return;
  const { speed, until, from, start } = going;
  const begun = performance.now();
  const due = Math.min(until, speed === Number.POSITIVE_INFINITY ? until : from + Math.floor(((begun - start) / 1000) * speed));
  runner.advance(due, () => performance.now() - begun >= SLICE_MS);
  if (runner.round >= until) going = null;
  if (going === null || performance.now() - shownAt >= FRAME_MS) show();
  if (going === null) return;
  isDue = true;
  if (runner.round < due) next.port2.postMessage(null);
  else setTimeout(slice, FRAME_MS);
}

function show(): void {
  shownAt = performance.now();
  const frame = runner!.frame(going !== null);
  tell({ frame }, [frame.points.buffer]);
}

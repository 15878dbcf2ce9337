import type { FromWorker, ToWorker } from "./messages.js";
import { type Pace, paced } from "./pace.js";
import { Runner } from "./runner.js";

/** A slice is so short that a command never waits long, and a frame comes for every picture. */
const SLICE_MS = 8;
const FRAME_MS = 16;

let runner: Runner | null = null;
let lanes = 0;
let going: (Pace & { readonly until: number; position: number; at: number }) | null = null;
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
    const { race, checkpoints, moved } = data.start;
    runner = new Runner(race, data.start.lanes, checkpoints, moved);
    lanes = data.start.lanes.length;
    going = null;
    show();
  } else if ("go" in data) {
    going = { ...data.go, position: runner!.round, at: performance.now() };
    if (!isDue) slice();
  } else if ("pause" in data) {
    going = null;
    show();
  } else tell({ runHashes: runner!.runHashes(lanes) });
});

function slice(): void {
  isDue = false;
  if (going === null || runner === null) return;
  const { until } = going;
  const begun = performance.now();
  going.position = Math.min(until, paced(going, going.position, (begun - going.at) / 1000));
  going.at = begun;
  const due = Math.floor(going.position);
  runner.advance(due, () => performance.now() - begun >= SLICE_MS);
  // A runner that cannot keep up is not chased: what comes after a slow part would be played at once.
  going.position = Math.min(going.position, runner.round + 1);
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
  tell({ frame }, [frame.points.buffer, frame.plays.buffer]);
}

import { checkpoints } from "@tsallis/lab/play";
import { type Means, runningMeans } from "./runningMeans.js";

const DRAWS = 1_000_000;
const POINTS = 150;
const FRAME_MS = 50;

/** A new shape or seed starts over; the page ends the worker when it needs no more. */
addEventListener("message", ({ data }: MessageEvent<{ readonly shape: number; readonly seed: number }>) => {
  let shownAt = 0;
  let last: Means | undefined;
  for (const means of runningMeans(data.shape, data.seed, checkpoints(DRAWS, POINTS))) {
    last = means;
    if (performance.now() - shownAt < FRAME_MS) continue;
    shownAt = performance.now();
    postMessage(means);
  }
  postMessage(last);
});

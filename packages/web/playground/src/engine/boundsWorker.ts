import { boundsOf } from "./boundsOf.js";
import type { Race } from "./race.js";

/** Answers each race with the bounds of its policies. */
addEventListener("message", ({ data }: MessageEvent<Race>) => postMessage(boundsOf(data)));

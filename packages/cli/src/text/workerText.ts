import type { WorkerEvent } from "@tsallis/lab/fleet";
import { counted } from "./counted.js";
import { rateText } from "./rateText.js";

/** The line that a worker prints for people; a single chunk is not worth one. */
export function workerText(told: WorkerEvent | { readonly event: "stopped" }): string | undefined {
  switch (told.event) {
    case "ready":
      return `worker ${told.name} listens to ${told.queue} at ${told.url}, ${counted(told.concurrency, "chunk")} at once`;
    case "chunk":
      return undefined;
    case "lost":
      return `chunk ${told.chunk} belongs to another worker now, so its results here are dropped: ${told.reason}`;
    case "returned":
      return `chunk ${told.chunk} goes back to the queue: ${told.reason}`;
    case "health":
      return `${counted(told.chunks, "chunk")} with ${counted(told.runs, "run")} done, ${told.active} at work, ${rateText(told.roundsPerSecond)} rounds/s, ${told.queued} queued`;
    case "idle": {
      const others =
        told.others.length === 0
          ? ""
          : `; the server also has ${told.others.join(", ")}, for workers of that version: other versions would not give the same bytes`;
      return `idle: ${told.reason}${others}`;
    }
    case "disconnected":
      return `the queue does not answer (${told.reason}); trying again`;
    case "reconnected":
      return "the queue answers again";
    case "stopping":
      return told.active === 0
        ? "stopping"
        : `stopping after ${counted(told.active, "chunk")}; a chunk that takes too long is given back; a second signal ends the worker at once`;
    case "stopped":
      return "stopped";
  }
}

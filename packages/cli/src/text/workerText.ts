import type { WorkerEvent } from "@tsallis/lab/fleet";
import { counted } from "./counted.js";
import { rateText } from "./rateText.js";

/** What a worker says to people; single chunks are not worth a line. */
export function workerText(told: WorkerEvent | { readonly event: "stopped" }): string | undefined {
  switch (told.event) {
    case "ready":
      return `worker ${told.name} listens to ${told.queue} at ${told.url}, ${counted(told.concurrency, "chunk")} at once`;
    case "chunk":
      return undefined;
    case "lost":
      return `chunk ${told.chunk} is another worker's now, what was played of it is dropped: ${told.reason}`;
    case "returned":
      return `chunk ${told.chunk} goes back to the queue: ${told.reason}`;
    case "health":
      return `${counted(told.chunks, "chunk")} with ${counted(told.runs, "run")} done, ${told.active} at work, ${rateText(told.roundsPerSecond)} rounds/s, ${told.queued} queued`;
    case "idle": {
      const others =
        told.others.length === 0
          ? ""
          : `; there is also ${told.others.join(", ")}, for workers of that version: others would not give the same bytes`;
      return `idle: ${told.reason}${others}`;
    }
    case "disconnected":
      return `the queue does not answer (${told.reason}); trying again`;
    case "reconnected":
      return "the queue answers again";
    case "stopping":
      return told.active === 0
        ? "stopping"
        : `stopping after ${counted(told.active, "chunk")}; what takes too long is given back; a second signal ends it at once`;
    case "stopped":
      return "stopped";
  }
}

import type { FleetState, WorkerEvent } from "@tsallis/lab/fleet";
import { counted, duration, rateText } from "./quantities.js";
import { oneLine } from "./terminal.js";
import { formatTable } from "./textTable.js";

/** A coordinator that has been silent for this long is probably gone. */
const SILENT_S = 15;

/** A fleet for people: its queue, its workers, its experiments. */
export function fleetText({ queue, url, drained, workers, queued, active, failed, experiments, others }: FleetState): string {
  const slots = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const rate = experiments.reduce((sum, { progress }) => sum + (progress !== null && progress.age < SILENT_S ? progress.roundsPerSecond : 0), 0);
  const lines = [
    `${queue} at ${url}${drained ? ", drained: workers take no chunks until tsallis fleet resume" : ""}`,
    `${counted(workers.length, "worker")}, ${counted(slots, "slot")}; chunks: ${queued} queued, ${active} active, ${failed} failed; ${rateText(rate)} rounds/s`,
    ...(others.length === 0 ? [] : [`other versions: ${others.map(oneLine).join(", ")}`]),
  ];
  return [`${lines.join("\n")}\n`, workersTable(workers), experimentsTable(experiments)].join("");
}

function workersTable(workers: FleetState["workers"]): string {
  if (workers.length === 0) return "";
  return formatTable(
    ["worker", "host", "process", "slots", "playing"],
    workers.map(({ name, host, pid, concurrency, chunks }) => [
      name,
      host,
      `${pid}`,
      `${concurrency}`,
      chunks.map((id) => oneLine(shortChunk(id))).join(" ") || "-",
    ]),
    { wrapped: [4], dropped: [2, 1] },
  );
}

function experimentsTable(experiments: FleetState["experiments"]): string {
  if (experiments.length === 0) return "";
  return formatTable(
    ["experiment", "hash", "runs", "failed", "rounds/s", "queued", "active", "heard"],
    experiments.map(({ name, hash, progress, queued, active }) => [
      oneLine(name),
      oneLine(hash.slice(0, 8)),
      progress === null ? "-" : `${progress.done} of ${progress.runs}`,
      progress === null ? "-" : `${progress.failed}`,
      progress === null ? "-" : rateText(progress.roundsPerSecond),
      `${queued}`,
      `${active}`,
      progress === null ? "-" : progress.age < SILENT_S ? "now" : `${duration(progress.age)} ago`,
    ]),
    { dropped: [6, 5, 1] },
  );
}

/** "1a2b3c4d-5e6f7a8b": the beginnings of the experiment's hash and of the chunk's own. */
function shortChunk(id: string): string {
  return id
    .split("-")
    .map((part) => part.slice(0, 8))
    .join("-");
}

/** The line that a worker prints for people; a single chunk is not worth one. */
export function workerText(event: WorkerEvent | { readonly event: "stopped" }): string | undefined {
  switch (event.event) {
    case "ready":
      return `worker ${event.name} listens to ${event.queue} at ${event.url}, ${counted(event.concurrency, "chunk")} at once`;
    case "chunk":
      return undefined;
    case "lost":
      return `chunk ${event.chunk} now belongs to another worker; its results here are dropped: ${event.reason}`;
    case "returned":
      return `chunk ${event.chunk} returned to the queue: ${event.reason}`;
    case "health":
      return `${counted(event.chunks, "chunk")} with ${counted(event.runs, "run")} done, ${event.active} active, ${rateText(event.roundsPerSecond)} rounds/s, ${event.queued} queued`;
    case "idle": {
      const others =
        event.others.length === 0
          ? ""
          : `; the server also has ${event.others.join(", ")}, for workers of that version: other versions would not give the same bytes`;
      return `idle: ${event.reason}${others}`;
    }
    case "disconnected":
      return `the queue does not answer (${event.reason}); trying again`;
    case "reconnected":
      return "the queue answers again";
    case "stopping":
      return event.active === 0
        ? "stopping"
        : `stopping after ${counted(event.active, "chunk")}; chunks that take too long are returned; a second signal ends the worker at once`;
    case "stopped":
      return "stopped";
  }
}

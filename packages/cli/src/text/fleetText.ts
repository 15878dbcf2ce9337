import type { FleetState } from "@tsallis/lab/fleet";
import { counted } from "./counted.js";
import { duration } from "./duration.js";
import { oneLine } from "./oneLine.js";
import { rateText } from "./rateText.js";
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
  );
}

/** "1a2b3c4d-5e6f7a8b": the beginnings of the experiment's hash and of the chunk's own. */
function shortChunk(id: string): string {
  return id
    .split("-")
    .map((part) => part.slice(0, 8))
    .join("-");
}

import { armsOf } from "../document/armsOf.js";
import type { Experiment } from "../document/experiment.js";
import type { Run } from "../document/run.js";
import { horizonOf } from "../document/runs.js";
import { checkpoints } from "./checkpoints.js";
import { MOST_SHARES, type Trace } from "./runResult.js";

type Known = Readonly<Record<string, unknown>>;

const COLUMNS = ["round", "pseudoRegret", "realizedRegret", "dynamicRegret", "skipped", "best"] as const satisfies readonly (keyof Trace)[];

/**
 * What is wrong with a value from outside (a line of a journal, the answer of a worker) as the result of a run; null if nothing is. Whatever passes is a
 * RunResult of that run, on the grid of its document; whether its numbers are those that the run would give, only playing it can tell.
 */
export function resultProblem(experiment: Experiment, run: Run, value: unknown): string | null {
  if (!isRecord(value)) return "it is not an object";
  const { id, status, seconds } = value;
  if (id !== run.id) return `its id is not ${run.id}`;
  if (!(isFiniteNumber(seconds) && seconds >= 0)) return "seconds is not a finite number of at least 0";
  if (status === "completed") return keysProblem(value, ["id", "status", "trace", "seconds"]) ?? traceProblem(experiment, run, value.trace);
  if (status === "failed") return keysProblem(value, ["id", "status", "error", "seconds"]) ?? errorProblem(value.error);
  return "its status is neither completed nor failed";
}

function errorProblem(error: unknown): string | null {
  if (!isRecord(error)) return "error is not an object";
  if (!(error.code === null || typeof error.code === "string")) return "error.code is neither a text nor null";
  if (typeof error.message !== "string") return "error.message is not a text";
  return keysProblem(error, ["code", "message"], "error.");
}

function traceProblem(experiment: Experiment, run: Run, trace: unknown): string | null {
  if (!isRecord(trace)) return "trace is not an object";
  const { round, plays, details, anatomy, runHash } = trace;
  const grid = gridOf(experiment, horizonOf(experiment, run));
  const columns: [name: string, column: unknown][] = COLUMNS.map((name) => [name, trace[name]]);
  if (plays !== null && !(Array.isArray(plays) && plays.length > 0 && plays.length <= MOST_SHARES)) {
    return `trace.plays is neither null nor a list of 1 to ${MOST_SHARES} columns`;
  }
  const arms = armsOf(experiment, run);
  const wanted = arms === null ? (plays?.length ?? null) : arms > MOST_SHARES ? null : arms;
  if ((plays?.length ?? null) !== wanted) return `trace.plays has ${plays?.length ?? "no"} columns, and its environment ${arms} arms`;
  columns.push(...(plays ?? []).map((column, arm): [string, unknown] => [`plays[${arm}]`, column]));
  if (!isRecord(details)) return "trace.details is not an object";
  columns.push(...Object.entries(details).map(([name, column]): [string, unknown] => [`details.${name}`, column]));
  if (experiment.anatomy ? !isRecord(anatomy) : anatomy !== null) return `trace.anatomy is not ${experiment.anatomy ? "an object" : "null"}`;
  columns.push(...Object.entries(anatomy ?? {}).map(([name, column]): [string, unknown] => [`anatomy.${name}`, column]));
  for (const [name, column] of columns) {
    if (!(Array.isArray(column) && column.length === grid.length)) return `trace.${name} is not a list of ${grid.length} numbers`;
    if (!areFinite(column)) return `trace.${name} holds something that is not a finite number`;
  }
  if (!grid.every((each, i) => each === (round as number[])[i])) return "trace.round does not hold the checkpoints of the document";
  const hashed = experiment.runHash === true;
  if (hashed && !(typeof runHash === "string" && /^[0-9a-f]{16}$/.test(runHash))) return "trace.runHash is not 16 hexadecimal digits";
  return keysProblem(trace, [...COLUMNS, "plays", "details", "anatomy", ...(hashed ? ["runHash"] : [])], "trace.");
}

/** All runs of a horizon have the same checkpoints. */
const grids = new WeakMap<Experiment, Map<number, readonly number[]>>();

function gridOf(experiment: Experiment, horizon: number): readonly number[] {
  const known = grids.get(experiment) ?? new Map<number, readonly number[]>();
  grids.set(experiment, known);
  const grid = known.get(horizon) ?? checkpoints(horizon, experiment.checkpoints);
  known.set(horizon, grid);
  return grid;
}

function keysProblem(value: Known, known: readonly string[], path = ""): string | null {
  const other = Object.keys(value).find((key) => !known.includes(key));
  return other === undefined ? null : `${path}${other} is unknown`;
}

function isRecord(value: unknown): value is Known {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A loop, because this is asked of every number of a journal, and `every` takes some times as long. */
function areFinite(column: readonly unknown[]): boolean {
  for (let i = 0; i < column.length; i++) if (!Number.isFinite(column[i])) return false;
  return true;
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

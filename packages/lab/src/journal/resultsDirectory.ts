import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import { writeFile } from "./writeFile.js";

export const FILES = {
  experiment: "experiment.json",
  journal: "journal.jsonl",
  traces: "traces.parquet",
  csv: "traces.csv",
  summary: "summary.json",
  timing: "timing.json",
  report: "report.html",
  figures: "figures",
  rankingCsv: "ranking.csv",
  rankingLatex: "ranking.tex",
  profile: "profile.csv",
  lock: "lock",
} as const;

/** Prepares a folder for an experiment's results and locks it for this process. Returns a function that releases it. */
export function claimDirectory(directory: string, frozen: FrozenExperiment): () => void {
  mkdirSync(directory, { recursive: true });
  requireSameExperiment(directory, frozen);
  const release = lock(directory);
  try {
    // Another process may have been faster.
    requireSameExperiment(directory, frozen);
    const path = join(directory, FILES.experiment);
    if (!existsSync(path)) writeFile(path, `${JSON.stringify(frozen, null, 2)}\n`);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** The experiment whose results a folder holds. */
export function readFrozen(directory: string): FrozenExperiment {
  const path = join(directory, FILES.experiment);
  let frozen: FrozenExperiment;
  try {
    frozen = JSON.parse(readFileSync(path, "utf8")) as FrozenExperiment;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === "ENOENT" ? "it has no experiment.json" : (error as Error).message;
    throw new LabError("ERR_RESULTS", `${directory} holds no results: ${reason}; name a folder that tsallis run has written`);
  }
  if (typeof frozen?.hash !== "string" || typeof frozen.experiment !== "object" || frozen.experiment === null) {
    throw new LabError("ERR_RESULTS", `${path} is damaged: it has no hash or no experiment; run the experiment again into another folder`);
  }
  return frozen;
}

/** Refuses a folder that holds anything but results of this experiment. */
export function requireSameExperiment(directory: string, { hash }: FrozenExperiment): void {
  const entries = readdirSync(directory);
  if (entries.length === 0) return;
  if (!entries.includes(FILES.experiment)) {
    // A process that died between creating the folder and writing to it leaves only its lock.
    if (entries.every((entry) => entry === FILES.lock || entry === `${FILES.experiment}.part`)) return;
    throw new LabError("ERR_DIRECTORY", `${directory} holds files other than results; give an empty or a new folder with --out`);
  }
  const other = readFrozen(directory).hash;
  if (other === hash) return;
  throw new LabError(
    "ERR_DIRECTORY",
    `${directory} holds the results of another experiment (hash ${other.slice(0, 8)}, not ${hash.slice(0, 8)}); give another folder with --out`,
  );
}

/** The locks that this process holds. */
const held = new Set<string>();

function lock(directory: string): () => void {
  const path = join(realpathSync(directory), FILES.lock);
  for (;;) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      held.add(path);
      return () => {
        held.delete(path);
        rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = ownerOf(path);
    if (owner === process.pid ? held.has(path) : isAlive(owner)) {
      throw new LabError(
        "ERR_BUSY",
        `${directory} is being written by process ${owner}; wait for it, or give another folder with --out; if that process is not tsallis, delete ${path}`,
      );
    }
    rmSync(path, { force: true });
  }
}

/**
 * The process that holds a lock. 0 if the lock is older than the machine's last start, because the process number may belong to another process now.
 */
function ownerOf(path: string): number {
  const started = Date.now() - 1000 * uptime();
  try {
    return statSync(path).mtimeMs < started ? 0 : Number(readFileSync(path, "utf8"));
  } catch (error) {
    // The lock was released in the meantime.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!(Number.isSafeInteger(pid) && pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

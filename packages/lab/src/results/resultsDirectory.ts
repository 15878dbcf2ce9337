import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
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

/** Makes a folder ready for an experiment's results, and takes it for this process. Returns what gives it back. */
export function claimDirectory(directory: string, frozen: FrozenExperiment): () => void {
  mkdirSync(directory, { recursive: true });
  requireSameExperiment(directory, frozen);
  const release = lock(directory);
  try {
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
  if (typeof frozen.hash !== "string" || typeof frozen.experiment !== "object") {
    throw new LabError("ERR_RESULTS", `${path} is damaged: it has no hash or no experiment; run the experiment again into another folder`);
  }
  return frozen;
}

function requireSameExperiment(directory: string, { hash }: FrozenExperiment): void {
  const entries = readdirSync(directory);
  if (entries.length === 0) return;
  if (!entries.includes(FILES.experiment)) {
    // A process that died between making the folder and writing to it leaves its lock alone.
    if (entries.every((entry) => entry === FILES.lock || entry === `${FILES.experiment}.part`)) return;
    throw new LabError("ERR_DIRECTORY", `${directory} holds something else than results; give an empty or a new folder with --out`);
  }
  const held = readFrozen(directory).hash;
  if (held === hash) return;
  throw new LabError(
    "ERR_DIRECTORY",
    `${directory} holds the results of another experiment (hash ${held.slice(0, 8)}, not ${hash.slice(0, 8)}); give another folder with --out`,
  );
}

function lock(directory: string): () => void {
  const path = join(directory, FILES.lock);
  for (;;) {
    try {
      const file = openSync(path, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = Number(readFileSync(path, "utf8"));
    if (isAlive(owner)) {
      throw new LabError("ERR_BUSY", `${directory} is being written by process ${owner}; wait for it, or give another folder with --out`);
    }
    rmSync(path, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!(Number.isSafeInteger(pid) && pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

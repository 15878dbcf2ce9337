import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { experimentDifference } from "../document/experimentDifference.js";
import { hashOf } from "../document/freezeExperiment.js";
import { LabError } from "../labError.js";
import { takeLock } from "./fileLock.js";
import { makeFolder } from "./makeFolder.js";
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
  across: "across.csv",
  lock: "lock",
} as const;

/** Prepares a folder for an experiment's results and locks it for this process. Returns a function that releases it. */
export function claimDirectory(directory: string, frozen: FrozenExperiment): () => void {
  try {
    return claim(directory, frozen);
  } catch (error) {
    // What the system refuses has a code.
    if (error instanceof LabError || !(error instanceof Error && "code" in error)) throw error;
    throw new LabError("ERR_DIRECTORY", `${directory} cannot take results: ${error.message}; give a folder that can be written with --out`);
  }
}

function claim(directory: string, frozen: FrozenExperiment): () => void {
  makeFolder(resolve(directory));
  requireSameExperiment(directory, frozen);
  const release = takeLock(join(realpathSync(directory), FILES.lock));
  try {
    // Another process may have been faster.
    requireSameExperiment(directory, frozen);
    // What a process that died has not finished.
    for (const file of Object.values(FILES)) rmSync(join(directory, `${file}.part`), { force: true });
    const path = join(directory, FILES.experiment);
    // The hash leaves out the names of modules, the order of keys and white space: the file says what these results were last written from.
    if (!existsSync(path) || readFileSync(path, "utf8") !== frozenText(frozen)) writeFile(path, frozenText(frozen));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** The text of experiment.json. */
export function frozenText(frozen: FrozenExperiment): string {
  return `${JSON.stringify(frozen, null, 2)}\n`;
}

/** The experiment whose results a folder holds. Any version of this package may have written it, but nobody may have changed it since. */
export function readFrozen(directory: string): FrozenExperiment {
  const path = join(directory, FILES.experiment);
  let frozen: FrozenExperiment;
  try {
    frozen = JSON.parse(readFileSync(path, "utf8")) as FrozenExperiment;
  } catch (error) {
    throw new LabError("ERR_RESULTS", unreadable(directory, error as NodeJS.ErrnoException));
  }
  const problem = frozenProblem(frozen);
  if (problem !== null) {
    throw new LabError("ERR_RESULTS", `${path} is damaged: ${problem}; restore it from a copy, or run the experiment again into another folder`);
  }
  return frozen;
}

function unreadable(directory: string, { code, message }: NodeJS.ErrnoException): string {
  const remedy = "name a folder that tsallis run has written";
  if (!existsSync(directory)) return `${directory} does not exist; ${remedy}`;
  if (code === "ENOENT" && existsSync(join(directory, FILES.journal))) return withoutExperiment(directory);
  return `${directory} holds no results: ${code === "ENOENT" ? `it has no ${FILES.experiment}` : message}; ${remedy}`;
}

/** What is wrong with a folder in which experiment.json was lost. */
function withoutExperiment(directory: string): string {
  return `${directory} has a journal, but no ${FILES.experiment}; restore it from a copy, or run the experiment again into another folder`;
}

function frozenProblem(frozen: Partial<FrozenExperiment> | null): string | null {
  const { hash, version, experiment, imports } = frozen ?? {};
  const named =
    typeof hash === "string" && typeof version === "string" && Array.isArray(imports) && imports.every((item) => typeof item?.file === "string");
  if (!named || typeof experiment !== "object") return "it lacks a hash, a version, an experiment or the list of imports";
  const own = hashOf({ version, experiment, imports });
  return own === hash ? null : `its hash is ${hash.slice(0, 8)}, and that of its content is ${own.slice(0, 8)}`;
}

/** Refuses a folder that holds anything but results of this experiment. */
export function requireSameExperiment(directory: string, frozen: FrozenExperiment): void {
  const entries = readdirSync(directory);
  if (entries.length === 0) return;
  if (!entries.includes(FILES.experiment)) {
    // A process that takes the folder, or died between creating it and writing to it, has only its lock there.
    if (entries.every((entry) => entry === FILES.lock || entry.startsWith(`${FILES.lock}.`) || entry === `${FILES.experiment}.part`)) return;
    if (entries.includes(FILES.journal)) throw new LabError("ERR_DIRECTORY", withoutExperiment(directory));
    throw new LabError("ERR_DIRECTORY", `${directory} holds files other than results; give an empty or a new folder with --out`);
  }
  const other = readFrozen(directory);
  if (other.hash === frozen.hash) return;
  const hashes = `hash ${other.hash.slice(0, 8)}, not ${frozen.hash.slice(0, 8)}`;
  throw new LabError(
    "ERR_DIRECTORY",
    `${directory} holds the results of another experiment (${hashes}): ${experimentDifference(other, frozen)}; give another folder with --out`,
  );
}

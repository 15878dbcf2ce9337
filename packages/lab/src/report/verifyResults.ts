import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import type { FrozenExperiment } from "../document/experiment.js";
import { VERSION } from "../document/freezeExperiment.js";
import { runsOf } from "../document/runs.js";
import { FILES, frozenText, readFrozen } from "../journal/resultsDirectory.js";
import { StoredResults } from "../journal/storedResults.js";
import { LabError } from "../labError.js";
import type { Results } from "../run/results.js";
import type { OnStage } from "../run/stages.js";
import { sameBytes } from "./sameBytes.js";
import { writeResults } from "./writeResults.js";

/** Something in a folder of results that is not as it must be. */
export interface Finding {
  /** From the folder, with slashes. */
  readonly file: string;
  readonly problem: "damaged" | "incomplete" | "differs" | "missing" | "foreign" | "other-version";
  readonly detail: string;
}

/** What a check of a folder of results has found. */
export interface Verification {
  readonly frozen: FrozenExperiment;
  /** The runs of the experiment, and those of them that the journal holds. */
  readonly runs: number;
  readonly completed: number;
  readonly failed: number;
  /** The files that were compared with what follows from the experiment and the journal. */
  readonly compared: number;
  readonly findings: readonly Finding[];
}

/**
 * Checks that a folder holds what its experiment and its journal say, byte for byte: both are whole, and every other file is as it would be written now. The
 * files are written for that into a temporary folder; the folder itself stays as it is.
 */
export async function verifyResults(directory: string, onStage?: OnStage): Promise<Verification> {
  const frozen = readFrozen(directory);
  const path = join(directory, FILES.journal);
  if (!existsSync(path)) throw new LabError("ERR_RESULTS", `${directory} has no ${FILES.journal}; run the experiment again`);
  const results = StoredResults.read(path, frozen, onStage);
  const runs = runsOf(frozen.experiment);
  const count = (status: string) => runs.filter(({ id }) => results.statusOf(id) === status).length;
  const findings: Finding[] = results.scan.damage.map(({ line, problem }) => ({
    file: FILES.journal,
    problem: "damaged",
    detail: `line ${line}: ${problem}`,
  }));
  if (results.scan.unfinished) findings.push({ file: FILES.journal, problem: "damaged", detail: "its last line has no end" });
  if (readFileSync(join(directory, FILES.experiment), "utf8") !== frozenText(frozen)) {
    findings.push({ file: FILES.experiment, problem: "differs", detail: "it is written in another way, though its hash fits" });
  }
  if (frozen.version !== VERSION) {
    const detail = `tsallis ${frozen.version} wrote the folder, and this is ${VERSION}: what follows from the journal can be compared only by the version that wrote it`;
    findings.push({ file: FILES.experiment, problem: "other-version", detail });
  }
  // What follows from a journal with damaged lines differs for that reason alone.
  const comparable = findings.length === 0;
  // An interrupted folder cannot be told from a finished one that has lost a line, so neither is right.
  const [completed, failed] = [count("completed"), count("failed")];
  const open = runs.length - completed - failed;
  if (open > 0) {
    const detail = `${open.toLocaleString("en")} ${open === 1 ? "run has" : "runs have"} no line`;
    findings.push({ file: FILES.journal, problem: "incomplete", detail });
  }
  const compared = comparable ? await compareFiles(directory, frozen, results, findings, onStage) : 0;
  return { frozen, runs: runs.length, completed, failed, compared, findings };
}

/** Adds a finding for every file that is not as it would be written now. Returns the number of files that should be there. */
async function compareFiles(directory: string, frozen: FrozenExperiment, results: Results, findings: Finding[], onStage?: OnStage): Promise<number> {
  if (results.size === 0) throw new LabError("ERR_RESULTS", `${directory} has no finished run yet; run the experiment first`);
  const right = mkdtempSync(join(tmpdir(), "tsallis-verify-"));
  try {
    await writeResults(right, frozen, results, {
      csv: existsSync(join(directory, FILES.csv)),
      ...(onStage && { onStage }),
    });
    const expected = entriesOf(right);
    const found = new Set(entriesOf(directory));
    for (const file of expected) {
      if (!found.has(file)) findings.push({ file, problem: "missing", detail: "it follows from the journal, but is not there" });
      else if (!sameEntry(join(right, file), join(directory, file))) {
        findings.push({ file, problem: "differs", detail: "it is not what follows from the journal" });
      }
    }
    const known = new Set<string>([...expected, FILES.experiment, FILES.journal]);
    for (const file of found) {
      // Of a folder that does not belong there, the folder is named.
      if (known.has(file) || (dirname(file) !== "." && !known.has(dirname(file)))) continue;
      const lock = file === FILES.lock ? "a process writes into the folder, or died there" : "no file of these results has this name";
      findings.push({ file, problem: "foreign", detail: lock });
    }
    return expected.filter((file) => statSync(join(right, file)).isFile()).length;
  } finally {
    rmSync(right, { recursive: true });
  }
}

/** Everything in a folder, and in the folders in it. */
function entriesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll(sep, "/"))
    .sort();
}

function sameEntry(right: string, found: string): boolean {
  const [a, b] = [statSync(right), statSync(found, { throwIfNoEntry: false })];
  if (b === undefined || a.isDirectory() || b.isDirectory()) return a.isDirectory() === b?.isDirectory();
  return a.size === b.size && sameBytes(right, found);
}

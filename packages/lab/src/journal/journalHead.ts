import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import { seal, unseal } from "./seal.js";

/** The first line of a journal. */
interface Head {
  /** The version of the format; journals of version 1 had neither a first line of this kind nor checksums. */
  readonly journal: number;
  /** The hash of the experiment. */
  readonly experiment: string;
}

const FORMAT = 2;

/** The first line of a new journal, without its line end. */
export function journalHead({ hash }: FrozenExperiment): Buffer {
  return seal(hash, JSON.stringify({ journal: FORMAT, experiment: hash } satisfies Head));
}

/** Whether a line is the whole first line of this experiment's journal. Refuses journals of other formats and of other experiments. */
export function isHead(line: Buffer, { hash }: FrozenExperiment, path: string): boolean {
  const remedy = "move it away and run the experiment again, or give another folder with --out";
  if (/^\{"id":"/.test(line.toString("latin1", 0, 7))) {
    throw new LabError(
      "ERR_RESULTS",
      `${path} has no checksums: a version of tsallis before them wrote it, and its numbers cannot be trusted; ${remedy}`,
    );
  }
  const head = headIn(line);
  if (head === undefined) return false;
  if (head.journal !== FORMAT) {
    throw new LabError(
      "ERR_RESULTS",
      `${path} has format ${head.journal}, and this version of tsallis reads format ${FORMAT}; use the version that wrote it`,
    );
  }
  if (head.experiment !== hash) {
    const hashes = `hash ${head.experiment.slice(0, 8)}, not ${hash.slice(0, 8)}`;
    throw new LabError("ERR_RESULTS", `${path} is the journal of another experiment (${hashes}); ${remedy}`);
  }
  return true;
}

/** It is sealed for the experiment that it names itself, so that the journal of another one is told from a damaged line. */
function headIn(line: Buffer): Head | undefined {
  const named = /"experiment":"([0-9a-f]{64})"\}\}$/.exec(line.toString("latin1", 0, 300))?.[1];
  const head = named === undefined ? undefined : (unseal(named, line) as Head | undefined);
  return typeof head?.journal === "number" ? head : undefined;
}

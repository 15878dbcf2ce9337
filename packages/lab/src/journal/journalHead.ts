import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import { seal, unseal } from "./seal.js";

/** The first line of a journal. */
interface Head {
  /** The version of the format. */
  readonly journal: number;
  /** The hash of the experiment. */
  readonly experiment: string;
}

const FORMAT = 1;

/** The first line of a new journal, without its line end. */
export function journalHead({ hash }: FrozenExperiment): Buffer {
  return seal(hash, JSON.stringify({ journal: FORMAT, experiment: hash } satisfies Head));
}

/** Whether a line is the whole first line of this experiment's journal. Refuses journals of other formats and of other experiments. */
export function isHead(line: Buffer, { hash }: FrozenExperiment, path: string): boolean {
  const head = headIn(line);
  if (head === undefined) return false;
  if (head.journal !== FORMAT) {
    const wrote = `was written by another build of tsallis (version ${head.journal}; this one reads version ${FORMAT})`;
    throw new LabError("ERR_RESULTS", `${path} ${wrote}; run the experiment again in a new folder`);
  }
  if (head.experiment !== hash) {
    const hashes = `hash ${head.experiment.slice(0, 8)}, not ${hash.slice(0, 8)}`;
    throw new LabError(
      "ERR_RESULTS",
      `${path} is the journal of another experiment (${hashes}); move it away and run the experiment again, or give another folder with --out`,
    );
  }
  return true;
}

/** It is sealed for the experiment that it names itself, so that the journal of another one is not taken for a damaged line. */
function headIn(line: Buffer): Head | undefined {
  const named = /"experiment":"([0-9a-f]{64})"\}\}$/.exec(line.toString("latin1", 0, 300))?.[1];
  const head = named === undefined ? undefined : (unseal(named, line) as Head | undefined);
  return typeof head?.journal === "number" ? head : undefined;
}

/** The codes that the lab adds to the library's. docs/reference/errors.md lists the same table, and a test keeps both equal. */
export const LAB_ERROR_CODES = {
  ERR_DOCUMENT: "an experiment is neither YAML nor JSON, or has the wrong shape",
  ERR_DIRECTORY: "a folder cannot take these results: it cannot be made or written, or holds another experiment or other files",
  ERR_BUSY: "another process is writing to the folder",
  ERR_RESULTS: "a folder holds no results, damaged ones, or those of another experiment or format",
  ERR_IMPORT:
    "an imported module cannot be loaded, is not what the experiment was started with, registers nothing, or gives a parameter the name of a key of the lab",
  ERR_CONFORMANCE: "a policy or an environment breaks a rule that experiments rest on, or a policy throws",
  ERR_NO_RUNS: "a pattern leaves no run to play",
  ERR_OPEN: "an executor ended without a result for some runs",
  ERR_TRACE: "a run recorded something that is not a finite number, or a detail at some checkpoints only",
  ERR_MEMORY: "a thread ran out of memory while it played a run",
  ERR_ANATOMY: "a run contradicts what the paper proves of its policy on every path",
  ERR_QUEUE: "the queue of a fleet cannot be used: its URL, its server or its credentials are wrong",
  ERR_PACKAGE: "an optional package that a queue needs is not installed",
} as const;

/** A code of a LabError. */
export type LabErrorCode = keyof typeof LAB_ERROR_CODES;

/** An error of the lab, with a public code and a message that says what to do. */
export class LabError extends Error {
  override readonly name = "LabError";

  constructor(
    readonly code: LabErrorCode,
    message: string,
    /** The line of a document that cannot be read at all. */
    readonly line?: number,
  ) {
    super(message);
  }
}

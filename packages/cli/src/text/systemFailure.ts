import { Failure } from "./failure.js";
import { reason } from "./output.js";
import { shownPath } from "./shownPath.js";

/** A system error while results are written, such as a full disk, is not a bug. */
export function systemFailure(error: unknown, directory: string): unknown {
  return error instanceof Error && "syscall" in error
    ? new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, shownPath(directory), 1)
    : error;
}

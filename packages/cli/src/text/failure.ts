import type { LabError } from "@tsallis/lab";
import type { TsallisError } from "tsallis";

/** The codes that only the command knows, beside the library's. docs/reference/cli.md lists the same table, and a test keeps both equal. */
export const CLI_ERROR_CODES = {
  ERR_USAGE: "an unknown command or option, or a missing one",
  ERR_JSON: "something that should be JSON is not",
  ERR_FILE: "a file cannot be read or written",
  ERR_DATA: "a file of losses has the wrong shape, or too few losses",
  ERR_RUNS: "some runs of an experiment failed; the others are in the results",
  ERR_INTERNAL: "a bug in tsallis",
} as const;

export type CliErrorCode = keyof typeof CLI_ERROR_CODES;

/** What ends a command with one line on stderr: where it happened (a line, a file), the code, what to do, and the exit code. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly place = "",
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/** Says where an error of the library or the lab, or one without a place, happened. Any other error is a bug and stays as it is. */
export function at(place: string, error: unknown): unknown {
  if (isOurs(error)) return new Failure(error.code, error.message, place);
  if (error instanceof Failure && error.place === "") return new Failure(error.code, error.message, place, error.exitCode);
  return error;
}

/** By its name, not its class: to say that an option is mistyped, neither the library nor the lab has to be loaded. */
function isOurs(error: unknown): error is TsallisError | LabError {
  return error instanceof Error && (error.name === "TsallisError" || error.name === "LabError");
}

/** The line that stderr shows for an error, and the exit code that goes with it. */
export function describe(error: unknown): { line: string; exitCode: number } {
  const known = at("", error);
  if (known instanceof Failure) {
    const place = known.place === "" ? "" : `${known.place}: `;
    return { line: oneLine(`tsallis: ${place}${known.code}: ${known.message}`), exitCode: known.exitCode };
  }
  const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  const frame = /\n\s+(at .*)/.exec(stack)?.[1] ?? "at an unknown place";
  return { line: oneLine(`tsallis: ERR_INTERNAL: ${message}; this is a bug, please report it with this line: ${frame}`), exitCode: 1 };
}

/** What came from outside, quoted for a message: its beginning, if it is long. */
export function shortened(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** Messages quote what came from outside: no line breaks, and nothing that a terminal would obey. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

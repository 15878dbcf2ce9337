import type { LabError } from "@tsallis/lab";
import type { ServiceError } from "@tsallis/service";
import type { TsallisError } from "tsallis";
import { didYouMean } from "./didYouMean.js";
import { oneLine, shownPath } from "./terminal.js";

/** The codes that the command adds to the library's. docs/reference/cli.md has the same table; a test keeps them equal. */
export const CLI_ERROR_CODES = {
  ERR_USAGE: "an unknown command or option, or a missing one",
  ERR_JSON: "something that should be JSON is not",
  ERR_FILE: "a file cannot be read or written",
  ERR_DATA: "a file of losses has the wrong shape, or too few losses",
  ERR_BROWSER: "no browser could be started",
  ERR_RUNS: "some runs of an experiment failed; the others are in the results",
  ERR_UNPROVED: "an audit found nothing wrong, but could not prove everything",
  ERR_INTERNAL: "a bug in tsallis",
} as const;

export type CliErrorCode = keyof typeof CLI_ERROR_CODES;

/** An error that ends a command with one line on stderr. It has a place (a line, a file), a code, a message that says what to do, and an exit code. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly place = "",
    readonly exitCode: 1 | 2 | 3 = 2,
  ) {
    super(message);
  }
}

/** Adds the place to an error of the library, the lab or the service, or to a Failure that has none. Any other error is a bug and is returned unchanged. */
export function at(place: string, error: unknown): unknown {
  if (isOurs(error)) return new Failure(error.code, `${error.message}${"known" in error ? nearestTo(error) : ""}`, place);
  if (error instanceof Failure && error.place === "") return new Failure(error.code, error.message, place, error.exitCode);
  return error;
}

/** The name that was meant, if it is near: the value itself, or the last key of its path. */
function nearestTo({ code, parameter, value, known }: TsallisError): string {
  const given = code === "ERR_UNKNOWN_KEY" ? parameter.slice(parameter.lastIndexOf(".") + 1) : value;
  return typeof given === "string" ? didYouMean(given, known) : "";
}

/** Looks at the name, not the class, so that a mistyped option can be reported without loading any of them. */
function isOurs(error: unknown): error is TsallisError | LabError | ServiceError {
  return error instanceof Error && ["TsallisError", "LabError", "ServiceError"].includes(error.name);
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

/** Text from outside, quoted for a message. A long one is cut. */
export function shortened(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** What the service calls its parameters, where the command's option has another name. */
const OPTIONS: Readonly<Record<string, string>> = { store: "db" };

/** Adds the option that an error of the service is about. Any other error is returned unchanged. */
export function atOption(error: unknown): unknown {
  const { parameter } = error as { parameter?: unknown };
  return typeof parameter === "string" ? at(`--${OPTIONS[parameter] ?? parameter}`, error) : error;
}

/** A system error without its call and its path: "ENOENT: no such file or directory". */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message.split(",")[0]! : String(error);
}

/** A system error while results are written, such as a full disk, is not a bug. */
export function systemFailure(error: unknown, directory: string): unknown {
  return error instanceof Error && "syscall" in error
    ? new Failure("ERR_FILE", `cannot be written: ${reason(error)}`, shownPath(directory), 1)
    : error;
}

import { existsSync, readFileSync, statSync } from "node:fs";
import { builtIn, builtInNames, completeExperiment, type Experiment, LabError, type Overrides, parseExperiment } from "@tsallis/lab";
import { TsallisError } from "tsallis";
import { didYouMean } from "../text/didYouMean.js";
import { at, Failure, reason, shortened } from "../text/failure.js";
import { say } from "../text/output.js";

/** A document of more characters takes seconds to read. */
const LONG = 1_000_000;

/** The experiment that a file or a name stands for, complete. An error in it names the line and the path. */
export function givenExperiment(source: string, overrides: Overrides): Experiment {
  const text = builtIn(source) ?? textOf(source);
  if (text.length > LONG) say(`reading ${source}, ${(text.length / 1e6).toFixed(1)} MB`);
  try {
    const document = parseExperiment(text);
    try {
      return completeExperiment(document.value, overrides);
    } catch (error) {
      throw withImport(error, at(placeOf(error, source, overrides, document.lineOf), error));
    }
  } catch (error) {
    throw at(error instanceof LabError && error.line !== undefined ? `${source}:${error.line}` : source, error);
  }
}

function textOf(source: string): string {
  const isFile = /\.(?:ya?ml|json)$/i.test(source) || (existsSync(source) && statSync(source).isFile());
  if (!isFile) throw unknownName(source);
  try {
    return readFileSync(source, "utf8");
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, source);
  }
}

/** The error for a name that is neither a file nor built in. */
export function unknownName(name: string): Failure {
  const names = builtInNames();
  const message = `no experiment is called ${shortened(name)}; the built-in ones are ${names.join(", ")}${didYouMean(name, names)}`;
  return new Failure("ERR_UNKNOWN_NAME", message);
}

/** A policy or an environment with a name that is near to none is likely the user's own. */
function withImport(error: unknown, failure: unknown): unknown {
  const isName = error instanceof TsallisError && error.code === "ERR_UNKNOWN_NAME" && /^policies$|\.(policy|environment)$/.test(error.parameter);
  if (!(isName && failure instanceof Failure) || failure.message.endsWith("?")) return failure;
  return new Failure(failure.code, `${failure.message}; if it is in a module of your own, give that with --import`, failure.place);
}

/** The option that gave the value, or the line of the document. */
function placeOf(error: unknown, source: string, overrides: Overrides, lineOf: (path: string) => number): string {
  if (!(error instanceof TsallisError)) return "";
  if (overrides.policies !== undefined && error.parameter.startsWith("policies")) return "--policy";
  return Object.hasOwn(overrides, error.parameter) ? `--${error.parameter}` : `${source}:${lineOf(error.parameter)}`;
}

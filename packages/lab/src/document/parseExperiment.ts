import { type Document, LineCounter, parseDocument } from "yaml";
import { LabError } from "../labError.js";
import { splitPath } from "./splitPath.js";

/** A parsed document that knows where its parts are. */
export interface ParsedDocument {
  readonly value: unknown;
  /**
   * The line of a path such as `policies.htinf.alpha` or `environments.a.arms[2].shape`; if the path does not exist, the line of its nearest existing
   * part.
   */
  lineOf(path: string): number;
}

/** Longer documents take more than ten seconds and a gigabyte to read. */
const MOST_CHARACTERS = 8_000_000;

/** Reads YAML, and JSON, which is YAML too. */
export function parseExperiment(text: string): ParsedDocument {
  if (text.length > MOST_CHARACTERS) {
    const got = `${(text.length / 1e6).toFixed(1)} MB`;
    throw new LabError(
      "ERR_DOCUMENT",
      `a document has at most ${MOST_CHARACTERS / 1e6} MB, got ${got}; make long lists in an environment of your own, with --import`,
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true, prettyErrors: true, merge: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw unreadable(problem, problem.linePos?.[0].line);
  return {
    value: readValue(document),
    lineOf(path) {
      const parts = splitPath(path);
      for (let n = parts.length; n >= 0; n--) {
        const node = n === 0 ? document.contents : document.getIn(parts.slice(0, n), true);
        const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
        if (range) return lines.linePos(range[0]!).line;
      }
      return 1;
    },
  };
}

/** The limit on repetitions by aliases, in total: a thousand arms may share a distribution, but a few lines must not expand without end. */
const MOST_ALIASES = 10_000;

function readValue(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES });
    // An alias may refer to a value that contains it; such an infinite value is not a valid document.
    JSON.stringify(value);
    return value;
  } catch (error) {
    throw unreadable(error as Error);
  }
}

function unreadable({ message }: Error, line?: number): LabError {
  return new LabError("ERR_DOCUMENT", `not YAML or JSON: ${message.split("\n")[0]!.replace(/:$/, "")}`, line);
}

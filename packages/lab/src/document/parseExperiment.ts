import { LineCounter, parseDocument } from "yaml";
import { LabError } from "../labError.js";

/** A document as it was written, and where its parts stand. */
export interface ParsedDocument {
  readonly value: unknown;
  /** The line of a path such as `policies.htinf.alpha` or `environments.a.arms[2].shape`; of the nearest part that is there, if it is not. */
  lineOf(path: string): number;
}

/** Reads YAML or JSON, which is YAML too. */
export function parseExperiment(text: string): ParsedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, strict: true, uniqueKeys: true, prettyErrors: true, merge: true });
  const [problem] = document.errors;
  if (problem !== undefined) throw new LabError("ERR_DOCUMENT", `not YAML or JSON: ${problem.message.split("\n")[0]!.replace(/:$/, "")}`);
  return {
    value: document.toJS({ maxAliasCount: 100 }),
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

/** `a.b[2].c` as its keys; indices become numbers. */
export function splitPath(path: string): (string | number)[] {
  return path
    .split(/\.|\[(\d+)\]/)
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

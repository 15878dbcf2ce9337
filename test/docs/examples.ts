import { format } from "node:util";
import ts from "typescript";
import { blocksOf } from "./blocks.js";

/** The example of a doc comment. */
export interface Example {
  /** "packages/core/src/bits.ts:12", the line of its opening fence. */
  readonly at: string;
  readonly text: string;
  /** What it says that it prints: the comments at the ends of its calls of console.log. */
  readonly says: readonly string[];
}

/** The examples in the doc comments of a source file: fenced blocks of ts. */
export function examplesOf(path: string, source: string): Example[] {
  let at = 0;
  const lines = source.split("\n").map((line) => {
    const opens = /^\s*\/\*\*/.test(line);
    if (opens) at = 1;
    const inside = at === 1;
    if (line.includes("*/")) at = 0;
    return inside && !opens ? line.replace(/^\s*\* ?/, "") : "";
  });
  return blocksOf(path, lines.join("\n")).flatMap((block) => {
    if (block.language !== "ts") return [];
    const says = [...block.text.matchAll(/\bconsole\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said!);
    return [{ at: block.at, text: block.text, says }];
  });
}

/** Runs an example in this process, with these modules to import from. Returns what it printed, a line for each call of console.log. */
export async function runExample({ at, text }: Example, modules: Readonly<Record<string, object>>): Promise<string[]> {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const { outputText, diagnostics = [] } = ts.transpileModule(text, { compilerOptions, reportDiagnostics: true });
  if (diagnostics.length > 0) throw new Error(`${at}: ${ts.flattenDiagnosticMessageText(diagnostics[0]!.messageText, "\n")}`);
  const printed: string[] = [];
  const log = (...values: unknown[]) => printed.push(format(...values));
  const require = (name: string) => {
    const found = modules[name];
    if (found === undefined) throw new Error(`${at} imports ${name}, which is not a package of this repository`);
    // An import of what is not there is undefined, and an error only if it is called; say it at once.
    return new Proxy(found, { get: (module, key) => (key in module ? Reflect.get(module, key) : missing(at, name, key)) });
  };
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...given: unknown[]) => Promise<void>;
  await new AsyncFunction("require", "exports", "console", outputText)(require, {}, { log });
  return printed;
}

function missing(at: string, name: string, key: string | symbol): undefined {
  if (key === "__esModule" || key === "default") return undefined;
  throw new Error(`${at}: ${name} has no ${String(key)}`);
}

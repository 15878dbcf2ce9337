import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { ROOT } from "../../../test/repository.js";

const FILE = join(ROOT, "packages/service/test/clientTypes.ts");

/** The lines of the file about which the compiler complains. */
function complaints(text: string): number[] {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts"],
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => (name === FILE ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest));
  const found = ts.getPreEmitDiagnostics(ts.createProgram([FILE], options, host));
  return found.map(({ file, start, messageText }) => {
    expect(file?.fileName, ts.flattenDiagnosticMessageText(messageText, "\n")).toBe(FILE);
    return file!.getLineAndCharacterOfPosition(start!).line;
  });
}

it("the compiler finds each wrong name of an arm or a bandit, and nothing else", () => {
  const text = readFileSync(FILE, "utf8");
  expect(complaints(text)).toEqual([]);
  const marked = text.split("\n").flatMap((line, i) => (line.includes("// @ts-expect-error") ? [i + 1] : []));
  expect(marked.length).toBeGreaterThan(10);
  expect(complaints(text.replaceAll("// @ts-expect-error", "// expected"))).toEqual(marked);
});

import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import * as runtime from "../packages/core/src/index.js";
import { ROOT, read } from "./repository.js";

/** Every name that the index exports, types too, as the TypeScript checker sees it. */
function exportedNames(): string[] {
  const index = join(ROOT, "packages/core/src/index.ts");
  const program = ts.createProgram([index], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [] });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!;
  return checker.getExportsOfModule(module).map(({ name }) => name);
}

it("the public surface is the list in exports.txt: change both on purpose, or neither", () => {
  const names = exportedNames();
  const values = Object.keys(runtime).sort();
  const types = names.filter((name) => !values.includes(name)).sort();
  expect(names).toEqual(expect.arrayContaining(values));
  expect([...values, ...types.map((name) => `type ${name}`)]).toEqual(read("test/exports.txt").trim().split("\n"));
});

import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import * as core from "../packages/core/src/index.js";
import * as lab from "../packages/lab/src/index.js";
import * as router from "../packages/router/src/index.js";
import { ROOT, read } from "./repository.js";

/** Every name that an index exports, types too, as the TypeScript checker sees it. */
function exportedNames(folder: string): string[] {
  const index = join(ROOT, "packages", folder, "src/index.ts");
  const types = folder === "core" ? [] : ["node"];
  const program = ts.createProgram([index], { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!;
  return checker.getExportsOfModule(module).map(({ name }) => name);
}

it.each([
  ["core", core],
  ["lab", lab],
  ["router", router],
])("the public surface of %s is its list in test/exports: change both on purpose, or neither", (folder, runtime) => {
  const names = exportedNames(folder);
  const values = Object.keys(runtime).sort();
  const types = names.filter((name) => !values.includes(name)).sort();
  expect(names).toEqual(expect.arrayContaining(values));
  expect([...values, ...types.map((name) => `type ${name}`)]).toEqual(read(`test/exports/${folder}.txt`).trim().split("\n"));
});

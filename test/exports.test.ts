import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import * as coreEvidence from "../packages/core/src/evidence/index.js";
import * as core from "../packages/core/src/index.js";
import * as coreStatistics from "../packages/core/src/statistics/index.js";
import * as labAdvice from "../packages/lab/src/advice/index.js";
import * as labEvaluation from "../packages/lab/src/evaluation/index.js";
import * as labFleet from "../packages/lab/src/fleet/index.js";
import * as lab from "../packages/lab/src/index.js";
import * as labPlay from "../packages/lab/src/play.js";
import * as labReport from "../packages/lab/src/report/index.js";
import * as router from "../packages/router/src/index.js";
import * as serviceClient from "../packages/service/src/client/index.js";
import * as service from "../packages/service/src/index.js";
import { ROOT, read, repositoryFiles } from "./repository.js";

/** Every public entry of a package: the name of its list in test/exports, its index, and what the index exports. */
const ENTRIES: [list: string, index: string, runtime: object][] = [
  ["core", "packages/core/src/index.ts", core],
  ["core.evidence", "packages/core/src/evidence/index.ts", coreEvidence],
  ["core.statistics", "packages/core/src/statistics/index.ts", coreStatistics],
  ["lab", "packages/lab/src/index.ts", lab],
  ["lab.advice", "packages/lab/src/advice/index.ts", labAdvice],
  ["lab.evaluation", "packages/lab/src/evaluation/index.ts", labEvaluation],
  ["lab.fleet", "packages/lab/src/fleet/index.ts", labFleet],
  ["lab.play", "packages/lab/src/play.ts", labPlay],
  ["lab.report", "packages/lab/src/report/index.ts", labReport],
  ["router", "packages/router/src/index.ts", router],
  ["service", "packages/service/src/index.ts", service],
  ["service.client", "packages/service/src/client/index.ts", serviceClient],
];

/** Every name that an index exports, types included. The index lists them by hand, so nothing else has to be read. */
function exportedNames(path: string): string[] {
  const index = join(ROOT, path);
  const program = ts.createProgram([index], { module: ts.ModuleKind.ESNext, noResolve: true, noLib: true, types: [] });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(index)!)!;
  return checker.getExportsOfModule(module).map(({ name }) => name);
}

it.each(ENTRIES)("the public surface of %s is its list in test/exports: change both on purpose, or neither", (list, index, runtime) => {
  const names = exportedNames(index);
  const values = Object.keys(runtime).sort();
  const types = names.filter((name) => !values.includes(name)).sort();
  expect(names).toEqual(expect.arrayContaining(values));
  const locked = read(`test/exports/${list}.txt`).trim().split("\n");
  expect([...values, ...types.map((name) => `type ${name}`)], `${index} and test/exports/${list}.txt differ`).toEqual(locked);
});

it("every entry in a package.json has a list", () => {
  const manifests = repositoryFiles().filter((path) => /^packages\/\w+\/package\.json$/.test(path));
  const built = manifests.flatMap((path) => {
    const { exports = {} } = JSON.parse(read(path)) as { exports?: Record<string, string | { default: string }> };
    const files = Object.values(exports).flatMap((target) => (typeof target === "string" ? [] : target.default));
    return files.map((file) => path.replace("package.json", file.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")));
  });
  expect(built.sort()).toEqual(ENTRIES.map(([, index]) => index).sort());
});

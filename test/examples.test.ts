import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as coreEvidence from "../packages/core/src/evidence/index.js";
import * as core from "../packages/core/src/index.js";
import * as coreStatistics from "../packages/core/src/statistics/index.js";
import * as labAdvice from "../packages/lab/src/advice/index.js";
import * as labEvaluation from "../packages/lab/src/evaluation/index.js";
import * as lab from "../packages/lab/src/index.js";
import * as labPlay from "../packages/lab/src/play.js";
import * as router from "../packages/router/src/index.js";
import { type Example, examplesOf, runExample } from "./docs/examples.js";
import { ROOT, read, repositoryFiles } from "./repository.js";

// The reference of the site is made from the doc comments: here their examples run, and every public name has a sentence.

const MODULES = {
  tsallis: core,
  "tsallis/evidence": coreEvidence,
  "tsallis/statistics": coreStatistics,
  "@tsallis/lab": lab,
  "@tsallis/lab/advice": labAdvice,
  "@tsallis/lab/evaluation": labEvaluation,
  "@tsallis/lab/play": labPlay,
  "@tsallis/router": router,
};

/** The entries of the published packages, as in the package.json of each. */
const ENTRIES = (JSON.parse(read("site/tsconfig.api.json")) as { files: string[] }).files.map((file) => file.replace("../", ""));

const sources = repositoryFiles().filter((path) => /^packages\/(?:core|lab|router|service)\/src\/.+\.ts$/.test(path));
const examples = sources.flatMap((path) => examplesOf(path, read(path)));

async function check(example: Example): Promise<void> {
  expect(await runExample(example, MODULES)).toEqual(example.says);
}

describe("the examples in doc comments", () => {
  it.each(examples.map((example) => [example.at, example] as const))("%s prints what it says", async (_, example) => {
    expect(example.says.length).toBeGreaterThan(0);
    await check(example);
  });

  it.each([
    ["a wrong output", "console.log(1 + 1); // 3"],
    ["an output that is not told", 'console.log("a"); // a\nconsole.log("b");'],
    ["a name that is not exported", 'import { planted } from "tsallis";\nconsole.log(typeof planted); // undefined'],
    ["a package that is not there", 'import { planted } from "planted";\nconsole.log(planted); // 1'],
    ["a syntax error", "const = 1;"],
  ])("would be seen with %s", async (_, text) => {
    const source = ["/**", " * @example", " * ```ts", ...text.split("\n").map((line) => ` * ${line}`), " * ```", " */"].join("\n");
    const [example] = examplesOf("planted.ts", source);
    expect(example!.at).toBe("planted.ts:3");
    await expect(check(example!)).rejects.toThrow();
  });

  it("are read from doc comments only", () => {
    expect(examplesOf("planted.ts", "/** One line. */\n// ```ts\n// console.log(1); // 2\n// ```\nconst text = 1;")).toEqual([]);
  });
});

describe("the public names", () => {
  const program = ts.createProgram(
    ENTRIES.map((entry) => join(ROOT, entry)),
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noLib: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const names = ENTRIES.map((entry) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(ROOT, entry))!)!;
    return checker.getExportsOfModule(module).map((name) => {
      const symbol = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return { name: name.name, text: ts.displayPartsToString(symbol.getDocumentationComment(checker)), tags: symbol.getJsDocTags(checker) };
    });
  });

  it.each(ENTRIES.map((entry, i) => [entry, names[i]!] as const))("%s: each has a sentence", (_, exported) => {
    // A namespace has its sentence as a module.
    const without = exported.filter(({ name, text }) => text.trim() === "" && name !== "elementary");
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it("of the library: most have an example, and the example of `Policy` stands for those of the policies and their options", () => {
    const all = new Set(names[0]!.map(({ name }) => name));
    const policies = [...all].filter((name) => all.has(`${name}Options`) && name !== "Policy");
    expect(policies).toEqual(expect.arrayContaining(["HTINF", "MatchedTINF", "UniformPolicy"]));
    const others = names[0]!.filter(({ name }) => !policies.includes(name.replace(/Options$/, "")));
    const shown = others.filter(({ tags }) => tags.some(({ name }) => name === "example"));
    expect(shown.map(({ name }) => name)).toContain("Policy");
    expect(shown.length).toBeGreaterThan(others.length / 2);
  });
});

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, repositoryFiles } from "./repository.js";

// The generator works on a copy of what it may change.
const copy = mkdtempSync(join(tmpdir(), "tsallis-new-"));
const PARTS = /^(?:packages\/(?:core|cli)\/|docs\/reference\/|site\/index\.md|test\/(?:exports|reproducible)\/|tsconfig\.base\.json)/;
const KINDS = ["policy", "distribution", "environment", "command"];

function run(...args: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8" });
  return { status, printed: stdout + stderr };
}

const generate = (...args: string[]) => run(join(ROOT, "scripts/new.mjs"), ...args, "--root", copy);

beforeAll(() => {
  for (const path of repositoryFiles().filter((each) => PARTS.test(each))) cpSync(join(ROOT, path), join(copy, path));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rmSync(copy, { recursive: true }));

describe("npm run new", () => {
  it.each(KINDS)("writes a %s, lint-free, and names the places to fill in", (kind) => {
    const { status, printed } = generate(kind, `planted-${kind}`);
    expect({ status, printed }).toMatchObject({ status: 0 });
    const left = printed.slice(printed.indexOf("Fill in"), printed.indexOf("Then")).match(/^ {2}\S+/gm)!;
    expect(left).toHaveLength(kind === "command" ? 3 : 4);
    const [first] = left;
    expect(readFileSync(join(copy, first!.trim()), "utf8")).toContain("TODO");
  });

  it("what it wrote compiles", () => {
    const compilerOptions = { noEmit: true, composite: false, lib: ["ES2022"], types: ["node"] };
    const include = ["packages/core/src", "packages/cli/src"];
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, include }));
    expect(run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".")).toEqual({ status: 0, printed: "" });
  });

  it("overwrites nothing", () => {
    expect(generate("distribution", "pareto")).toMatchObject({ status: 2, printed: expect.stringContaining("pareto.ts exists already") });
  });

  it.each([[[]], [["policy"]], [["world", "tide"]], [["policy", "MyPolicy"]], [["bits", "all"]]])("refuses %j, and says what it takes", (args) => {
    expect(generate(...args)).toMatchObject({ status: 2, printed: expect.stringMatching(/^Usage: npm run new -- policy\|distribution/) });
  });
});

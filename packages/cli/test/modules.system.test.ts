import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { experimentText } from "./experiments.js";
import { writeFickleModule } from "./fickleModule.js";

const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "tsallis-own-modules-"));
afterAll(() => rmSync(root, { recursive: true }));

/** Node of a major version: the one that runs the tests, or the optional dependency node<major>. */
function nodeOf(major: number): string {
  return process.versions.node.startsWith(`${major}.`) ? process.execPath : join(PACKAGES, `node${major}/bin/node`);
}

/** Each engine has its own way to watch what is loaded. */
describe.each([20, 22, 24].filter((major) => existsSync(nodeOf(major))))("under Node %s", (major) => {
  const node = nodeOf(major);
  const policies = "  mine: { policy: mine }\n  uniform: { policy: uniform }\n";

  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(root, "case-"));
    writeFileSync(join(folder, "small.yaml"), experimentText({ policies }));
  });
  const run = (...args: string[]) =>
    spawnSync(node, [BIN, "run", "small.yaml", "--quiet", "--workers", "2", ...args], { cwd: folder, encoding: "utf8" });
  const imports = (out: string) => JSON.parse(readFileSync(join(folder, out, "experiment.json"), "utf8")).imports;

  test("a run's hash covers what a module loads, and every thread loads the same", () => {
    const [a, b] = ["a", "b"].map((name) => writeFickleModule(join(folder, name), { edit: false }));
    for (const [out, file] of Object.entries({ a, b }))
      expect(run("--import", file!, "--out", `out-${out}`)).toMatchObject({ status: 0, stderr: "" });
    expect(Object.keys(imports("out-a")[0].loads)).toEqual([".", "./lib.mjs"]);
    expect(imports("out-b")[0].hash).toBe(imports("out-a")[0].hash);
    writeFileSync(join(folder, "b", "lib.mjs"), "export const first = 1;\n");
    expect(run("--import", b!, "--out", "out-b")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/ERR_DIRECTORY: .*: \.\/lib\.mjs, which \S+mine\.mjs loads, is not what/),
    });
  });

  test("a thread that loads another version fails its runs, and names the file", () => {
    const { status, stderr } = run("--import", writeFickleModule(join(folder, "edited"), { edit: true }), "--out", "out");
    expect(stderr).toMatch(
      /^tsallis: ERR_RUNS: 8 of 8 runs failed, first still\/mine\/1: ERR_IMPORT: \.\/lib\.mjs, which \S+mine\.mjs loads, is not what the experiment was started with; .*\n$/,
    );
    expect(status).toBe(1);
  });

  test("what is loaded only when a run is played fails that run", () => {
    const file = writeFickleModule(join(folder, "late"), { edit: false });
    const late = 'import { createRequire } from "node:module";\n';
    const text = readFileSync(file, "utf8").replace("choose() {", 'choose() {\n    createRequire(import.meta.url)("./late.cjs");');
    writeFileSync(file, late + text);
    writeFileSync(join(folder, "late", "late.cjs"), "exports.x = 1;\n");
    const { status, stderr } = run("--import", file, "--out", "out");
    expect(stderr).toMatch(/^tsallis: ERR_RUNS: .*ERR_IMPORT: \S*mine\.mjs loads \.\/late\.cjs/);
    expect(status).toBe(1);
  });

  test("TypeScript is loaded where this Node strips types, and refused with the remedy elsewhere", () => {
    const file = writeFickleModule(join(folder, "typed"), { edit: false });
    const typed = file.replace(/mjs$/, "mts");
    writeFileSync(typed, readFileSync(file, "utf8").replace("constructor(arms)", "constructor(arms: number)"));
    const { status, stderr } = run("--import", typed, "--out", "out");
    if (major >= 22) expect({ status, stderr: stderr.replace(/^\(.*Warning.*\n|^\(Use .*\n/gm, "") }).toEqual({ status: 0, stderr: "" });
    else
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: expect.stringMatching(/mine\.mts: ERR_IMPORT: cannot be loaded: .*Node 22\.18 or newer/),
      });
  });
});

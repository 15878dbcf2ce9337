import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { importModules } from "../src/document/importModules.js";
import { differenceIn } from "../src/document/requireSameModule.js";

// Not a unit test: these share a process, and here the first module must be loaded before anything watches what is loaded.
const root = mkdtempSync(join(tmpdir(), "tsallis-modules-"));
afterAll(() => rmSync(root, { recursive: true }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

let names = 0;
/** The text of a module that registers a policy, which nobody plays. */
const registers = (more = "") =>
  `${more}\nexport const policies = { [globalThis.ownName()]: { parameters: {}, description: "", needs: [], guarantee: null, create() {} } };`;
(globalThis as { ownName?: () => string }).ownName = () => `own-${++names}`;

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, "case-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

async function imported(files: Readonly<Record<string, string>>, entry = "mine.mjs") {
  const folder = folderOf(files);
  const [module] = await importModules([join(folder, entry)]);
  return { folder, ...module! };
}

describe("the hash of an imported module", () => {
  test("is refused if it was loaded before anybody watched", async () => {
    const file = join(folderOf({ "mine.mjs": registers() }), "mine.mjs");
    await import(pathToFileURL(file).href);
    await expect(importModules([file])).rejects.toMatchObject({
      code: "ERR_IMPORT",
      message: expect.stringContaining(`${file} was loaded in a way`),
    });
  });

  test("is that of its text if it loads nothing", async () => {
    const text = registers('import { join } from "node:path";');
    expect(await imported({ "mine.mjs": text })).toEqual({ folder: expect.any(String), file: expect.any(String), hash: sha256(text) });
  });

  test("does not cover tsallis, which a module finds wherever it is", async () => {
    const text = registers('import { stream } from "tsallis"; import { mean } from "tsallis/statistics"; mean([stream(1).uniform()]);');
    expect(await imported({ "mine.mjs": text })).toEqual({ folder: expect.any(String), file: expect.any(String), hash: sha256(text) });
    await expect(imported({ "mine.mjs": registers('import "tsalis";') })).rejects.toThrow("Cannot find package 'tsalis'");
  });

  test("covers the files of a package without a version", async () => {
    const files = {
      "mine.mjs": registers('import "loose";'),
      "node_modules/loose/package.json": '{"name":"loose","exports":"./main.mjs"}',
      "node_modules/loose/main.mjs": "export const a = 1;",
    };
    const first = await imported(files);
    expect(first.loads).toEqual({ ".": sha256(files["mine.mjs"]), "./node_modules/loose/main.mjs": sha256("export const a = 1;") });
    expect((await imported({ ...files, "node_modules/loose/main.mjs": "export const a = 2;" })).hash).not.toBe(first.hash);
  });

  test("covers what it loads, at any depth, in any way, and wherever it is", async () => {
    const files = {
      "in/mine.mjs": registers('import "./a.mjs"; await import("../b.mjs"); import table from "./table.json" with { type: "json" };'),
      "in/a.mjs": 'import "./mine.mjs"; import "../b.mjs";',
      "b.mjs": 'import "./deep/c.mjs";',
      "deep/c.mjs": "export const c = 1;",
      "in/table.json": "[1]",
    };
    const first = await imported(files, "in/mine.mjs");
    expect(first.loads).toEqual({
      ".": sha256(files["in/mine.mjs"]),
      "../b.mjs": sha256(files["b.mjs"]),
      "../deep/c.mjs": sha256(files["deep/c.mjs"]),
      "./a.mjs": sha256(files["in/a.mjs"]),
      "./table.json": sha256("[1]"),
    });
    expect(first.hash).toBe(sha256(JSON.stringify(first.loads)));
    expect((await imported(files, "in/mine.mjs")).hash).toBe(first.hash);
    for (const name of Object.keys(files).filter((name) => name !== "in/mine.mjs")) {
      const other = await imported({ ...files, [name]: `${files[name as keyof typeof files]}\n` }, "in/mine.mjs");
      expect(other.hash, name).not.toBe(first.hash);
      expect(differenceIn(first, other)).toMatch(/^\.\S+, which \S+mine\.mjs loads, is not what the experiment was started with$/);
    }
  });

  test("is of the text that was loaded, not of the one on the disk", async () => {
    const text = 'import { writeFileSync } from "node:fs"; writeFileSync(new URL(import.meta.url), "other");';
    const { folder, loads } = await imported({ "mine.mjs": registers('import "./fickle.mjs";'), "fickle.mjs": text });
    expect(readFileSync(join(folder, "fickle.mjs"), "utf8")).toBe("other");
    expect(loads!["./fickle.mjs"]).toBe(sha256(text));
  });

  test("covers packages by their version, and those of tsallis not, whose version every experiment has", async () => {
    const files = (version: string) => ({
      "mine.mjs": registers('import "dep"; import "./a.mjs"; import "dep/inner";'),
      "a.mjs": 'import "dep";',
      "node_modules/dep/package.json": JSON.stringify({ name: "dep", version, exports: { ".": "./index.mjs", "./inner": "./in/inner.mjs" } }),
      "node_modules/dep/index.mjs": "export default 1;",
      "node_modules/dep/in/package.json": '{ "type": "module" }',
      "node_modules/dep/in/inner.mjs": "export default 1;",
      "node_modules/tsallis/package.json": '{ "name": "tsallis", "version": "9.9.9", "exports": "./index.mjs" }',
      "node_modules/tsallis/index.mjs": "",
    });
    const one = await imported(files("1.0.0"));
    expect(one.loads).toMatchObject({ dep: "1.0.0" });
    expect(Object.keys(one.loads!)).toEqual([".", "./a.mjs", "dep"]);
    const other = await imported(files("1.0.1"));
    expect(other.hash).not.toBe(one.hash);
    expect(differenceIn(one, other)).toMatch(/^dep, which \S+ loads, is not/);
    const text = registers('import "tsallis";');
    expect((await imported({ ...files("1.0.0"), "mine.mjs": text })).hash).toBe(sha256(text));
  });

  test("covers what is loaded by require where that can be watched, and refuses it elsewhere", async () => {
    const files = {
      "mine.mjs": registers('import { createRequire } from "node:module"; createRequire(import.meta.url)("./old.cjs");'),
      "old.cjs": 'require("./older.cjs");',
      "older.cjs": "exports.a = 1;",
    };
    const module = imported(files);
    if ("registerHooks" in nodeModule) expect(Object.keys((await module).loads!)).toEqual([".", "./old.cjs", "./older.cjs"]);
    else
      await expect(module).rejects.toMatchObject({
        code: "ERR_IMPORT",
        message: expect.stringMatching(/mine\.mjs loads \.\/old(er)?\.cjs .*22\.15/),
      });
  });

  test("and what was loaded for one module counts for the next that loads it", async () => {
    const folder = folderOf({ "a.mjs": registers('import "./both.mjs";'), "b.mjs": registers('import "./both.mjs";'), "both.mjs": "" });
    const [a, b] = await importModules([join(folder, "a.mjs"), join(folder, "b.mjs")]);
    expect(b!.loads).toEqual(a!.loads);
  });
});

test.each([
  ["a syntax error", "export const a = 1;\nconst b = ;", /mine\.mjs cannot be loaded: Unexpected token ';'; see line 2$/],
  ["an error at its load", "\nnone();", /mine\.mjs cannot be loaded: none is not defined, at file:\S+mine\.mjs:2:1$/],
  ["a file that is not there", 'import "./gone.mjs";', /mine\.mjs cannot be loaded: Cannot find module '\S+gone\.mjs' imported from \S+mine\.mjs$/],
])("a module with %s says where", async (_, text, message) => {
  await expect(imported({ "mine.mjs": text })).rejects.toMatchObject({ code: "ERR_IMPORT", message: expect.stringMatching(message) });
});

test("a syntax error of a file that it loads is left to Node", async () => {
  const files = { "mine.mjs": 'import "./other.mjs";', "other.mjs": "const a = ;" };
  await expect(imported(files)).rejects.toThrow(/mine\.mjs cannot be loaded: Unexpected token ';'; node \S+mine\.mjs shows where$/);
});

test.each([
  ["a file that is not there", "gone.mjs", /gone\.mjs cannot be loaded: ENOENT: no such file or directory, lstat '\S+gone\.mjs'$/],
  ["a folder", ".", /cannot be loaded: it is a folder; name the file of the module$/],
])("%s is refused without a place in the lab", async (_, entry, message) => {
  await expect(imported({}, entry)).rejects.toMatchObject({ code: "ERR_IMPORT", message: expect.stringMatching(message) });
});

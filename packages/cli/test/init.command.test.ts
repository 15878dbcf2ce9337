import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";

const PACKAGES = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "tsallis-init-"));
afterAll(() => rmSync(root, { recursive: true }));

const FILES = ["conformance.test.mjs", "environment.mjs", "experiment.yaml", "policy.mjs"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
});

/** The lines of the answer that are commands. */
const commandsIn = (stdout: string) => stdout.split("\n").filter((line) => /^ {2}(npm|npx|node) /.test(line));

it.each(["mine", "my own"])("writes into %s what runs as it is, and every command that it prints works when it is pasted", async (name) => {
  symlinkSync(PACKAGES, join(folder, "node_modules"));
  const { code, stdout, stderr } = await tsallis(["init", name], "", folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(readdirSync(join(folder, name)).sort()).toEqual(FILES);
  const commands = commandsIn(stdout);
  expect(commands).toHaveLength(3);
  const printed = commands.map((line) => execFileSync("sh", ["-c", line], { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } }));
  expect(printed[0]).toMatch(/^# pass 2$|^ℹ pass 2$/m);
  expect(printed[1]).toMatch(/^Claim, supported: My policy/m);
  expect(printed[2]).toBe(printed[1]);
  expect(existsSync(join(folder, name, "results", "report.html"))).toBe(true);
});

it("says what to install where the test would not find the lab", async () => {
  const { stdout } = await tsallis(["init"], "", folder);
  expect(commandsIn(stdout)[0]).toBe("  npm install --prefix . @tsallis/lab");
  expect(readdirSync(folder).sort()).toEqual(FILES);
});

it("overwrites nothing, and then writes nothing", async () => {
  mkdirSync(join(folder, "mine"));
  writeFileSync(join(folder, "mine", "policy.mjs"), "my work");
  const { code, stdout, stderr } = await tsallis(["init", "mine"], "", folder);
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: "",
    stderr: "tsallis: mine/policy.mjs: ERR_FILE: already exists; give a new folder: tsallis init DIR\n",
  });
  expect(readdirSync(join(folder, "mine"))).toEqual(["policy.mjs"]);
  expect(readFileSync(join(folder, "mine", "policy.mjs"), "utf8")).toBe("my work");
});

it("a folder that cannot be made is an error with its path", async () => {
  writeFileSync(join(folder, "file"), "");
  expect(await tsallis(["init", "file/mine"], "", folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tsallis: file\/mine.*: ERR_FILE: cannot be written: ENOTDIR/),
  });
});

it.skipIf(process.platform !== "linux")("nor does it hang where a folder exists and nothing can be made in it", async () => {
  expect(await tsallis(["init", "/proc/mine"], "", folder)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^tsallis: \/proc\/mine: ERR_FILE: cannot be written: ENOENT/),
  });
});

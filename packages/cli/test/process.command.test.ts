import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ended, tsallis as spawned, start } from "./command.js";
import { tsallis } from "./inProcess.js";
import { asLines, makeLog, replayOf } from "./logs.js";

// Only a separate process can show these things. Other tests run the command by inProcess.ts, and the first test here shows that this is equivalent.
const folder = mkdtempSync(join(tmpdir(), "tsallis-process-"));
afterAll(() => rmSync(folder, { recursive: true }));

const UNIFORM = { policy: "uniform" };

describe("the command as a process", () => {
  it("prints and ends as it does inside the process of the tests", async () => {
    for (const [args, stdin, code] of [
      [["--version"], "", 0],
      [["list", "policies"], "", 0],
      [["rply"], "", 2],
      [replayOf({ policy: "opttinf" }), `${asLines(makeLog(40))}x\n`, 2],
    ] as const) {
      const process = await spawned(args, stdin);
      expect(process.code).toBe(code);
      expect(process).toEqual(await tsallis(args, stdin));
      expect(process.stdout + process.stderr).not.toBe("");
    }
  });

  it("has the version of its package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect((await spawned(["--version"])).stdout).toBe(`${version}\n`);
  });
});

describe("replay as a process", () => {
  it("answers line by line while its input stays open", async () => {
    const child = start(...replayOf(UNIFORM));
    const all = ended(child);
    child.stdin.write('{"arm":0,"loss":1}\n');
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.stdin.end('{"arm":1,"loss":1}\n');
    expect((await all).stdout.trim().split("\n")).toHaveLength(2);
  });

  it("ends quietly when its output is closed, as by | head -1", async () => {
    const child = start(...replayOf(UNIFORM));
    const all = ended(child);
    child.stdin.on("error", () => {});
    child.stdin.write('{"arm":1,"loss":0.5}\n'.repeat(100_000));
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await all;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("ends with 130 on SIGINT, after printing what it has done and without writing a snapshot", async () => {
    const file = join(folder, "interrupted.json");
    const child = start(...replayOf(UNIFORM, "--snapshot", file));
    const all = ended(child);
    child.stdin.write('{"arm":0,"loss":1}\n');
    await new Promise((resolve) => child.stdout.once("data", resolve));
    child.kill("SIGINT");
    const { code, stdout, stderr } = await all;
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(stdout).toBe((await tsallis(replayOf(UNIFORM), '{"arm":0,"loss":1}\n')).stdout);
    expect((await tsallis(["replay", "--resume", file])).stderr).toContain("ERR_FILE");
  });
});

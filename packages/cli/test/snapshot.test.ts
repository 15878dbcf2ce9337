import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, type PolicySpec } from "tsallis";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";
import { ARMS, asLines, makeLog, replayOf, SPECS } from "./logs.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-snapshot-"));
afterAll(() => rmSync(root, { recursive: true }));

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, "case-"));
  file = join(folder, "state.json");
});

const log = makeLog(120);
const HTINF = { policy: "htinf", alpha: 1.5, sigma: 2.5 };

describe("--snapshot and --resume", () => {
  it.each(SPECS.map((spec) => [JSON.stringify(spec), spec] as const))("%s: any split gives the lines of the whole run", async (_, spec) => {
    const whole = await tsallis(replayOf(spec), asLines(log));
    let stdout = (await tsallis(replayOf(spec, "--snapshot", file), asLines(log.slice(0, 1)))).stdout;
    for (const [from, to] of [
      [1, 26],
      [26, 27],
      [27, 100],
      [100, 120],
    ] as const) {
      const part = await tsallis(["replay", "--resume", file, "--snapshot", file], asLines(log.slice(from, to)));
      expect(part).toMatchObject({ code: 0, stderr: "" });
      stdout += part.stdout;
    }
    expect(stdout).toBe(whole.stdout);
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("writes the library's snapshot", async () => {
    await tsallis(replayOf(HTINF, "--snapshot", file), asLines(log));
    const policy = createPolicy(HTINF, ARMS);
    for (const { arm, loss } of log) policy.update(policy.force(arm), loss);
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(policy.snapshot())}\n`);
  });

  it("writes none at a bad line, and says so; an older one stays", async () => {
    writeFileSync(file, "older");
    const { code, stderr } = await tsallis(replayOf(HTINF, "--snapshot", file), `${asLines(log.slice(0, 2))}x\n`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^tsallis: line 3: ERR_JSON: .*\(no snapshot was written\)\n$/);
    expect(readFileSync(file, "utf8")).toBe("older");
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("follows a link", async () => {
    const link = join(folder, "link.json");
    writeFileSync(file, "older");
    symlinkSync(file, link);
    await tsallis(replayOf(HTINF, "--snapshot", link), asLines(log));
    expect(JSON.parse(readFileSync(file, "utf8")).round).toBe(120);
  });

  it.each(["600", "666"])("keeps the mode of the file: %s", async (octal) => {
    const mode = Number.parseInt(octal, 8);
    writeFileSync(file, "older");
    chmodSync(file, mode);
    await tsallis(replayOf(HTINF, "--snapshot", file), asLines(log));
    expect(JSON.parse(readFileSync(file, "utf8")).round).toBe(120);
    expect(statSync(file).mode & 0o777).toBe(mode);
  });

  it("refuses a target that cannot be one, before any round", async () => {
    for (const [target, message] of [
      [join(folder, "absent", "state.json"), /ERR_FILE: cannot be written: ENOENT/],
      [folder, /ERR_FILE: not a regular file/],
      ["", /ERR_USAGE: --snapshot is empty/],
      ["/dev/null", /ERR_FILE: not a regular file/],
    ] as const) {
      const { code, stdout, stderr } = await tsallis(replayOf(HTINF, "--snapshot", target), asLines(log));
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(message);
    }
  });

  describe("--resume", () => {
    const save = (spec: PolicySpec) => tsallis(replayOf(spec, "--snapshot", file), asLines(log.slice(0, 5)));
    const resume = (...more: string[]) => tsallis(["replay", "--resume", file, ...more], asLines(log.slice(5, 6)));

    it("agrees with an equal --policy, whatever the order of its keys, and --arms", async () => {
      await save(HTINF);
      const { code, stdout } = await resume("--policy", '{"sigma":2.5,"alpha":1.5,"policy":"htinf"}', "--arms", "3");
      expect(code).toBe(0);
      expect(JSON.parse(stdout).round).toBe(6);
    });

    it.each([
      [["--policy", '{"policy":"htinf","alpha":1.5,"sigma":3}'], /ERR_PARAMETER: --policy is \{.*"sigma":3\}, but .*"sigma":2\.5\}/],
      [["--policy", '{"policy":"uniform"}'], /ERR_PARAMETER: --policy is \{"policy":"uniform"\}, but .*"htinf"/],
      [["--arms", "4"], /ERR_PARAMETER: --arms is 4, but the saved state has 3/],
      [["--arms", "0x3"], /ERR_PARAMETER: --arms is 0x3, but the saved state has 3/],
    ])("refuses %j", async (more, message) => {
      await save(HTINF);
      const { code, stdout, stderr } = await resume(...more);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(message);
      expect(stderr).toContain(`tsallis: ${file}: `);
    });

    it.each([
      ["nothing", "", /ERR_JSON: not JSON/],
      ["a list", "[]", /ERR_JSON: not an object/],
      ["a key twice", '{"version":1,"spec":{"policy":"uniform"},"arms":3,"round":7,"round":0,"state":{}}', /ERR_JSON: a key appears twice/],
      ["another version", '{"version":99,"spec":{"policy":"uniform"},"arms":3,"round":0,"state":{}}', /ERR_SNAPSHOT_VERSION/],
      ["a broken state", '{"version":1,"spec":{"policy":"opttinf"},"arms":3,"round":0,"state":{"losses":[1]}}', /ERR_SNAPSHOT: .*state\.losses/],
      ["an unknown key", '{"version":1,"spec":{"policy":"uniform"},"arms":3,"round":0,"state":{},"x":1}', /ERR_\w+: .*unknown key x/],
      [
        "too many arms",
        '{"version":1,"spec":{"policy":"uniform"},"arms":1e15,"round":0,"state":{}}',
        /ERR_SNAPSHOT: in the snapshot, arms must be an integer in/,
      ],
    ])("refuses a file that holds %s, and names it", async (_, text, message) => {
      writeFileSync(file, text);
      const { code, stdout, stderr } = await resume();
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`tsallis: ${file}: ERR_`);
      expect(stderr).toMatch(message);
    });

    it("refuses a file that is not there, or a folder", async () => {
      expect((await resume()).stderr).toMatch(/ERR_FILE: cannot be read: ENOENT/);
      mkdirSync(file);
      expect((await resume()).stderr).toMatch(/ERR_FILE: cannot be read: EISDIR/);
    });
  });
});

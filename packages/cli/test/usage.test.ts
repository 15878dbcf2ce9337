import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLI_ERROR_CODES, describe as describeError, Failure } from "../src/text/failure.js";
import { tsallis } from "./inProcess.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

const COMMANDS = readdirSync(new URL("../src/commands", import.meta.url)).map((file) => file.replace(/\.ts$/, ""));

describe("help", () => {
  it.each(COMMANDS)("docs/reference/cli.md has %s in its first list", (command) => {
    const rows = read("../../../docs/reference/cli.md")
      .split("\n")
      .filter((line) => line.startsWith("- [`tsallis "));
    const names = rows.flatMap((row) => row.slice(0, row.indexOf("](")).match(/[a-z]+(?=`)/g) ?? []);
    expect(names, `docs/reference/cli.md: add ${command} to the first list`).toContain(command);
  });

  it("is what the bare command prints", async () => {
    const bare = await tsallis([]);
    expect(bare).toEqual(await tsallis(["--help"]));
    expect(bare).toMatchObject({ code: 0, stderr: "" });
    expect(bare.stdout).toContain("Usage: tsallis");
  });

  it.each([["--help"], ...COMMANDS.map((command) => [command, "--help"]), ["help", "replay"]])("%s %s has examples", async (...args) => {
    const { code, stdout, stderr } = await tsallis(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Examples:\n {2}\$ /m);
  });

  it("--version is the package's version", async () => {
    const { version } = JSON.parse(read("../package.json"));
    expect(await tsallis(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("wrong usage", () => {
  const UNIFORM = '{"policy":"uniform"}';
  it.each([
    [["repay"], "ERR_USAGE: unknown command 'repay' (Did you mean replay?)"],
    [["help", "nope"], "ERR_USAGE: no such command: help nope; see tsallis --help"],
    [["--"], "ERR_USAGE: no such command: --; see tsallis --help"],
    [["keys"], "ERR_USAGE: keys needs one of add, list, rotate, revoke after it; see tsallis keys --help"],
    [["keys", "adds"], "ERR_USAGE: unknown command 'adds' (Did you mean add?)"],
    [["keys", "help", "nope"], "ERR_USAGE: no such command: keys help nope"],
    [["replay", "--polcy", "x"], "ERR_USAGE: unknown option '--polcy' (Did you mean --policy?)"],
    [["schema", "now"], "ERR_USAGE: too many arguments for 'schema'"],
    [["list"], "ERR_USAGE: missing required argument 'what'"],
    [["list", "arms"], "ERR_USAGE: command-argument value 'arms' is invalid for argument 'what'"],
    [["show", "nope"], 'ERR_UNKNOWN_NAME: no experiment is called "nope"; the built-in ones are anatomy, '],
    [["run", "nope"], 'ERR_UNKNOWN_NAME: no experiment is called "nope"; the built-in ones are anatomy, '],
    [["run", "nope.yaml"], "nope.yaml: ERR_FILE: cannot be read: ENOENT"],
    [["run", "--seeds", "0"], "--seeds: ERR_PARAMETER: seeds must be an integer in [1, 1000000], got 0"],
    [["run", "--horizon", "many"], '--horizon: ERR_PARAMETER: horizon must be an integer of at least 1, got "many"'],
    [["run", "--workers", "0"], "--workers: ERR_PARAMETER: workers must be an integer in [1, 1024], got 0"],
    [["run", "--only", "nobody"], 'ERR_NO_RUNS: no run matches "nobody"; ids look like '],
    [["run", "--import", "nope.mjs"], "nope.mjs: ERR_IMPORT: cannot be loaded: ENOENT"],
    [["report", "nope"], "ERR_RESULTS: nope does not exist"],
    [["compare", "nope", "nope"], "ERR_RESULTS: nope does not exist"],
    [["replay", "--policy"], "ERR_USAGE: option '--policy <spec>' argument missing"],
    [["replay", "--arms", "3"], "ERR_USAGE: --policy is missing"],
    [["replay", "--policy", UNIFORM], "ERR_USAGE: --arms is missing"],
    [["replay", "--policy", "{", "--arms", "3"], '--policy: ERR_JSON: not JSON: "{"; write it like'],
    [["replay", "--policy", "3", "--arms", "3"], '--policy: ERR_JSON: not an object: "3"; write it like'],
    [["replay", "--policy", '"htinf"', "--arms", "3"], '--policy: ERR_JSON: not an object: "\\"htinf\\""; write it like'],
    [["replay", "--policy", '{"policy":"uniform","policy":"opttinf"}', "--arms", "3"], "--policy: ERR_JSON: a key appears twice; write it like"],
    [["replay", "--policy", "{}", "--arms", "3"], "--policy: ERR_MISSING: policy is missing"],
    [["replay", "--policy", '{"policy":"ucb"}', "--arms", "3"], "--policy: ERR_UNKNOWN_NAME: policy must be one of"],
    [["replay", "--policy", '{"policy":"opttinf","alpha":2}', "--arms", "3"], "--policy: ERR_UNKNOWN_KEY: unknown key alpha"],
    [["replay", "--policy", '{"policy":"htinf","alpha":3,"sigma":1}', "--arms", "3"], "--policy: ERR_PARAMETER: alpha must be in (1, 2], got 3"],
    [["replay", "--policy", "ucb", "--arms", "3"], "--policy: ERR_UNKNOWN_NAME: policy must be one of"],
    [["replay", "--policy", "htinf", "--arms", "3"], "--policy: ERR_MISSING: alpha is missing: it must be in (1, 2]"],
    [["run", "--policy", "ucb"], '--policy: ERR_UNKNOWN_NAME: no policy is called "ucb"; there are htinf, '],
    [["run", "--policy", "2 htinf"], '--policy: ERR_UNKNOWN_NAME: no policy is called "2 htinf"; there are htinf, '],
    [["run", "--policy", "ucb1", "--policy", "ucb1"], "--policy: ERR_PARAMETER: the policy ucb1 is named twice; "],
    [["run", "--policy", "epsilon-greedy"], "--policy: ERR_MISSING: policies.epsilon-greedy.d is missing: "],
    [["run", "--policy", '{"policy":"htinf","alpha":3,"sigma":1}'], "--policy: ERR_PARAMETER: policies.htinf.alpha must be in (1, 2], got 3"],
    [["run", "--policy", "{"], '--policy: ERR_JSON: not JSON: "{"; write it like'],
    [["replay", "--policy", UNIFORM, "--arms", "3x"], '--arms: ERR_PARAMETER: arms must be an integer in [1, 2147483647], got "3x"'],
    [["replay", "--policy", UNIFORM, "--arms", "0"], "--arms: ERR_PARAMETER: arms must be"],
    [
      ["replay", "--policy", UNIFORM, "--arms", "1000000000000000"],
      "--arms: ERR_PARAMETER: arms must be an integer in [1, 2147483647], got 1000000000000000",
    ],
    [["replay", "--policy", UNIFORM, "--arms", "3", "absent.jsonl"], "absent.jsonl: ERR_FILE: cannot be read: ENOENT"],
  ])("%j is one line on stderr and exit code 2", async (args, message) => {
    const { code, stdout, stderr } = await tsallis(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  });
});

describe("error codes", () => {
  it("docs/reference/cli.md lists the command's own codes", () => {
    const rows = [...read("../../../docs/reference/cli.md").matchAll(/^\| `(ERR_\w+)` \| (.+?) \|$/gm)];
    expect(rows.map(([, code, meaning]) => [code, meaning])).toEqual(Object.entries(CLI_ERROR_CODES));
  });

  it("a bug ends with exit code 1 and the place to report", () => {
    const { line, exitCode } = describeError(new TypeError("planted\nbug"));
    expect(exitCode).toBe(1);
    expect(line).toMatch(/^tsallis: ERR_INTERNAL: planted bug; .*report.*usage\.test\.ts/);
    expect(describeError(new Failure("ERR_FILE", "full", "stdout", 1))).toEqual({ line: "tsallis: stdout: ERR_FILE: full", exitCode: 1 });
  });
});

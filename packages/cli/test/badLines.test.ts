import { createPolicy, type PolicySpec, TsallisError } from "tsallis";
import { describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";
import { ARMS, asLines, makeLog, replayOf } from "./logs.js";

/** Plays arm 0 again and again, each time with the largest loss that is not skipped, until the library refuses it. */
function relentlessLog(spec: PolicySpec): { arm: number; loss: number }[] {
  const policy = createPolicy(spec, ARMS);
  const log: { arm: number; loss: number }[] = [];
  for (let loss = 0; log.length < 10_000; ) {
    try {
      const choice = policy.force(0);
      loss = choice.threshold!;
      log.push({ arm: 0, loss });
      policy.update(choice, loss);
    } catch (error) {
      if (!(error instanceof TsallisError)) throw error;
      if (error.code === "ERR_PROBABILITY") log.push({ arm: 0, loss });
      return log;
    }
  }
  throw new Error("the library refuses nothing");
}

const OPT = { policy: "opttinf" };
const good = asLines(makeLog(2));

describe("a bad line", () => {
  const bad: [line: string, message: RegExp][] = [
    ["x", /^tsallis: line 3: ERR_JSON: not JSON: "x"; each line must be an object such as \{"arm":2,"loss":0\.37\}$/],
    ['{"arm":0,"loss":NaN}', /ERR_JSON: not JSON/],
    ["[0,1]", /ERR_JSON: not an object/],
    ["null", /ERR_JSON: not an object/],
    ['{"arm":0,"loss":1,"arm":1}', /ERR_JSON: a key appears twice/],
    ['{"arm":0,"loss":1,"\\u0061rm":1}', /ERR_JSON: a key appears twice/],
    ['{"arm":{"a":"\\"","a":"\\""},"loss":1}', /ERR_JSON: a key appears twice/],
    [`{"arm":${"[".repeat(1e5)}${"]".repeat(1e5)},"loss":1}`, /ERR_JSON: not JSON/],
    ['{"loss":1}', /ERR_MISSING: arm is missing/],
    ['{"arm":0}', /ERR_MISSING: loss is missing/],
    ['{"arm":3,"loss":1}', /^tsallis: line 3: ERR_ARM: arm must be an integer in \[0, 2\], got 3$/],
    ['{"arm":-1,"loss":1}', /ERR_ARM/],
    ['{"arm":0.5,"loss":1}', /ERR_ARM/],
    ['{"arm":"0","loss":1}', /ERR_ARM/],
    ['{"arm":0,"loss":1e999}', /ERR_LOSS: .* got Infinity/],
    ['{"arm":0,"loss":"1"}', /ERR_LOSS/],
    ['{"arm":0,"loss":null}', /ERR_LOSS/],
    ['{"arm":0,"loss":1,"time":7}', /ERR_UNKNOWN_KEY: unknown key "time"; .*jq -c '\{arm, loss\}'/],
    ['{"arm":0,"reward":1}', /ERR_UNKNOWN_KEY: .*give --reward/],
    [`{"arm":0,"loss":1${" ".repeat(1 << 20)}}`, /ERR_JSON: longer than 1048576 characters/],
    // Nothing after a line that is too long is read, so a blank one must not pass for the end of the log. The second ends within its last chunk.
    [" ".repeat(1_200_000), /ERR_JSON: longer than 1048576 characters/],
    [" ".repeat((1 << 20) + 1), /ERR_JSON: longer than 1048576 characters/],
  ];
  it.each(bad.map((row) => [row[0].slice(0, 40), ...row] as const))("%s keeps the rounds before it and names itself", async (_, line, message) => {
    const { code, stdout, stderr } = await tsallis(replayOf(OPT), `${good}${line}\n${good}`);
    expect(code).toBe(2);
    expect(stdout.match(/\n/g)).toHaveLength(2);
    expect(stdout).toBe((await before).stdout);
    expect(stderr).toMatch(/^tsallis: line 3: ERR_\w+: .*\n$/);
    expect(stderr.trimEnd()).toMatch(message);
  });

  const before = tsallis(replayOf(OPT), good);

  it("counts blank lines", async () => {
    const { stdout, stderr } = await tsallis(replayOf(OPT), `\n${good}\n\nx\n`);
    expect(stdout).toBe((await before).stdout);
    expect(stderr).toMatch(/^tsallis: line 6: ERR_JSON/);
  });

  it("may be a round past the horizon", async () => {
    const { code, stdout, stderr } = await tsallis(replayOf({ policy: "adatinf", horizon: 2 }), asLines(makeLog(3)));
    expect(code).toBe(2);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stderr).toMatch(/^tsallis: line 3: ERR_HORIZON: .*ada2tinf/);
  });

  it.each([
    // The probability falls below 1e-300: it goes as the gap to the power -21.
    [{ policy: "htinf", alpha: 1.05, sigma: 1 }, "ERR_PROBABILITY"],
    // The estimate grows from 1e290 to above 1e307.
    [{ policy: "htinf", alpha: 2, sigma: 1e290 }, "ERR_OVERFLOW"],
  ])("may push %j too far: %s", async (spec, error) => {
    const log = relentlessLog(spec);
    const { code, stdout, stderr } = await tsallis(replayOf(spec), asLines(log));
    expect(code).toBe(2);
    expect(stdout.trim().split("\n")).toHaveLength(log.length - 1);
    expect(stderr).toMatch(new RegExp(`^tsallis: line ${log.length}: ${error}: .*\n$`));
  });

  it("shows nothing on stderr that a terminal would obey", async () => {
    const { stderr } = await tsallis(replayOf(OPT), '\u001b[2J\u0007{"arm"');
    expect(stderr).toMatch(/^[\u0020-\u007e]+\n$/);
  });
});

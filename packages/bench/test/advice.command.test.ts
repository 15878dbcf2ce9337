import { describe, expect, it } from "vitest";
import type { AdviceResult } from "../src/advice/adviceResult.js";
import { KINDS } from "../src/advice/kinds.js";
import { bench } from "./command.js";

describe("bench advice", () => {
  it("plays every kind in threads, and prints JSON", async () => {
    const { code, stdout } = await bench("advice", "--seeds", "1", "--rounds", "50", "--json");
    expect(code).toBe(0);
    const results = JSON.parse(stdout) as AdviceResult[];
    expect(results.map(({ kind }) => kind)).toEqual(KINDS.map(({ name }) => name));
    for (const result of results) {
      expect(Object.keys(result)).toEqual(["kind", "recommended", "share", "worst", "best", "bestOfAll", "alternatives", "shares"]);
    }
  });

  it("has help with examples", async () => {
    expect((await bench("advice", "--help")).stdout).toMatch(/^Examples:\n {2}\$ /m);
  });

  it.each([
    [["--rounds", "0"], "--rounds: ERR_PARAMETER: rounds must be an integer in [1, 10000000], got 0"],
    [["--seeds", "many"], '--seeds: ERR_PARAMETER: seeds must be an integer in [1, 10000], got "many"'],
  ])("refuses %j in one line", async (args, message) => {
    const { code, stdout, stderr } = await bench("advice", ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: `tsallis: ${message}\n` });
  });
});

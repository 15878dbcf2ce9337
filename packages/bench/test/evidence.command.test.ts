import { describe, expect, it } from "vitest";
import type { EvidenceResult } from "../src/evidence/benchEvidence.js";
import { bench } from "./command.js";

describe("bench evidence", () => {
  it("plays logs and races in threads, and prints JSON", async () => {
    const { code, stdout } = await bench("evidence", "--worlds", "Bernoulli, normal", "--logs", "2", "--rounds", "50", "--json");
    expect(code).toBe(0);
    const { coverage, races } = JSON.parse(stdout) as EvidenceResult;
    expect(coverage.map(({ world, logs }) => [world, logs])).toEqual([...new Array(4).fill(["Bernoulli", 2]), ...new Array(4).fill(["normal", 2])]);
    expect(races.map(({ world, arms, gap }) => [world, arms, gap])).toEqual(
      ["Bernoulli", "normal"].flatMap((world) => [
        [world, 2, 0.02],
        [world, 2, 0.3],
        [world, 5, 0.3],
      ]),
    );
  });

  it("has help with examples", async () => {
    expect((await bench("evidence", "--help")).stdout).toMatch(/^Examples:\n {2}\$ /m);
  });

  it.each([
    [["--logs", "0"], "--logs: ERR_PARAMETER: logs must be an integer in [1, 100000], got 0"],
    [["--worlds", "Cauchy"], /^tsallis: --worlds: ERR_UNKNOWN_NAME: no world is named "Cauchy"; there are Pareto 1.2, .*normal\n$/],
  ])("refuses %j in one line", async (args, message) => {
    const { code, stdout, stderr } = await bench("evidence", ...args);
    const line = typeof message === "string" ? `tsallis: ${message}\n` : expect.stringMatching(message);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: line });
  });
});

import { describe, expect, it } from "vitest";
import { benchFunctions, benchPolicies } from "../dist/bench.js";
import { ended, start } from "./command.js";

const TINY = {
  repetitions: 2,
  rounds: new Map([
    [2, 50],
    [10, 20],
  ]),
  calls: 100,
};
const { signal } = new AbortController();

describe("bench", () => {
  it("has one result per policy and number of arms, keys in order", async () => {
    const results = await benchPolicies(TINY, signal);
    const kinds = [
      ["htinf", 2],
      ["htinf", 1.5],
      ["htinf", 1.7],
      ["opttinf", null],
      ["adatinf", null],
      ["ada2tinf", null],
      ["uniform", null],
    ];
    expect(results.map(({ policy, alpha, arms, rounds }) => [policy, alpha, arms, rounds])).toEqual(
      kinds.flatMap(([policy, alpha]) => [
        [policy, alpha, 2, 50],
        [policy, alpha, 10, 20],
      ]),
    );
    for (const result of results) {
      expect(Object.keys(result)).toEqual(["policy", "arms", "alpha", "rounds", "nsPerRound"]);
      expect(result.nsPerRound).toBeGreaterThan(0);
    }
    expect(JSON.parse(JSON.stringify(results))).toEqual(results);
  });

  it("times the library's elementary functions and the engine's", async () => {
    const times = await benchFunctions(TINY, signal);
    expect(times.map(([name]) => name)).toEqual(["exp", "log", "pow", "expm1", "log1p", "sinPi", "cosPi", "atan"]);
    for (const [, ours, engine] of times) {
      expect(ours).toBeGreaterThan(0);
      expect(engine).toBeGreaterThan(0);
    }
  });

  it("can be interrupted", async () => {
    const child = start("bench", "--json");
    const all = ended(child);
    // The first line of progress comes from a thread that is at work.
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill("SIGINT");
    expect(await all).toMatchObject({ code: 130, stdout: "" });
  });
});

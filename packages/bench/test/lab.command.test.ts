import { describe, expect, it } from "vitest";
import { overheads, workerRatio } from "../dist/lab/benchLab.js";

const { signal } = new AbortController();

describe("bench lab", () => {
  it("times a run in the lab beside the bare loop", async () => {
    const found = await overheads({ rounds: 2000, repetitions: 1 }, signal);
    expect(found.map(({ asked }) => asked)).toEqual(["below 1.5", "below 1.5"]);
    for (const { measured } of found) expect(measured).toBeGreaterThan(0);
  });

  it("times two workers beside two processes", async () => {
    const { asked, measured } = await workerRatio({ rounds: 200_000, runs: 4, repetitions: 1 }, signal);
    expect(asked).toBe("at least 0.9");
    expect(measured).toBeGreaterThan(0);
  });
});

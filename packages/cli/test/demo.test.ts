import { describe, expect, it } from "vitest";
import { demoText } from "../src/demo.js";
import { quantile } from "../src/quantile.js";
import { tsallis } from "./command.js";

describe("demo", () => {
  it("prints a table per world, best marked, and what to do next", async () => {
    const { code, stdout } = await tsallis(["demo"]);
    expect(code).toBe(0);
    expect(stdout.match(/^│ policy/gm)).toHaveLength(3);
    for (const name of ["HTINF", "OptTINF", "AdaTINF", "Ada2TINF", "uniform"]) {
      expect(stdout.match(new RegExp(`^│ ${name} `, "gm"))).toHaveLength(3);
    }
    expect(stdout.match(/^│ \w+ \* /gm)).toHaveLength(3);
    expect(stdout).toMatch(/^Run next: npx tsallis replay --help/m);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
    expect(stdout).not.toMatch(/\u001b/);
  });

  it("is the same every time", async () => {
    const run = () => demoText({ horizon: 200, seeds: 3 }, new AbortController().signal, () => {});
    expect(await run()).toBe(await run());
  });

  it("stops when it is told to", async () => {
    const interruption = new AbortController();
    let steps = 0;
    const step = () => {
      if (++steps === 2) interruption.abort();
    };
    await expect(demoText({ horizon: 10, seeds: 3 }, interruption.signal, step)).rejects.toThrow("abort");
    expect(steps).toBe(2);
  });
});

describe("quantile", () => {
  it("is linear between order statistics", () => {
    expect([0, 0.1, 0.5, 0.9, 1].map((p) => quantile([4, 1, 3, 2], p))).toEqual([1, 1.3, 2.5, 3.7, 4]);
    expect(quantile([7], 0.9)).toBe(7);
  });
});

import { describe, expect, it } from "vitest";
import { isStuck } from "../src/analysis/stuck.js";
import { lastFifth } from "../src/run/lastFifth.js";

describe("the last fifth of the rounds", () => {
  it("begins after four fifths of the horizon, rounded down", () => {
    expect(lastFifth(20_000)).toEqual({ from: 16_000, to: 20_000 });
    expect(lastFifth(1003)).toEqual({ from: 802, to: 1003 });
    expect([1, 2, 3, 4, 5, 6].map((horizon) => lastFifth(horizon).from)).toEqual([0, 1, 2, 3, 4, 4]);
  });

  it("is exact for every horizon", () => {
    for (let horizon = 1; horizon <= 10_000; horizon++) {
      const { from } = lastFifth(horizon);
      expect(5 * from <= 4 * horizon && 5 * (from + 1) > 4 * horizon, `horizon ${horizon}`).toBe(true);
    }
  });
});

describe("a stuck run", () => {
  it("has more than half of uniform play's regret there", () => {
    expect(isStuck(21, 40)).toBe(true);
    expect(isStuck(20, 40)).toBe(false);
    expect(isStuck(0, 40)).toBe(false);
  });

  it("does not exist where no arm is better", () => {
    expect(isStuck(0, 0)).toBe(false);
  });
});

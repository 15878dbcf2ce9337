import { describe, expect, it } from "vitest";
import { quantile } from "../src/quantile.js";

describe("quantile", () => {
  it("is linear between order statistics", () => {
    expect([0, 0.1, 0.5, 0.9, 1].map((p) => quantile([4, 1, 3, 2], p))).toEqual([1, 1.3, 2.5, 3.7, 4]);
    expect(quantile([7], 0.9)).toBe(7);
  });
});

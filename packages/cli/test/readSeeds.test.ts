import { describe, expect, it } from "vitest";
import { readSeeds } from "../src/input/options.js";

describe("--seeds", () => {
  it.each([
    ["20", 20],
    ["101-103", [101, 102, 103]],
    ["1,5,9", [1, 5, 9]],
    ["7,10-12", [7, 10, 11, 12]],
    ["4-4", [4]],
  ])("reads %s", (text, seeds) => expect(readSeeds(text)).toEqual(seeds));

  it.each(["", "x", "3-1", "1-", "1,,2", "-3-4", "0-99999999", "1.5-3"])("leaves %j to the error that refuses it", (text) =>
    expect(readSeeds(text)).toBe(text),
  );
});

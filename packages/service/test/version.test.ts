import { expect, it } from "vitest";
import { isNewer, VERSION } from "../src/version.js";

it("compares versions number by number", () => {
  const [major, minor, patch] = VERSION.split(".").map(Number) as [number, number, number];
  for (const newer of [`${major + 1}.0.0`, `${major}.${minor + 1}.0`, `${major}.${minor}.${patch + 1}`, `${major}.${minor + 10}.0`])
    expect(isNewer(newer)).toBe(true);
  expect(isNewer(VERSION)).toBe(false);
  expect(isNewer("0.0.99")).toBe(false);
});

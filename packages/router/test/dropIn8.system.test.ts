import { describe, expect, it, vi } from "vitest";
import { compareAll } from "./dropInCompare.js";

const { isRunnable } = vi.hoisted(() => {
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
  return { isRunnable: major > 22 || (major === 22 && minor >= 19) };
});

// The router and the cases import "undici"; here that is undici 8.
vi.mock("undici", (original) => (isRunnable ? import("undici8") : original()));

describe.skipIf(!isRunnable)(
  `the dispatcher does what a BalancedPool of undici 8 does${isRunnable ? "" : " (not run: undici 8 needs Node 22.19 or later)"}`,
  () => {
    it("is compared with the version meant", async () => {
      expect(await import("undici")).toHaveProperty("Dispatcher1Wrapper");
    });

    compareAll();
  },
);

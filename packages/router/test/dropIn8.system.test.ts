import { describe, expect, it, vi } from "vitest";
import { compareAll } from "./dropInCompare.js";

const { isRunnable, loadUndici8 } = await vi.hoisted(() => import("./undici8.js"));

// The router and the cases import "undici"; here that is undici 8.
vi.mock("undici", (original) => (isRunnable ? loadUndici8() : original()));

describe.skipIf(!isRunnable)(
  `the dispatcher does what a BalancedPool of undici 8 does${isRunnable ? "" : " (not run: undici 8 needs Node 22.19 or later)"}`,
  () => {
    it("is compared with the version meant", async () => {
      expect(await import("undici")).toHaveProperty("Dispatcher1Wrapper");
    });

    compareAll();
  },
);

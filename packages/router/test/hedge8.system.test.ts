import { describe, vi } from "vitest";
import { hedgeCases } from "./hedgeCases.js";

const { isRunnable, loadUndici8 } = await vi.hoisted(() => import("./undici8.js"));

// The router and the cases import "undici"; here that is undici 8.
vi.mock("undici", (original) => (isRunnable ? loadUndici8() : original()));

describe.skipIf(!isRunnable)(`with undici 8${isRunnable ? "" : " (not run: undici 8 needs Node 22.19 or later)"}`, () => {
  hedgeCases();
});

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { compareAll } from "./dropInCompare.js";

const { isRunnable } = vi.hoisted(() => {
  const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
  return { isRunnable: major > 22 || (major === 22 && minor >= 19) };
});

/** Loads undici 8, and installs it first if it is not there. Its folder has its own lock file: undici 8 needs a newer Node than the rest of the repository. */
async function undici8(): Promise<object> {
  const folder = fileURLToPath(new URL("undici8/", import.meta.url));
  const entry = `${folder}node_modules/undici/index.js`;
  if (!existsSync(entry)) execFileSync("npm", ["ci"], { cwd: folder, stdio: "ignore" });
  return import(entry);
}

// The router and the cases import "undici"; here that is undici 8.
vi.mock("undici", (original) => (isRunnable ? undici8() : original()));

describe.skipIf(!isRunnable)(
  `the dispatcher does what a BalancedPool of undici 8 does${isRunnable ? "" : " (not run: undici 8 needs Node 22.19 or later)"}`,
  () => {
    it("is compared with the version meant", async () => {
      expect(await import("undici")).toHaveProperty("Dispatcher1Wrapper");
    });

    compareAll();
  },
);

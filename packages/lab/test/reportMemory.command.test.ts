import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";

async function measured(runs: number): Promise<{ most: number; readsPerRun: number }> {
  const script = fileURLToPath(new URL("reportMemory.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, String(runs)]);
  return JSON.parse(stdout) as { most: number; readsPerRun: number };
}

describe("the report of many runs", () => {
  // Both numbers of runs fill a group of rows of traces.parquet, which is the larger part of what does not grow.
  it("holds no traces, which are 8 kB each, and reads each of them twice", { timeout: 1_800_000 }, async () => {
    const [few, many] = soak([2400, 7200], [9600, 50_400]) as [number, number];
    const [a, b] = [await measured(few), await measured(many)];
    // A few thousand runs are 60 bytes each, many are 770.
    expect((b.most - a.most) / (many - few)).toBeLessThan(soak(500, 1000));
    expect(b.most).toBeLessThan(120e6);
    expect([a.readsPerRun, b.readsPerRun]).toEqual([2, 2]);
  });
});

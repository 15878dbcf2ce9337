import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
// The build: the servers are processes.
import { measureService } from "../dist/service/measureService.js";
import { serviceTables, serviceTargets } from "../dist/service/serviceTables.js";

it("measures the service in small, and shows every figure beside what was asked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-bench-"));
  try {
    const size = { clients: 4, seconds: 0.2, turns: 1, events: 2_000, open: 10_000, bandits: 3, decisions: 3 };
    const measured = await measureService(folder, size, () => {}, new AbortController().signal);
    for (const { measured: value } of serviceTargets(measured)) expect(value).toBeGreaterThan(0);
    expect(measured.cells.map(({ name, ours, bare }) => [name, ours.length, bare.length])).toEqual([
      ["one", 1, 1],
      ["bandits-100", 1, 1],
      ["segments-1000", 1, 1],
      ["arms-10000", 1, 1],
    ]);
    const text = serviceTables(measured);
    for (const { name, asked } of serviceTargets(measured)) {
      expect(text).toContain(name);
      expect(text).toContain(asked);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

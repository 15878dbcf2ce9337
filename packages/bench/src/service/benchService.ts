import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print, say } from "@tsallis/cli/dist/text/output.js";
import { measureService, type ServiceMeasurements } from "./measureService.js";
import { serviceTables } from "./serviceTables.js";

/** Prints what the service costs, on SQLite with fsync: requests beside the same routes with nothing behind them, starts, audits, memory. */
export async function benchService({ json }: { json: boolean }, signal: AbortSignal): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-bench-"));
  try {
    const size = { clients: 64, seconds: 3, turns: 5, events: 1_000_000, open: 100_000, bandits: 1_000, decisions: 1_000 };
    const measured: ServiceMeasurements = await measureService(folder, size, say, signal);
    await print(json ? `${JSON.stringify(measured)}\n` : serviceTables(measured));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { inlineExecutor } from "../src/executors/inlineExecutor.js";
import { runExperiment } from "../src/runExperiment.js";

test("traces.parquet says which experiment it belongs to, and which version wrote it", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tsallis-parquet-"));
  const arms = [1, 2].map((value) => ({ distribution: "constant", value }));
  const frozen = freezeExperiment(
    completeExperiment({
      name: "stamped",
      horizon: 10,
      seeds: 1,
      environments: { still: { environment: "stochastic", alpha: 2, arms } },
      policies: { uniform: { policy: "uniform" } },
    }),
  );
  await runExperiment(frozen, { directory, executor: inlineExecutor, signal: new AbortController().signal });
  const { buffer, byteOffset, byteLength } = readFileSync(join(directory, "traces.parquet"));
  const { key_value_metadata } = parquetMetadata(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
  expect(key_value_metadata).toEqual([
    { key: "tsallis.version", value: frozen.version },
    { key: "tsallis.experiment", value: "stamped" },
    { key: "tsallis.hash", value: frozen.hash },
  ]);
  rmSync(directory, { recursive: true });
});

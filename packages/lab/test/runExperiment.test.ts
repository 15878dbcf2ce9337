import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { type Executor, inlineExecutor, runExperiment } from "../src/index.js";

const frozen = freezeExperiment(
  completeExperiment({
    name: "x",
    horizon: 10,
    seeds: 5,
    environments: { a: { environment: "lower-bound", alpha: 1.5, arms: 2, gap: 0.1 } },
    policies: { uniform: { policy: "uniform" } },
  }),
);

test("an executor that leaves out runs: an error names them, and there is no report of the others", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tsallis-open-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const { signal } = new AbortController();
  const lazy: Executor = { workers: 1, execute: (given, [first], ...rest) => inlineExecutor.execute(given, [first!], ...rest) };
  await expect(runExperiment(frozen, { directory, executor: lazy, signal })).rejects.toMatchObject({
    code: "ERR_OPEN",
    message: "no result came for a/uniform/2, a/uniform/3, a/uniform/4 and 1 more; the same command plays what is missing",
  });
  expect(existsSync(join(directory, "summary.json"))).toBe(false);
  await runExperiment(frozen, { directory, executor: inlineExecutor, signal });
  expect(existsSync(join(directory, "summary.json"))).toBe(true);
});

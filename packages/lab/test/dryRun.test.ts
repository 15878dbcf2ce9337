import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, registerPolicy } from "tsallis";
import { describe, expect, onTestFinished, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { dryRun } from "../src/dryRun.js";
import { inlineExecutor } from "../src/executors/inlineExecutor.js";
import { runExperiment } from "../src/runExperiment.js";

const { signal } = new AbortController();
const arms = [
  { distribution: "pareto", shape: 1.8, scale: 1 },
  { distribution: "pareto", shape: 1.8, scale: 2 },
];
const frozen = (policies: object, more: object = {}) =>
  freezeExperiment(
    completeExperiment({
      name: "dry",
      horizon: 20_000,
      seeds: 10,
      environments: { steady: { environment: "stochastic", alpha: 1.5, arms } },
      policies,
      ...more,
    }),
  );
const nowhere = join(tmpdir(), "tsallis-dry-run-nowhere");

/** A uniform policy that takes this much of a core's time in each round, or throws in its tenth. */
function registerCostly(name: string, microseconds: number): void {
  const busy = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  registerPolicy(name, {
    parameters: {},
    description: "slow on purpose",
    needs: [],
    guarantee: null,
    create: ({ arms: count }) => {
      const policy = createPolicy({ policy: "uniform" }, count as number);
      Object.defineProperty(policy, "spec", { value: { policy: name } });
      const choose = policy.choose.bind(policy);
      policy.choose = (...args) => {
        if (policy.round === 10 && microseconds === 0) throw new Error("tired");
        for (const until = busy() + microseconds; busy() < until; );
        return choose(...args);
      };
      return policy;
    },
  } as Parameters<typeof registerPolicy>[1]);
}

describe("a dry run", () => {
  test("measures what a round costs: 200,000 rounds of 100 microseconds are 20 seconds of a core", async () => {
    registerCostly("costly", 100);
    const { coreSeconds, seconds, sample } = await dryRun(frozen({ costly: { policy: "costly" } }), { directory: nowhere, workers: 1, signal });
    expect(coreSeconds).toBeGreaterThan(20);
    expect(coreSeconds).toBeLessThan(40);
    expect(seconds).toBeGreaterThan(coreSeconds);
    expect(sample.coreSeconds).toBeLessThan(2);
  });

  test("counts the rounds of a sweep, each value with its own", async () => {
    const sweep = { path: "horizon", values: [100, 1000] };
    const result = await dryRun(frozen({ uniform: { policy: "uniform" } }, { sweep }), { directory: nowhere, workers: 64, signal });
    expect(result).toMatchObject({ runs: 20, rounds: 11_000, threads: 20, sample: { cells: 2, begun: 2 } });
  });

  test("leaves out what the folder has already", async () => {
    const directory = mkdtempSync(join(tmpdir(), "tsallis-dry-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const experiment = frozen({ uniform: { policy: "uniform" } }, { horizon: 10, seeds: 12 });
    expect(await dryRun(experiment, { directory, workers: 1, signal })).toMatchObject({ runs: 12, found: 0 });
    await runExperiment(experiment, { directory, executor: inlineExecutor, only: "steady/uniform/1*", signal, csv: false });
    expect(await dryRun(experiment, { directory, workers: 1, signal })).toMatchObject({ runs: 8, found: 4, rounds: 80 });
    expect(await dryRun(experiment, { directory, workers: 1, signal, only: "steady/uniform/1*" })).toMatchObject({
      runs: 0,
      found: 4,
      rounds: 0,
      sample: { cells: 0, begun: 0 },
    });
  });

  test("names a run that fails at once", async () => {
    registerCostly("tired", 0);
    const result = await dryRun(frozen({ tired: { policy: "tired" }, uniform: { policy: "uniform" } }), { directory: nowhere, workers: 2, signal });
    const message = expect.stringMatching(/^in round 11, choose of the policy tired threw Error: tired \(at .*dryRun\.test\.ts/);
    expect(result.failed).toEqual([{ id: "steady/tired/1", message }]);
    expect(result.sample).toMatchObject({ cells: 2, begun: 2 });
  });

  test("can be interrupted", async () => {
    const reason = new Error("stop");
    await expect(
      dryRun(frozen({ uniform: { policy: "uniform" } }), { directory: nowhere, workers: 1, signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});

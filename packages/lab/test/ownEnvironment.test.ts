import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnEnvironment, POLICIES, type PolicySpec, registerEnvironment, uniform } from "tsallis";
import { afterAll, describe, expect, test } from "vitest";
import { compareOutcomes } from "../src/analysis/compare.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { runsOf } from "../src/document/runs.js";
import { inlineExecutor } from "../src/executors/inlineExecutor.js";
import { readResults } from "../src/journal/readResults.js";
import { renderComparison } from "../src/report/page/renderComparison.js";
import { verifyResults } from "../src/report/verifyResults.js";
import { runExperiment } from "../src/runExperiment.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-own-world-"));
afterAll(() => rmSync(folder, { recursive: true }));

let names = 0;
/** The name under which a user's environment with these parts is registered. */
function worldOf(parts: OwnEnvironment): string {
  const name = `own-${++names}`;
  registerEnvironment(name, { parameters: {}, description: "mine", create: () => parts });
  return name;
}

const TOLD: Readonly<Record<string, unknown>> = { alpha: 1.5, sigma: 1, rounds: 5, c: 2, d: 0.5, w: 2 };

/** Every policy of the library, told what it cannot do without. */
function everyPolicy(): Record<string, PolicySpec> {
  return Object.fromEntries(
    Object.entries(POLICIES).map(([policy, { parameters }]) => {
      const open = Object.entries(parameters).filter(([key, parameter]) => !("default" in parameter || "optional" in parameter || key === "horizon"));
      return [
        policy,
        { policy, ...Object.fromEntries(open.map(([key, parameter]) => [key, parameter.type === "name" ? parameter.names[0] : TOLD[key]])) },
      ];
    }),
  );
}

const documentOf = (environment: string, policies: Record<string, PolicySpec>) => ({
  name: "own",
  horizon: 40,
  seeds: 1,
  checkpoints: 4,
  environments: { own: { environment } },
  policies,
});

async function played(environment: string, policies = everyPolicy()): Promise<string> {
  const directory = join(folder, environment);
  const frozen = freezeExperiment(completeExperiment(documentOf(environment, policies)));
  await runExperiment(frozen, { directory, executor: inlineExecutor, signal: new AbortController().signal });
  return directory;
}

const cost = (_round: number, arm: number) => (arm + 1) / 4;
const least: OwnEnvironment = { arms: 2, alpha: 1.5, loss: cost, mean: cost };

describe("an environment without distributions", () => {
  test.each<[string, Partial<OwnEnvironment>]>([
    ["no more", {}],
    ["a regime", { regime: "stochastic" }],
    ["gaps", { regime: "stochastically-constrained", gaps: [0, 0.25] }],
    ["a sigma", { sigma: () => 0.5 }],
    ["all of them", { regime: "stochastic", gaps: [0, 0.25], sigma: () => 0.5 }],
  ])("and with %s is played by every policy, reported, verified and compared", async (_, parts) => {
    const environment = worldOf({ ...least, ...parts });
    const directory = await played(environment);
    const { frozen, results } = readResults(directory);
    const runs = runsOf(frozen.experiment);
    expect(runs.filter(({ id }) => results.get(id)?.status !== "completed")).toEqual([]);
    const page = readFileSync(join(directory, "report.html"), "utf8");
    expect(page).toContain("its distributions are not known");
    // What it does not say has not failed, and is not infinite.
    expect(page).not.toMatch(/<span class="verdict no">|\bfails \(|is infinite|σ = (∞|Infinity)/);
    // This writes everything again, as report does.
    expect((await verifyResults(directory)).findings).toEqual([]);
    const outcome = { frozen, runs, results };
    const facts = { place: directory, name: "own", version: frozen.version, hash: frozen.hash };
    expect(renderComparison(compareOutcomes(outcome, outcome), [facts, facts])).toContain("</html>");
  });
});

test("a distribution that is not the library's has no name in the report", async () => {
  const distribution = (_round: number, arm: number) => ({ mean: arm, sample: () => arm }) as never;
  const directory = await played(worldOf({ arms: 2, alpha: 1.5, distribution }), { uniform: { policy: "uniform" } });
  expect(readFileSync(join(directory, "report.html"), "utf8")).toContain("a distribution of its own");
});

describe("means that do not fit are refused before anything is played:", () => {
  const distribution = (_round: number, arm: number) => uniform({ low: arm, high: arm + 2 });
  test.each<[string, OwnEnvironment, RegExp]>([
    ["a sum", { ...least, meanSum: () => 7 }, /^environments\.own: meanSum\(1, 0\) must be 0\.25, the sum of the means so far, got 7$/],
    [
      "a sum that does not grow",
      { ...least, meanSum: cost },
      /^environments\.own: meanSum\(2, 0\) must be 0\.5, the sum of the means so far, got 0\.25$/,
    ],
    [
      "a mean beside a distribution",
      { arms: 2, alpha: 2, distribution, mean: cost },
      /^environments\.own: mean\(1, 0\) is 0\.25, but that of distribution\(1, 0\) is 1$/,
    ],
  ])("%s", (_, parts, message) => {
    const document = documentOf(worldOf(parts), { uniform: { policy: "uniform" } });
    expect(() => completeExperiment(document)).toThrow(expect.objectContaining({ code: "ERR_CONFORMANCE", message: expect.stringMatching(message) }));
  });

  test("and rounds after the horizon are not looked at", () => {
    const table = [[1, 2]];
    const cell = (round: number, arm: number) => table[round - 1]![arm]!;
    const document = documentOf(worldOf({ ...least, loss: cell, mean: cell }), { uniform: { policy: "uniform" } });
    expect(completeExperiment({ ...document, horizon: 1 }).horizon).toBe(1);
  });
});

test("a sigma that is promised by no environment is refused with what to add to it", () => {
  const document = documentOf(worldOf(least), { told: { policy: "htinf", alpha: "promised", sigma: "promised" } });
  expect(() => completeExperiment(document)).toThrow(
    expect.objectContaining({
      code: "ERR_PARAMETER",
      parameter: "policies.told.sigma",
      message: expect.stringMatching(/^policies\.told\.sigma is promised, but the environment own-\d+ promises no sigma; .* add sigma\(alpha\)/),
    }),
  );
});

test("a number of arms that depends on the seed fails the runs by name", async () => {
  const name = `own-${++names}`;
  registerEnvironment(name, {
    parameters: {},
    description: "mine",
    create: (_parameters: unknown, seed: number) => ({
      arms: 1 + seed,
      alpha: 1.5,
      loss: (_round: number, arm: number) => arm,
      mean: (_round: number, arm: number) => arm,
    }),
  });
  const experiment = completeExperiment({
    name: "arms",
    horizon: 10,
    seeds: 2,
    environments: { world: { environment: name } },
    policies: { uniform: { policy: "uniform" } },
  });
  const { failures, runs } = await runExperiment(freezeExperiment(experiment), {
    directory: join(folder, "arms"),
    executor: inlineExecutor,
    signal: new AbortController().signal,
  });
  expect(runs).toHaveLength(2);
  expect(failures).toMatchObject([
    { id: "world/uniform/2", error: { code: "ERR_CONFORMANCE", message: expect.stringContaining("has 3 arms with seed 2, and 2") } },
  ]);
});

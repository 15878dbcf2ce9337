import { createPolicy, POLICIES } from "tsallis";
import { describe, expect, it } from "vitest";
import { ended } from "../../cli/test/command.js";
import { benchFunctions } from "../dist/policies/benchFunctions.js";
import { benchGrowth } from "../dist/policies/benchGrowth.js";
import { type BenchResult, benchPolicies } from "../dist/policies/benchPolicies.js";
import { benchName, benchSpecs } from "../dist/policies/benchSpecs.js";
import { growthTable, policyTables } from "../dist/policies/benchTables.js";
import { ratios } from "../dist/policies/ratios.js";
import { bench, start } from "./command.js";

const TINY = {
  repetitions: 2,
  kernels: [
    { arms: 2, dense: 100, indexed: 100 },
    { arms: 10, dense: 100, indexed: 100 },
    // The dense kernel plays fewer rounds, so it starts from a state midway.
    { arms: 10_000, dense: 3, indexed: 200 },
  ],
  policies: [
    { arms: 2, rounds: 50, plain: 40 },
    { arms: 1000, rounds: 50, plain: 40 },
  ],
  growth: { arms: 3, ages: [10, 21] },
  calls: 2000,
};
const { signal } = new AbortController();

function result(
  policy: string,
  kernel: string | null,
  arms: number,
  alpha: number | null,
  nsPerRound: number,
  bytesPerArm: number | null,
): BenchResult {
  return { policy, kernel, arms, alpha, rounds: 1, nsPerRound, bytesPerArm, age: null };
}

describe("bench", () => {
  it.each([[], ["lab"], ["fleet"]])("%s --help has examples", async (...args) => {
    const { code, stdout, stderr } = await bench(...args, "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: npm run bench -- /);
    expect(stdout).toMatch(/^Examples:\n(?: {2}\$ redis-server .*\n)? {2}\$ npm run (?:-s )?bench\b/m);
  });

  it("refuses an option that it does not know", async () => {
    const message = "tsallis: ERR_USAGE: unknown option '--jsn' (Did you mean --json?); see npm run bench -- --help\n";
    expect(await bench("--jsn")).toEqual({ code: 2, stdout: "", stderr: message });
  });

  it("has one result per policy, kernel and number of arms, keys in order", async () => {
    const built = await benchPolicies(TINY, signal);
    const results = built.map(({ result }) => result);
    const ours = results.filter(({ policy }) => !policy.startsWith("yardstick.c"));
    expect(ours.map(({ policy, kernel, arms, alpha, rounds }) => [policy, kernel, arms, alpha, rounds])).toEqual([
      ...[2, 1.7, 1.5].flatMap((alpha) => [
        ["htinf", "dense", 2, alpha, 100],
        ["htinf", "dense", 10, alpha, 100],
        ["htinf", "dense", 10_000, alpha, 3],
        ["htinf", "indexed", 2, alpha, 100],
        ["htinf", "indexed", 10, alpha, 100],
        ["htinf", "indexed", 10_000, alpha, 200],
      ]),
      ...benchSpecs(50)
        .filter(({ policy }) => policy !== "htinf")
        .flatMap((spec) =>
          [2, 1000].map((arms) => {
            const kernel = createPolicy(spec, arms).snapshot().kernel?.name ?? null;
            return [benchName(spec), kernel, arms, spec.alpha ?? null, kernel === null ? 40 : 50];
          }),
        ),
    ]);
    expect(ours).toContainEqual(expect.objectContaining({ policy: "opttinf", kernel: "indexed", arms: 1000, rounds: 50 }));
    expect(ours).toContainEqual(expect.objectContaining({ policy: "uniform", kernel: null, arms: 1000, rounds: 40 }));
    for (const each of results) {
      expect(Object.keys(each)).toEqual(["policy", "kernel", "arms", "alpha", "rounds", "nsPerRound", "bytesPerArm", "age"]);
      expect(each.nsPerRound).toBeGreaterThan(0);
    }
    expect(JSON.parse(JSON.stringify(results))).toEqual(results);

    // Without gcc there is no yardstick.
    const inC = results.filter(({ policy }) => policy.startsWith("yardstick.c"));
    const all = ["yardstick.c 2", "yardstick.c 1.5", "yardstick.c without pow 2"];
    expect([[], all]).toContainEqual(inC.map(({ policy, alpha }) => `${policy} ${alpha}`));

    // The estimates alone take 8 bytes per arm; no kernel keeps a hundred.
    for (const { arms, bytesPerArm } of ours) {
      if (arms < 10_000) expect(bytesPerArm).toBeNull();
      else expect(8 < bytesPerArm! && bytesPerArm! < 100, `${bytesPerArm} bytes per arm`).toBe(true);
    }

    const tables = policyTables(built);
    for (const text of ["alpha 1.7, indexed", "K = 10,000", "ada2tinf", "milliseconds to build it", "bytes per arm"]) expect(tables).toContain(text);
  });

  it("computes the ratios of what was timed, and leaves the others out", () => {
    const results = [
      result("htinf", "dense", 10, 1.5, 300, null),
      result("htinf", "indexed", 10, 1.5, 600, null),
      result("htinf", "indexed", 1000, 1.5, 1000, null),
      result("htinf", "dense", 100_000, 1.5, 900_000, 32),
      result("htinf", "indexed", 100_000, 1.5, 2000, 24),
      result("htinf", "indexed", 1_000_000, 1.5, 3000, 20),
      result("yardstick.c", null, 10, 1.5, 1000, null),
      result("htinf", "dense", 10, 2, 150, null),
      result("htinf", "indexed", 10, 2, 400, null),
      result("yardstick.c without pow", null, 10, 2, 100, null),
    ];
    expect(ratios(results)).toEqual([
      { name: "indexed, alpha 1.5: K = 1e6 to K = 1,000", asked: "at most 4", measured: 3 },
      { name: "alpha 1.5: indexed at K = 1e6 to the best at K = 10", asked: "at most 10", measured: 10 },
      { name: "alpha 1.5, K = 1e5: dense to indexed", asked: "at least 200", measured: 450 },
      { name: "alpha 1.5, K = 10: best kernel to C with pow", asked: "at most 0.5", measured: 0.3 },
      { name: "alpha 2, K = 10: best kernel to C without pow", asked: "at most 1.5", measured: 1.5 },
      { name: "indexed: most bytes per arm", asked: "at most 48", measured: 24 },
    ]);
    expect(ratios([])).toEqual([]);
  });

  it("has a spec for every registered policy and every estimator", () => {
    const specs = benchSpecs(100);
    expect([...new Set(specs.map(({ policy }) => policy))]).toEqual(Object.keys(POLICIES));
    expect(new Set(specs.map(benchName)).size).toBe(specs.length);
    for (const spec of specs) expect(createPolicy(spec, 3).spec).toMatchObject(spec);
    expect(specs.filter(({ policy }) => policy === "tsallis-inf").map(({ estimator }) => estimator)).toEqual(["iw", "rv"]);
  });

  it("times every policy as it grows old", async () => {
    const results = await benchGrowth(TINY, signal);
    expect(results.map(({ policy, age, rounds }) => [policy, age, rounds])).toEqual(
      benchSpecs(21).flatMap((spec) => [
        [benchName(spec), 10, 5],
        [benchName(spec), 21, 11],
      ]),
    );
    for (const each of results) {
      expect(Object.keys(each)).toEqual(["policy", "kernel", "arms", "alpha", "rounds", "nsPerRound", "bytesPerArm", "age"]);
      expect(each.nsPerRound).toBeGreaterThanOrEqual(0);
    }
    const table = growthTable(results);
    for (const text of ["t = 10", "t = 21", "tsallis-inf rv", "follow-the-leader", "K = 3", "last to first"]) expect(table).toContain(text);
  });

  it("times the library's elementary functions and the engine's", async () => {
    const times = await benchFunctions(TINY, signal);
    expect(times.map(([name]) => name)).toEqual(["exp", "log", "pow", "expm1", "log1p", "sinPi", "cosPi", "atan"]);
    for (const [, ours, engine] of times) {
      expect(ours).toBeGreaterThan(0);
      expect(engine).toBeGreaterThan(0);
    }
  });

  it("can be interrupted", async () => {
    const child = start("--json");
    const all = ended(child);
    // The first line of progress comes from a thread that is at work.
    await new Promise((resolve) => child.stderr.once("data", resolve));
    child.kill("SIGINT");
    expect(await all).toMatchObject({ code: 130, stdout: "" });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createEnvironment, ENVIRONMENTS, type Environment, registerPolicy, UniformPolicy } from "tsallis";
import { afterAll, describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { Experiment } from "../src/document/experiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { importModules } from "../src/document/importModules.js";
import { resolveRun } from "../src/document/resolveRun.js";
import { runsOf } from "../src/document/runs.js";
import { experimentSchema } from "../src/document/schema.js";
import { executeRun } from "../src/run/executeRun.js";
import { plainArm } from "../src/run/plainArm.js";
import { playRun } from "../src/run/playRun.js";
import { rotated } from "../src/run/rotated.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-rotate-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });
const worlds = {
  steady: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2), pareto(1.5)] },
  alone: { environment: "stochastic", alpha: 1.5, arms: [pareto(1)] },
  turning: { environment: "switching", alpha: 1.5, period: 7, arms: [pareto(1), pareto(2)], alternate: [pareto(3), pareto(1)] },
  drifting: { environment: "drifting", alpha: 1.5, rounds: 20, arms: [pareto(1), pareto(2)], alternate: [pareto(3), pareto(1)] },
  hidden: { environment: "lower-bound", alpha: 1.5, arms: 5, gap: 0.3 },
  recorded: { environment: "replay", alpha: 2, losses: Array.from({ length: 40 }, (_, i) => [i, 40 - i, 20]) },
  late: { environment: "stochastic", alpha: 1.5, delay: 3, arms: [pareto(1), pareto(2), pareto(1.5), pareto(3)] },
};
const seeds = [0, 1, 2, 7, Number.MAX_SAFE_INTEGER];
const withRotation = <T extends object>(environments: T) =>
  Object.fromEntries(Object.entries(environments).map(([label, spec]) => [label, { ...spec, rotate: true }]));

/** Plays one arm for ever. */
registerPolicy("only", {
  parameters: { arm: { type: "integer", atLeast: 0, description: "the arm" } },
  description: "one arm for ever",
  needs: [],
  guarantee: null,
  create: (options) => {
    const { arm, arms } = options as unknown as { arm: number; arms: number };
    const policy = new UniformPolicy({ arms });
    const choose = policy.choose.bind(policy);
    return Object.assign(policy, { spec: { policy: "only", arm }, choose: (rng: Parameters<typeof choose>[0]) => ({ ...choose(rng), arm }) });
  },
});

const document = {
  name: "x",
  claim: "it turns",
  horizon: 40,
  seeds,
  checkpoints: 10,
  environments: worlds,
  policies: {
    htinf: { policy: "htinf", alpha: "promised", sigma: "promised" },
    leader: { policy: "follow-the-leader" },
    one: { policy: "only", arm: 0 },
  },
};
const plain = completeExperiment(document);
const turned = completeExperiment({ ...document, environments: withRotation(worlds) });
const options = { checkpoints: 10, anatomy: false, onRounds: () => {} };
const anywhere = fc.record({
  environment: fc.constantFrom(...Object.keys(worlds)),
  policy: fc.constantFrom("htinf", "leader"),
  seed: fc.oneof(fc.constantFrom(...seeds), fc.maxSafeNat()),
  sweep: fc.constant(null),
});

/** By the definition, in integers of any size. */
const shiftOf = (seed: number, arms: number) => Number(BigInt(seed) % BigInt(arms));

describe("a rotated environment", () => {
  test("property: answers as the plain one does for arm (a + seed) mod K", () => {
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 1, max: 40 }), fc.nat(), (run, round, any) => {
        const { environment, rotation } = resolveRun(turned, run);
        const world = rotated(environment, rotation);
        const reference = resolveRun(plain, run).environment;
        const arm = any % world.arms;
        const other = Number((BigInt(arm) + BigInt(run.seed)) % BigInt(world.arms));
        expect(world.loss(round, arm)).toBe(reference.loss(round, other));
        expect(world.mean(round, arm)).toBe(reference.mean(round, other));
        expect(world.meanSum(round, arm)).toBe(reference.meanSum(round, other));
        expect(world.gap(round, arm)).toBe(reference.gap(round, other));
        expect(world.gaps?.[arm]).toBe(reference.gaps?.[other]);
        expect(world.distribution(round, arm).spec).toEqual(reference.distribution(round, other).spec);
        expect([world.sigma(), world.sigma(1.2)]).toEqual([reference.sigma(), reference.sigma(1.2)]);
        const { spec, arms, alpha, regime, assumptions } = reference;
        expect(world).toMatchObject({ spec, arms, alpha, regime, assumptions });
      }),
    );
  });

  test("refuses an arm that is none, as the plain one does", () => {
    const world = rotated(createEnvironment(worlds.steady, 1), 2);
    for (const arm of [-1, 3, 0.5, Number.NaN]) expect(() => world.loss(1, arm)).toThrow(expect.objectContaining({ code: "ERR_ARM" }));
    expect([-1, 3, 0.5].map((arm) => plainArm(arm, 2, 3))).toEqual([-1, 3, 0.5]);
  });

  test("may be an object of the user's own class", async () => {
    const text = `
      class Own {
        #means = [1, 2, 3];
        constructor(seed) { this.seed = seed; }
        get arms() { return 3; }
        get alpha() { return 2; }
        get regime() { return "stochastic"; }
        get spec() { return { environment: "own" }; }
        get gaps() { return [0, 1, 2]; }
        loss(round, arm) { return this.#means[arm]; }
        mean(round, arm) { return this.#means[arm]; }
        meanSum(round, arm) { return round * this.#means[arm]; }
        gap(round, arm) { return this.gaps[arm]; }
        distribution() { throw new Error("none"); }
        sigma() { return 3; }
        get assumptions() { const holds = { holds: true, reason: "so" }; return { heavyTailed: holds, truncatedNonNegative: holds, uniqueBestArm: holds }; }
      }
      export const environments = { own: { parameters: {}, description: "of the user's own", create: (options, seed) => new Own(seed) } };`;
    writeFileSync(join(folder, "own.mjs"), text);
    await importModules([join(folder, "own.mjs")]);
    const experiment = completeExperiment({ ...document, environments: { own: { environment: "own", rotate: true } } });
    expect(experiment.environments.own).toEqual({ environment: "own", rotate: true });
    const run = runsOf(experiment).find(({ id }) => id === "own/one/7")!;
    const { environment, rotation } = resolveRun(experiment, run);
    expect([0, 1, 2].map((arm) => rotated(environment, rotation).loss(1, arm))).toEqual([2, 3, 1]);
    expect(playRun({ ...resolveRun(experiment, run) }, { ...options, seed: 7 }).pseudoRegret.at(-1)).toBe(40);
  });

  test.each(["delay", "rotate", "rescale"])("of the user's own cannot have a parameter %s", async (key) => {
    const file = join(folder, `${key}.mjs`);
    writeFileSync(file, `export const environments = { "own-${key}": { parameters: { ${key}: {} }, create() {} } };`);
    await expect(importModules([file])).rejects.toThrow(`has the environment own-${key} with a parameter ${key}, which is a key of the lab`);
    expect(Object.hasOwn(ENVIRONMENTS, `own-${key}`)).toBe(false);
  });
});

describe("a run in a rotated environment", () => {
  test("property: is the run in the rotated world, with its plays told by the arms of the document", () => {
    fc.assert(
      fc.property(anywhere, (run) => {
        const resolved = resolveRun(turned, run);
        const { environment, rotation } = resolved;
        const trace = playRun(resolved, { ...options, seed: run.seed });
        const other = playRun({ ...resolved, environment: rotated(environment, rotation), rotation: 0 }, { ...options, seed: run.seed });
        const { plays, ...rest } = trace;
        expect(rest).toEqual({ ...rest, ...other, plays: undefined });
        expect(other.plays!.map((_, arm) => plays![(arm + rotation) % environment.arms])).toEqual(other.plays);
      }),
      { numRuns: 40 },
    );
  });

  test("that plays arm 0 plays arm (seed mod K) of the document, with its losses", () => {
    for (const run of runsOf(turned).filter(({ policy }) => policy === "one")) {
      const resolved = resolveRun(turned, run);
      const arm = shiftOf(run.seed, resolved.environment.arms);
      const trace = playRun(resolved, { ...options, seed: run.seed });
      expect(trace).toEqual(playRun({ ...resolveRun(plain, run), policy: { policy: "only", arm } }, { ...options, seed: run.seed }));
      expect(trace.plays!.map((column) => column.at(-1))).toEqual(trace.plays!.map((_, each) => (each === arm ? 40 : 0)));
    }
  });

  test("that plays an arm that is none fails", () => {
    const experiment: Experiment = { ...turned, policies: { one: { policy: "only", arm: 3 } } };
    const [run] = runsOf(experiment);
    expect(executeRun(experiment, run!, () => {})).toMatchObject({ status: "failed", error: { code: "ERR_CONFORMANCE" } });
  });

  test("has an anatomy: its statements hold on every path", () => {
    const environments = withRotation({ steady: worlds.steady, turning: worlds.turning });
    const policies = { htinf: document.policies.htinf, adatinf: { policy: "adatinf" } };
    const experiment = completeExperiment({ ...document, horizon: 500, environments, policies, anatomy: true });
    for (const run of runsOf(experiment)) {
      const resolved = resolveRun(experiment, run);
      const world = rotated(resolved.environment, resolved.rotation);
      const { anatomy } = playRun(resolved, { ...options, anatomy: true, seed: run.seed });
      expect(anatomy).toEqual(playRun({ ...resolved, environment: world, rotation: 0 }, { ...options, anatomy: true, seed: run.seed }).anatomy);
    }
  });

  test("is the same in another process, which has the document as JSON", () => {
    const sent = JSON.parse(JSON.stringify(freezeExperiment(turned).experiment)) as Experiment;
    for (const run of runsOf(turned)) {
      expect({ ...executeRun(sent, run, () => {}), seconds: 0 }).toEqual({ ...executeRun(turned, run, () => {}), seconds: 0 });
    }
  });

  test("in a sweep is rotated at every value", () => {
    const experiment = completeExperiment({
      ...document,
      environments: withRotation({ hidden: worlds.hidden }),
      sweep: { path: "environments.hidden.arms", values: [3, 4] },
    });
    const runs = runsOf(experiment).filter(({ policy, seed }) => policy === "one" && seed === 7);
    expect(runs.map((run) => resolveRun(experiment, run).rotation)).toEqual([1, 3]);
  });
});

describe("the key rotate", () => {
  const hash = (environments: object) => freezeExperiment(completeExperiment({ ...document, environments })).hash;
  const each = (rotate: unknown) => Object.fromEntries(Object.entries(worlds).map(([label, spec]) => [label, { ...spec, rotate }]));

  test("false is the same as none; true is another experiment", () => {
    expect(completeExperiment({ ...document, environments: each(false) })).toEqual(plain);
    expect(Object.values(plain.environments).some((spec) => "rotate" in spec)).toBe(false);
    expect(hash(each(false))).toBe(hash(worlds));
    expect(hash(each(true))).not.toBe(hash(worlds));
  });

  test("leaves documents without it as they are: nothing is rotated", () => {
    for (const run of runsOf(plain)) expect(resolveRun(plain, run).rotation).toBe(0);
    const environment: Environment = createEnvironment(worlds.steady, 1);
    expect(rotated(environment, 0)).toBe(environment);
  });

  test("completes to itself", () => {
    expect(completeExperiment({ ...turned, sweep: undefined })).toEqual(turned);
  });

  test.each([[1], [0], ["true"], ["yes"], [null], [[]], [{}]])("is refused as %j, with its path", (rotate) => {
    const environments = { ...worlds, steady: { ...worlds.steady, rotate } };
    expect(() => completeExperiment({ ...document, environments })).toThrow(
      expect.objectContaining({
        code: "ERR_PARAMETER",
        parameter: "environments.steady.rotate",
        message: `environments.steady.rotate must be true or false, got ${JSON.stringify(rotate)}`,
      }),
    );
  });

  test("cannot be swept: the values of sweeps are numbers and words", () => {
    const given = { ...document, environments: withRotation(worlds), sweep: { path: "environments.steady.rotate", values: ["false"] } };
    expect(() => completeExperiment(given)).toThrow(
      "sweep: with false at environments.steady.rotate, environments.steady.rotate must be true or false",
    );
  });

  test("is in the schema of every environment", () => {
    const { environment } = experimentSchema().$defs as Record<string, { allOf: { then: { properties: Record<string, object> } }[] }>;
    for (const { then } of environment!.allOf) expect(then.properties.rotate).toMatchObject({ type: "boolean", default: false });
  });
});

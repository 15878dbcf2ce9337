import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { DISTRIBUTIONS, ENVIRONMENTS, POLICIES, type PolicySpec, TsallisError } from "tsallis";
import { describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { parseExperiment } from "../src/document/parseExperiment.js";
import { resolveRun } from "../src/document/resolveRun.js";
import { onlyRuns, runsOf } from "../src/document/runs.js";
import { experimentSchema } from "../src/document/schema.js";
import { withValue } from "../src/document/sweepPoints.js";
import { LabError } from "../src/labError.js";

// biome-ignore lint/suspicious/noExplicitAny: documents come untyped, and these are broken on purpose
type Loose = Record<string, any>;

const TEXT = `
name: small
claim: HTINF learns
horizon: 100
seeds: 2
environments:
  steady:
    environment: stochastic
    alpha: 1.5
    arms:
      - { distribution: pareto, shape: 1.8, scale: 1 }
      - { distribution: pareto, shape: 1.8, scale: 2 }
policies:
  htinf: { policy: htinf, alpha: promised, sigma: promised }
  ada: { policy: adatinf }
`;
const parsed = () => parseExperiment(TEXT).value as Loose;
const changed = (change: (document: Loose) => void) => {
  const document = parsed();
  change(document);
  return document;
};
const refusal = (document: unknown) => {
  try {
    completeExperiment(document);
  } catch (error) {
    return error as TsallisError;
  }
  throw new Error("was not refused");
};

describe("a document", () => {
  test("is completed, frozen and hashed", () => {
    const experiment = completeExperiment(parsed());
    expect(experiment).toEqual({
      name: "small",
      claim: "HTINF learns",
      evidence: [],
      horizon: 100,
      seeds: [1, 2],
      environments: { steady: parsed().environments.steady },
      policies: { htinf: { policy: "htinf", alpha: "promised", sigma: "promised" }, ada: { policy: "adatinf" } },
      sweep: [],
      checkpoints: 60,
      anatomy: false,
    });
    expect(Object.isFrozen(experiment.environments.steady!.arms)).toBe(true);
    expect(freezeExperiment(experiment).hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("completes to itself", () => {
    const experiment = completeExperiment({ ...parsed(), sweep: { path: "horizon", values: [10, 20] } });
    const { claim, ...again } = experiment;
    expect(completeExperiment({ claim, ...again, seeds: 2 })).toEqual(experiment);
  });

  test("has a hash that the order of its keys does not change, and everything else does", () => {
    const hash = (document: unknown) => freezeExperiment(completeExperiment(document)).hash;
    const { policies, ...rest } = parsed();
    const reversed = { policies: Object.fromEntries(Object.entries(policies).reverse()), ...rest };
    expect(hash(reversed)).toBe(hash(parsed()));
    for (const change of [
      (d: Loose) => (d.horizon = 101),
      (d: Loose) => (d.seeds = 3),
      (d: Loose) => (d.name = "other"),
      (d: Loose) => (d.environments.steady.arms[0].scale = 1.1),
      (d: Loose) => (d.policies.htinf.sigma = 3),
    ]) {
      expect(hash(changed(change))).not.toBe(hash(parsed()));
    }
  });

  test("JSON is read too", () => {
    expect(completeExperiment(parseExperiment(JSON.stringify(parsed())).value)).toEqual(completeExperiment(parsed()));
  });

  test("knows the lines of its parts", () => {
    const { lineOf } = parseExperiment(TEXT);
    expect(["name", "policies.htinf.sigma", "environments.steady.arms[1].scale", "environments.steady.nothing", "seeds"].map(lineOf)).toEqual([
      2, 14, 12, 8, 5,
    ]);
  });

  test.each<[what: string, change: (document: Loose) => void, code: string, parameter: string]>([
    ["an unknown key", (d) => (d.seed = 3), "ERR_UNKNOWN_KEY", "seed"],
    ["no seeds", (d) => delete d.seeds, "ERR_MISSING", "seeds"],
    ["no horizon", (d) => delete d.horizon, "ERR_MISSING", "horizon"],
    ["seeds that repeat", (d) => (d.seeds = [1, 1]), "ERR_PARAMETER", "seeds"],
    ["a seed that is none", (d) => (d.seeds = [1, -2]), "ERR_PARAMETER", "seeds[1]"],
    ["a broken horizon", (d) => (d.horizon = 1.5), "ERR_PARAMETER", "horizon"],
    ["an unknown policy", (d) => (d.policies.htinf.policy = "htimf"), "ERR_UNKNOWN_NAME", "policies.htinf.policy"],
    ["a broken parameter", (d) => (d.policies.htinf.alpha = 3), "ERR_PARAMETER", "policies.htinf.alpha"],
    ["a missing parameter", (d) => delete d.policies.htinf.sigma, "ERR_MISSING", "policies.htinf.sigma"],
    ["a foreign parameter", (d) => (d.policies.ada.alpha = 1.5), "ERR_UNKNOWN_KEY", "policies.ada.alpha"],
    ["a broken distribution", (d) => (d.environments.steady.arms[1].scale = 0), "ERR_PARAMETER", "environments.steady.arms[1].scale"],
    ["no policies", (d) => (d.policies = {}), "ERR_PARAMETER", "policies"],
    ["a list of policies", (d) => (d.policies = []), "ERR_PARAMETER", "policies"],
    ["a label with a slash", (d) => (d.policies["a/b"] = d.policies.ada), "ERR_PARAMETER", "policies"],
    ["batches of nothing", (d) => (d.environments.steady.delay = { batch: 0 }), "ERR_PARAMETER", "environments.steady.delay.batch"],
    ["a key next to batch", (d) => (d.environments.steady.delay = { batch: 5, late: 1 }), "ERR_UNKNOWN_KEY", "environments.steady.delay.late"],
    ["a rescaling of 3", (d) => (d.environments.steady.rescale = 3), "ERR_PARAMETER", "environments.steady.rescale"],
    ["a negative delay", (d) => (d.environments.steady.delay = -1), "ERR_PARAMETER", "environments.steady.delay"],
    [
      "a distribution of negative delays",
      (d) => (d.environments.steady.delay = { distribution: "normal", mean: 5, sd: 1 }),
      "ERR_UNKNOWN_KEY",
      "environments.steady.delay.sd",
    ],
    ["a name that is no folder", (d) => (d.name = "../x"), "ERR_PARAMETER", "name"],
    ["too short a table", (d) => (d.environments.steady = { environment: "replay", alpha: 2, losses: [[1, 2]] }), "ERR_ROUND", "environments.steady"],
    ["a sweep without values", (d) => (d.sweep = { path: "horizon" }), "ERR_MISSING", "sweep.values"],
    [
      "a sweep with a value out of range",
      (d) => (d.sweep = { path: "environments.steady.alpha", values: [1.5, 3] }),
      "ERR_PARAMETER",
      "environments.steady.alpha",
    ],
    ["evidence about nobody", (d) => (d.evidence = [{ environment: "steady", policy: "ada", beats: "exp3" }]), "ERR_PARAMETER", "evidence[0].beats"],
    ["evidence without a statement", (d) => (d.evidence = [{ environment: "steady", policy: "ada" }]), "ERR_MISSING", "evidence[0].beats"],
    [
      "evidence along nothing",
      (d) => (d.evidence = [{ environment: "steady", policy: "ada", exponent: [0, 1], along: "x" }]),
      "ERR_PARAMETER",
      "evidence[0].along",
    ],
    ["no document at all", () => {}, "", ""],
  ])("with %s is refused", (what, change, code, parameter) => {
    const error = refusal(what === "no document at all" ? null : changed(change));
    if (code !== "") expect([error.code, error.parameter]).toEqual([code, parameter]);
    expect(error.message).not.toContain("\n");
    expect(error).toBeInstanceOf(TsallisError);
  });

  test.each([
    ["a: [", 1],
    ["a: 1\na: 2", 2],
    ["a: [1\nb: 2\n", 2],
    ["{", 1],
    ["\t- x: 1", 1],
  ])("that is no YAML is refused: %j, in line %i", (text, line) => {
    expect(() => parseExperiment(text)).toThrow(expect.objectContaining({ code: "ERR_DOCUMENT", line }));
  });

  test.each(["", "..", "horizon.", "seeds", "checkpoints", "name", "evidence[0].policy"])(
    "with a sweep of %j, which no run is played with, is refused",
    (path) => {
      const document = { ...parsed(), checkpoints: 9, sweep: { path, values: [5, 6] } };
      expect(refusal(document)).toMatchObject({ code: "ERR_PARAMETER", parameter: "sweep.path" });
    },
  );

  test("with two axes of one path is refused: two runs would have one id", () => {
    const axis = { path: "horizon", values: [10] };
    expect(refusal({ ...parsed(), sweep: [axis, axis] })).toMatchObject({ code: "ERR_PARAMETER", parameter: "sweep[1].path" });
  });

  test("with signs that a terminal would obey is refused", () => {
    expect(refusal({ ...parsed(), claim: "\u001b[2J" })).toMatchObject({ code: "ERR_PARAMETER", parameter: "claim" });
    expect(refusal({ ...parsed(), sweep: { path: "policies.ada.policy", values: ["adatinf\u0007"] } })).toMatchObject({ parameter: "sweep.values" });
    expect(completeExperiment({ ...parsed(), claim: "folded\n" }).claim).toBe("folded\n");
  });

  test.each([
    ["an alias that leads back to what it is in", "horizon: &h [*h]"],
    ["an alias of nothing", "horizon: *none"],
    [
      "aliases that grow without end",
      `a: &a [1]\n${[..."bcdefghi"].map((key, i) => `${key}: &${key} [${Array(10).fill(`*${"abcdefgh"[i]}`)}]`).join("\n")}`,
    ],
  ])("with %s is refused as a document", (_, text) => {
    expect(() => parseExperiment(text)).toThrow(expect.objectContaining({ name: "LabError", code: "ERR_DOCUMENT" }));
  });

  test("may use one distribution for hundreds of arms", () => {
    const { value } = parseExperiment(`a: &a { scale: 1 }\narms: [${Array(500).fill("*a")}]`);
    expect((value as Loose).arms).toHaveLength(500);
  });

  test("longer than can be read in a few seconds is refused with the limit", () => {
    const long = `${TEXT}# ${"x".repeat(8_000_000)}`;
    expect(() => parseExperiment(long)).toThrow(/^a document has at most 8 MB, got 8.0 MB; .* --import$/);
    expect(parseExperiment(`${TEXT}# ${"x".repeat(1_000_000)}`).value).toEqual(parsed());
  });

  test("with more arms or swept values than can be played is refused at once, with the limit", () => {
    const many = Array.from({ length: 100_000 }, (_, i) => i + 1);
    const swept = refusal({ ...parsed(), sweep: { path: "horizon", values: many } });
    expect(swept).toMatchObject({
      code: "ERR_PARAMETER",
      parameter: "sweep.values",
      message: expect.stringMatching(/100,000 .* at most 10,000; split/),
    });
    const halves = [many.slice(0, 6000), many.slice(0, 6000).map((i) => 1 + i / 10_000)];
    const axes = [
      { path: "horizon", values: halves[0] },
      { path: "environments.steady.alpha", values: halves[1] },
    ];
    expect(refusal({ ...parsed(), sweep: axes })).toMatchObject({ parameter: "sweep[1].values", message: expect.stringContaining("12,000 values") });
    const { steady } = parsed().environments;
    const distribution = (steady as { arms: unknown[] }).arms[0];
    const world = { environment: "truncation-violated", alpha: 1.5, arms: 1_000_000, shape: 1.6, scale: 0.3, gap: 0.3 };
    for (const environment of [world, { ...steady, arms: Array.from({ length: 1_000_000 }, () => distribution) }]) {
      const refused = refusal({ ...parsed(), environments: { steady: environment } });
      expect(refused).toMatchObject({ code: "ERR_PARAMETER", parameter: "environments.steady.arms" });
      expect(refused.message).toContain("at most 100,000 arms, got 1,000,000; ");
    }
  });

  test("with a swept value in place shares the rest, so that many values are not copied many times", () => {
    const values = Array.from({ length: 100 }, (_, i) => i + 1);
    const experiment = completeExperiment({ ...parsed(), sweep: { path: "horizon", values } });
    const swept = withValue(experiment, { path: "horizon", value: 7 });
    expect(swept.horizon).toBe(7);
    expect(swept.sweep).toBe(experiment.sweep);
    expect(swept.seeds).toBe(experiment.seeds);
    expect(experiment.horizon).toBe(parsed().horizon);
  });

  test("with a sweep path that leads nowhere is refused", () => {
    expect(() => completeExperiment({ ...parsed(), sweep: { path: "policies.none.alpha", values: [2] } })).toThrow(LabError);
  });

  test("property: whatever it holds, it is completed or refused with a code", () => {
    const leaf = fc.oneof(fc.integer(), fc.double(), fc.string(), fc.constant(null), fc.boolean());
    const keys = fc.constantFrom("policy", "environment", "alpha", "sigma", "arms", "distribution", "shape", "scale", "delay", "horizon", "x");
    const value = fc.letrec((tie) => ({
      node: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("node"), { maxLength: 3 }), fc.dictionary(keys, tie("node"), { maxKeys: 4 })),
    })).node;
    const place = fc.constantFrom(
      "name",
      "claim",
      "horizon",
      "seeds",
      "environments",
      "policies",
      "sweep",
      "checkpoints",
      "anatomy",
      "runHash",
      "environments.steady",
      "policies.ada",
    );
    fc.assert(
      fc.property(place, value, (where, item) => {
        const [outer, inner] = where.split(".") as [string, string?];
        const document = changed((d) => {
          if (inner === undefined) d[outer] = item;
          else d[outer][inner] = item;
        });
        try {
          completeExperiment(document);
        } catch (error) {
          expect(error instanceof TsallisError || error instanceof LabError).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("policies of the command line", () => {
  const played = (...policies: (string | PolicySpec)[]) => completeExperiment({ ...parsed(), evidence: EVIDENCE }, { policies });
  const EVIDENCE = [{ environment: "steady", policy: "htinf", beats: "ada" }];

  test("stand in place of the document's: its labels, the registry's names with the environment's promises, and specs", () => {
    expect(played("ada", "robust-ucb", "ucb1", { policy: "htinf", alpha: 1.2, sigma: 5 }).policies).toEqual({
      ada: { policy: "adatinf" },
      "robust-ucb": expect.objectContaining({ policy: "robust-ucb", alpha: "promised", sigma: "promised" }),
      ucb1: expect.objectContaining({ policy: "ucb1" }),
      htinf: { policy: "htinf", alpha: 1.2, sigma: 5 },
    });
    expect(completeExperiment({ ...parsed(), policies: "default" }, { policies: ["htinf"] }).policies).toEqual({
      htinf: { policy: "htinf", alpha: "promised", sigma: "promised" },
    });
  });

  test("leave out the claim and its evidence, which are about the document's", () => {
    expect(played("ucb1")).toMatchObject({ claim: null, evidence: [] });
  });

  test("give the same hash as a document that lists them", () => {
    const { claim: _, ...document } = parsed();
    const written = completeExperiment({ ...document, policies: { ucb1: { policy: "ucb1" } } });
    expect(freezeExperiment(played("ucb1")).hash).toBe(freezeExperiment(written).hash);
  });

  test.each([
    ["a name that there is not", ["htimf"], "ERR_UNKNOWN_NAME"],
    ["one twice", ["ada", "ada"], "ERR_PARAMETER"],
    ["a name of every object", ["toString"], "ERR_UNKNOWN_NAME"],
    ["one that needs more", ["epsilon-greedy"], "ERR_MISSING"],
  ])("with %s are refused", (_, names, code) => {
    expect(() => played(...names)).toThrow(expect.objectContaining({ code }));
  });
});

describe("runs", () => {
  const sweep = (axes: unknown) =>
    completeExperiment({ ...parsed(), sweep: axes, environments: { a: parsed().environments.steady, b: parsed().environments.steady } });

  test("have readable ids", () => {
    expect(runsOf(completeExperiment(parsed())).map(({ id }) => id)).toEqual(["steady/htinf/1", "steady/htinf/2", "steady/ada/1", "steady/ada/2"]);
  });

  test("carry the value of a sweep, in the environments that it changes", () => {
    const ids = (axes: unknown) =>
      runsOf(sweep(axes))
        .map(({ id }) => id)
        .filter((id) => id.includes("/ada/1"));
    expect(ids({ path: "horizon", values: [10, 20] })).toEqual(["a/ada/1/10", "a/ada/1/20", "b/ada/1/10", "b/ada/1/20"]);
    expect(ids({ path: "policies.htinf.sigma", values: [1] })).toEqual(["a/ada/1/1", "b/ada/1/1"]);
    expect(ids({ path: "environments.a.alpha", values: [1.5] })).toEqual(["a/ada/1/1.5", "b/ada/1"]);
    expect(ids({ path: "environments.*.arms[0].scale", values: [1, 3] })).toEqual(["a/ada/1/1", "a/ada/1/3", "b/ada/1/1", "b/ada/1/3"]);
    expect(
      ids([
        { path: "horizon", values: [10] },
        { path: "environments.b.alpha", values: [1.2] },
      ]),
    ).toEqual(["a/ada/1/horizon=10", "b/ada/1/horizon=10", "b/ada/1/environments.b.alpha=1.2"]);
  });

  test("are resolved with promises, horizon and the sweep's value in place", () => {
    const experiment = sweep({ path: "horizon", values: [10, 20] });
    const resolved = resolveRun(experiment, { environment: "a", policy: "htinf", seed: 1, sweep: { path: "horizon", value: 20 } });
    expect(resolved.horizon).toBe(20);
    expect(resolved.policy).toEqual({ policy: "htinf", alpha: 1.5, sigma: resolved.environment.sigma(1.5) });
    expect(resolveRun(experiment, { environment: "a", policy: "ada", seed: 1, sweep: { path: "horizon", value: 20 } }).policy.horizon).toBe(20);
    const scaled = sweep({ path: "environments.a.arms.*.scale", values: [1, 3] });
    const at3 = resolveRun(scaled, { environment: "a", policy: "ada", seed: 1, sweep: { path: "environments.a.arms.*.scale", value: 3 } });
    expect(at3.environment.mean(1, 0)).toBe(at3.environment.mean(1, 1));
  });

  test("can be picked by a pattern", () => {
    const runs = runsOf(completeExperiment(parsed()));
    const ids = (pattern: string) => onlyRuns(runs, pattern).map(({ id }) => id);
    expect(ids("htinf")).toEqual(["steady/htinf/1", "steady/htinf/2"]);
    expect(ids("*/1")).toEqual(["steady/htinf/1", "steady/ada/1"]);
    expect(ids("steady/ada/2")).toEqual(["steady/ada/2"]);
    expect(ids("st.ady*")).toEqual([]);
  });
});

describe("the schema", () => {
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(experimentSchema());

  test("is closed JSON Schema and has every registered name", () => {
    const schema = experimentSchema() as Loose;
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema.additionalProperties).toBe(false);
    for (const [kind, table] of Object.entries({ distribution: DISTRIBUTIONS, environment: ENVIRONMENTS, policy: POLICIES })) {
      const { properties, required, allOf } = schema.$defs[kind];
      expect(required).toEqual([kind]);
      expect(properties[kind].enum).toEqual(Object.keys(table));
      expect(allOf.map((branch: Loose) => branch.if.properties[kind].const)).toEqual(Object.keys(table));
      for (const { then } of allOf) expect(then.additionalProperties).toBe(false);
    }
  });

  test.each<[what: string, change: (document: Loose) => void, place: string, keyword: string]>([
    ["a policy's name", (d) => (d.policies.htinf.policy = "htimf"), "/policies/htinf/policy", "enum"],
    ["a policy's key", (d) => (d.policies.htinf.sigam = 1), "/policies/htinf", "additionalProperties"],
    ["a policy's number", (d) => (d.policies.htinf.alpha = 3), "/policies/htinf/alpha", "maximum"],
    ["a promise", (d) => (d.policies.htinf.alpha = "promise"), "/policies/htinf/alpha", "const"],
    ["the word for all defaults", (d) => (d.policies = "defaults"), "/policies", "const"],
    ["an environment's name", (d) => (d.environments.steady.environment = "stochast"), "/environments/steady/environment", "enum"],
    ["an environment's key", (d) => (d.environments.steady.rotat = true), "/environments/steady", "additionalProperties"],
    ["a distribution's name", (d) => (d.environments.steady.arms[1].distribution = "lomx"), "/environments/steady/arms/1/distribution", "enum"],
    ["a distribution's key", (d) => (d.environments.steady.arms[1].shap = 2), "/environments/steady/arms/1", "additionalProperties"],
    ["the size of a batch", (d) => (d.environments.steady.delay = { batch: 0 }), "/environments/steady/delay/batch", "minimum"],
    ["a delay's distribution", (d) => (d.environments.steady.delay = { distribution: "unifrom" }), "/environments/steady/delay/distribution", "enum"],
    ["a sweep's key", (d) => (d.sweep = [{ path: "horizon", values: [1], valeus: [2] }]), "/sweep/0", "additionalProperties"],
    ["a seed", (d) => (d.seeds = [1, -2]), "/seeds/1", "minimum"],
    [
      "a key of the evidence",
      (d) => (d.evidence = [{ environment: "a", policy: "b", exponent: [0, 1], alogn: "x" }]),
      "/evidence/0",
      "additionalProperties",
    ],
    ["a key of the document", (d) => (d.seed = 3), "", "additionalProperties"],
  ])("has one error for a mistake in %s, at its place", (_, change, place, keyword) => {
    validate(changed(change));
    // Ajv adds, for each branch around an error, that the branch failed.
    const errors = validate.errors!.filter((error) => error.keyword !== "if");
    expect(errors.map((error) => [error.instancePath, error.keyword])).toEqual([[place, keyword]]);
  });
});

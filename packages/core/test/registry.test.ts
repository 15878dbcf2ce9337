import { describe, expect, test } from "vitest";
import * as core from "../src/index.js";
import {
  createEnvironment,
  createPolicy,
  ENVIRONMENTS,
  type OwnEnvironment,
  type Parameters,
  POLICIES,
  registerEnvironment,
  registerPolicy,
  restorePolicy,
  uniform,
} from "../src/index.js";
import { SPECS } from "./policies.js";

describe("the package exports", () => {
  const INDEX = "packages/core/src/index.ts and test/exports/core.txt: add";

  test.each(SPECS)("the class of $policy", (spec) => {
    const { name } = createPolicy(spec, 2).constructor;
    expect(Object.keys(core), `${INDEX} ${name}`).toContain(name);
  });

  test.each(Object.keys(core.DISTRIBUTIONS))("the function of %s", (name) => {
    const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    expect(Object.keys(core), `${INDEX} ${camel}`).toContain(camel);
  });
});

describe("a policy or an environment of one's own", () => {
  test("is found by its name", () => {
    registerPolicy("my-policy", { ...POLICIES.uniform!, description: "a copy", create: (options) => POLICIES.opttinf!.create(options) });
    const policy = createPolicy({ policy: "my-policy" }, 3);
    expect(policy.arms).toBe(3);
    expect(restorePolicy(policy.snapshot()).arms).toBe(3);
    registerEnvironment("my-world", ENVIRONMENTS["lower-bound"]!);
    expect(createEnvironment({ environment: "my-world", alpha: 1.5, arms: 4, gap: 0.1 }, 1).arms).toBe(4);
  });

  test.each(["htinf", "", "My Policy", "my_policy", "toString!", 7 as never])("cannot be called %j", (name) => {
    expect(() => registerPolicy(name, POLICIES.uniform!)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "name", value: name }));
  });

  test.each(Object.entries(POLICIES))("may be a copy of %s", (name, entry) => {
    registerPolicy(`copy-of-${name}`, entry);
    expect(POLICIES[`copy-of-${name}`]!.parameters).toBe(entry.parameters);
  });

  test("cannot take an environment's name", () => {
    expect(() => registerEnvironment("stochastic", ENVIRONMENTS.replay!)).toThrow(/already/);
  });

  const own = { parameters: {}, description: "mine" };
  const cost = (_round: number, arm: number) => arm;
  const least = { arms: 2, alpha: 2, loss: cost, mean: cost };
  let names = 0;
  /** The world that a user's `create` makes of these parts. */
  function worldOf(parts: unknown, parameters: object = {}, options: object = {}, seed = 1) {
    const name = `own-world-${++names}`;
    registerEnvironment(name, { ...own, parameters: parameters as Parameters, create: () => parts as OwnEnvironment });
    return createEnvironment({ environment: name, ...options }, seed);
  }

  test("an environment needs no more than arms, alpha, losses and their means", () => {
    const world = worldOf({ ...least, mean: (round: number, arm: number) => arm + (round % 2) });
    expect(world.spec).toEqual({ environment: `own-world-${names}` });
    expect([3, 1, 2, 3].map((round) => world.meanSum(round, 1))).toEqual([5, 2, 3, 5]);
    expect([world.gap(1, 0), world.gap(1, 1)]).toEqual([0, 1]);
    expect(world).toMatchObject({ regime: "adversarial", gaps: undefined });
    expect(world.sigma()).toBe(Infinity);
    expect(world.assumptions.heavyTailed.holds).toBeUndefined();
    expect(world.assumptions.uniqueBestArm).toEqual({ holds: undefined, reason: "the environment does not say: it has no gaps" });
    expect(() => world.distribution(1, 0)).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "distribution" }));
    for (const ask of ["loss", "mean", "meanSum", "gap"] as const) {
      expect(() => world[ask](0, 0)).toThrow(expect.objectContaining({ code: "ERR_ROUND" }));
      expect(() => world[ask](1, 2)).toThrow(expect.objectContaining({ code: "ERR_ARM" }));
    }
    expect(worldOf({ ...least, regime: "stochastic" }).gaps).toEqual([0, 1]);
  });

  test("or arms, alpha and the distribution of each cell, from which the losses are drawn by the seed", () => {
    const distributions = [uniform({ low: 0, high: 1 }), uniform({ low: 1, high: 3 })];
    const parts = { arms: 2, distribution: (_round: number, arm: number) => distributions[arm] };
    const parameters = { alpha: { type: "number", above: 1, atMost: 2, default: 1.5, description: "the order" } };
    const [one, two] = [1, 2].map((seed) => worldOf(parts, parameters, {}, seed));
    expect(one!.alpha).toBe(1.5);
    expect(one!.spec).toMatchObject({ alpha: 1.5 });
    expect([one!.mean(1, 1), one!.meanSum(10, 1)]).toEqual([2, 20]);
    expect(one!.loss(5, 1)).toBe(one!.loss(5, 1));
    expect(one!.loss(5, 1)).not.toBe(two!.loss(5, 1));
  });

  test("options are checked before the environment sees them", () => {
    const parameters = { level: { type: "number", atLeast: 0, description: "the level" } };
    expect(() => worldOf(least, parameters, { level: -1 })).toThrow("level must be a finite number of at least 0, got -1");
    expect(() => worldOf(least, parameters)).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "level" }));
    expect(() => worldOf(least, parameters, { level: 1, more: 1 })).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_KEY" }));
  });

  let asked = 0;
  test.each<[string, unknown, RegExp]>([
    ["create()", undefined, /create\(\): it must be a function that returns an object/],
    ["arms", { ...least, arms: 0 }, /^arms of the environment \S+ must be an integer of at least 1, got 0/],
    ["arms", { ...least, arms: "2" }, /got "2"/],
    ["alpha", { ...least, alpha: undefined }, /^the environment \S+ has no alpha: it must be in \(1, 2\]/],
    ["regime", { ...least, regime: "calm" }, /one of stochastic, .*got "calm"/],
    ["loss", { ...least, loss: undefined }, /has no loss: it must be a function of round .* or give distribution/],
    ["mean", { ...least, mean: undefined }, /has no mean: it must be a function of round .* the true mean/],
    ["mean", { ...least, mean: [0, 1] }, /^mean of the environment \S+ must be a function, got \[0,1\]/],
    ["mean(1, 0)", { ...least, mean: () => Number.NaN }, /must be a finite number, got NaN/],
    ["loss", { ...least, loss: () => Number.NaN }, /^loss\(1, 0\) of the environment \S+ must be a number of size at most 1e\+300, got NaN/],
    ["loss", { ...least, loss: () => "1" }, /got "1"/],
    ["loss(1, 0)", { ...least, loss: () => ++asked }, /the same number whenever it is asked/],
    ["gaps", { ...least, gaps: [0] }, /a list of 2 finite numbers/],
    ["distribution(1, 0)", { arms: 2, alpha: 2, distribution: () => ({ mean: 1 }) }, /must be a distribution/],
  ])("an environment with a wrong %s is refused when it is created (%#)", (parameter, parts, message) => {
    expect(() => worldOf(parts)).toThrow(expect.objectContaining({ parameter, message: expect.stringMatching(message) }));
  });

  test("an error of the user's own code says whose it is, and where", () => {
    const create = () => {
      throw new RangeError("too stormy");
    };
    const message = expect.stringMatching(/^the (environment|policy) own-throws threw RangeError: too stormy \(at .*registry\.test/);
    registerEnvironment("own-throws", { ...own, create });
    expect(() => createEnvironment({ environment: "own-throws" }, 1)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", message }));
    registerPolicy("own-throws", { ...own, needs: [], guarantee: null, create });
    expect(() => createPolicy({ policy: "own-throws" }, 2)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", message }));
  });

  test("a loss that is wrong later is named by its cell", () => {
    const world = worldOf({ ...least, loss: (round: number) => (round === 7 ? Number.NaN : 1) });
    expect(() => world.loss(7, 1)).toThrow(/^loss\(7, 1\) of the environment/);
  });

  test.each<[string, unknown, RegExp]>([
    ["the environment bad-entry", undefined, /must be an object, got undefined/],
    ["parameters", { description: "", create() {} }, /has no parameters: it must be a table of parameters by name, \{\} if there are none/],
    ["parameters.a.type", { ...own, parameters: { a: { type: "float", description: "" } }, create() {} }, /one of number, integer, .*got "float"/],
    ["description", { parameters: {}, create() {} }, /has no description/],
    ["create", own, /has no create: it must be a function that makes the environment/],
    ["bad-entry.defualt", { ...own, defualt: true, create() {} }, /^unknown key bad-entry\.defualt; known keys: parameters, description, create$/],
    [
      "bad-entry.parameters.a.atleast",
      { ...own, parameters: { a: { type: "number", description: "", atleast: 1 } }, create() {} },
      /^unknown key bad-entry\.parameters\.a\.atleast; known keys: type, description, default, /,
    ],
    [
      "parameters.a.default",
      { ...own, parameters: { a: { type: "integer", atLeast: 1, default: "2", description: "" } }, create() {} },
      /^parameters\.a\.default of the environment bad-entry must be an integer of at least 1, got "2"$/,
    ],
    [
      "parameters.a.default",
      { ...own, parameters: { a: { type: "number", above: 1, atMost: 2, default: 3, description: "" } }, create() {} },
      /must be in \(1, 2\], got 3$/,
    ],
    [
      "parameters.a.names",
      { ...own, parameters: { a: { type: "name", default: "b", description: "" } }, create() {} },
      /has no parameters\.a\.names: it must be a list of the names/,
    ],
  ])("an entry with a wrong %s is refused when it is registered", (parameter, entry, message) => {
    expect(() => registerEnvironment("bad-entry", entry as never)).toThrow(
      expect.objectContaining({ parameter, message: expect.stringMatching(message) }),
    );
    expect(ENVIRONMENTS["bad-entry"]).toBeUndefined();
  });

  const facts = { ...own, needs: [], guarantee: null };
  /** A policy of a user's own, but for these parts. */
  const partsOf = (name: string, parts: object) => ({
    spec: { policy: name },
    policyId: "p",
    arms: 3,
    round: 0,
    choose() {},
    update() {},
    details: () => ({}),
    ...parts,
  });

  test.each<[string, object, RegExp]>([
    ["choose", { choose: undefined }, /has no choose: it must be a function/],
    ["details", { details: undefined }, /has no details: it must be a function/],
    ["spec", { spec: undefined }, /has no spec: it must be \{ policy: "own-\S+", and every parameter \}/],
    ["spec.epsilon", {}, /has no spec\.epsilon: it must be 0\.1, as given/],
    ["arms", { arms: 2 }, /must be 3, as given, got 2/],
    ["round", { round: undefined }, /has no round: it must be 0 before the first round/],
  ])("a policy with a wrong %s is refused when it is created", (parameter, parts, message) => {
    const name = `own-policy-${++names}`;
    const parameters = { epsilon: { type: "number", default: 0.1, description: "" } } as const;
    const policy = () => partsOf(name, { spec: { policy: name, ...(parameter === "spec.epsilon" ? {} : { epsilon: 0.1 }) }, ...parts });
    registerPolicy(name, { ...facts, parameters, create: policy as never });
    expect(() => createPolicy({ policy: name }, 3)).toThrow(expect.objectContaining({ parameter, message: expect.stringMatching(message) }));
  });

  test("a policy with no more than what experiments call is created", () => {
    registerPolicy("own-least", { ...facts, create: (() => partsOf("own-least", {})) as never });
    expect(createPolicy({ policy: "own-least" }, 3).arms).toBe(3);
  });

  test.each([
    ["needs", { ...own, guarantee: null, create() {} }, /has no needs: it must be a list/],
    ["guarantee", { ...own, needs: [], create() {} }, /has no guarantee: it must be null, or one of/],
    ["bad-policy.defualt", { ...facts, defualt: true, create() {} }, /^unknown key bad-policy\.defualt; known keys: .*\bdefault\b/],
  ])("an entry of a policy with a wrong %s is refused when it is registered", (parameter, entry, message) => {
    expect(() => registerPolicy("bad-policy", entry as never)).toThrow(
      expect.objectContaining({ parameter, message: expect.stringMatching(message) }),
    );
    expect(POLICIES["bad-policy"]).toBeUndefined();
  });
});

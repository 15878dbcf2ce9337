import { describe, expect, test } from "vitest";
import * as core from "../src/index.js";
import { createEnvironment, createPolicy, ENVIRONMENTS, POLICIES, registerEnvironment, registerPolicy, restorePolicy } from "../src/index.js";
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

  test("cannot take an environment's name", () => {
    expect(() => registerEnvironment("stochastic", ENVIRONMENTS.replay!)).toThrow(/already/);
  });
});

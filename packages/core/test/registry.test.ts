import { describe, expect, test } from "vitest";
import { createEnvironment, createPolicy, ENVIRONMENTS, POLICIES, registerEnvironment, registerPolicy, restorePolicy } from "../src/index.js";

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

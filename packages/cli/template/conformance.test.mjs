// node --test conformance.test.mjs: whether the policy and the environment keep the rules that experiments rest on.
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkEnvironment, checkPolicy, importModules } from "@tsallis/lab";

await importModules(["policy.mjs", "environment.mjs"].map((file) => fileURLToPath(new URL(file, import.meta.url))));

const distributions = [0.5, 1].map((scale) => ({ distribution: "pareto", shape: 1.8, scale }));

test("my-storms keeps the rules", () => {
  checkEnvironment({ environment: "my-storms", alpha: 1.5, period: 10, calm: distributions, storm: [...distributions].reverse() });
});

test("my-greedy keeps the rules", () => {
  checkPolicy({ policy: "my-greedy", epsilon: 0.1 });
  checkPolicy({ policy: "my-greedy" }, { arms: 1 });
});

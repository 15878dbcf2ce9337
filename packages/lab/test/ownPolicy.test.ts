import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { importModules } from "../src/document/importModules.js";
import { runsOf } from "../src/document/runs.js";
import { executeRun } from "../src/run/executeRun.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-own-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

const constant = (value: number) => ({ distribution: "constant", value });
const calm = { environment: "stochastic", alpha: 2, arms: [constant(1), constant(2), constant(3)] };

/** The error of a run of a policy whose module has these lines in its methods. */
async function errorOf(name: string, { choose = "", arm = "0", update = "", details = "" }, environment: object = calm) {
  const text = `class Mine {
  round = 0; policyId = "p"; spec = { policy: "${name}" };
  constructor(arms) { this.arms = arms; }
  choose() { this.round++; ${choose}
    return { policy: "p", round: this.round, arm: ${arm}, probability: 1, threshold: null }; }
  update(choice) { ${update} }
  details() { ${details} return {}; }
}
export const policies = { "${name}": { parameters: {}, description: "", needs: [], guarantee: null, create: ({ arms }) => new Mine(arms) } };
`;
  writeFileSync(join(folder, `${name}.mjs`), text);
  await importModules([join(folder, `${name}.mjs`)]);
  const experiment = completeExperiment({ name: "x", horizon: 9, seeds: 1, environments: { w: environment }, policies: { p: { policy: name } } });
  const result = executeRun(experiment, runsOf(experiment)[0]!, () => {});
  return result.status === "failed" ? result.error : null;
}

describe("a run that a policy of one's own fails says which policy, method and round, and where in its module:", () => {
  const late = "this.round === 3";
  test.each<[string, Parameters<typeof errorOf>[1], RegExp]>([
    [
      "throws-choosing",
      { choose: `if (${late}) this.foo.bar;` },
      /^in round 3, choose of the policy throws-choosing threw TypeError: Cannot read .*'bar'\) \(at Mine\.choose \(throws-choosing\.mjs:4:\d+\)\)$/,
    ],
    [
      "throws-at-once",
      { choose: "this.foo.bar;" },
      /^in round 1, choose of the policy throws-at-once threw TypeError: .* \(at Mine\.choose \(throws-at-once\.mjs:4:\d+\)\)$/,
    ],
    ["throws-text", { choose: `if (${late}) throw "boom";` }, /^in round 3, choose of the policy throws-text threw "boom"$/],
    [
      "throws-learning",
      { update: "if (choice.round === 2) none();" },
      /^in round 2, update of the policy throws-learning threw ReferenceError: .* \(throws-learning\.mjs:6:\d+\)\)$/,
    ],
    ["throws-telling", { details: `if (${late}) none();` }, /^in round 3, details of the policy throws-telling threw ReferenceError/],
    [
      "no-arm",
      { arm: `${late} ? 5 : 0` },
      /^in round 3, choose of the policy no-arm must return a Choice with an integer in \[0, 2\] as its arm, got 5$/,
    ],
    ["no-choice", { choose: `if (${late}) return;` }, /^in round 3, choose of the policy no-choice must return a Choice .*, got undefined$/],
  ])("%s", async (name, lines, message) => {
    expect(await errorOf(name, lines)).toEqual({ code: "ERR_CONFORMANCE", message: expect.stringMatching(message) });
    const delayed = await errorOf(`${name}-delayed`, lines, { ...calm, delay: 1, rotate: true });
    expect(delayed?.message.replaceAll("-delayed", "")).toMatch(name === "throws-learning" ? /^in round 3, update/ : message);
  });
});

test("and one that an environment of one's own fails says where in its module", async () => {
  const cost = '(round) => { if (round === 3) throw new RangeError("too far"); return 1; }';
  const text = `export const environments = { "far": { parameters: {}, description: "", create: () => ({ arms: 3, alpha: 2, mean: () => 1, loss: ${cost} }) } };`;
  writeFileSync(join(folder, "far.mjs"), text);
  await importModules([join(folder, "far.mjs")]);
  expect(await errorOf("fine", {}, { environment: "far" })).toEqual({
    code: null,
    message: expect.stringMatching(/^too far \(at .*loss \(far\.mjs:1:\d+\)\)$/),
  });
});

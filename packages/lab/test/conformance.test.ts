import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPolicy, ENVIRONMENTS, type OwnEnvironment, POLICIES, registerEnvironment, registerPolicy, UniformPolicy } from "tsallis";
import { afterAll, describe, expect, test } from "vitest";
import { checkEnvironment } from "../src/conformance/checkEnvironment.js";
import { checkPolicy } from "../src/conformance/checkPolicy.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { importModules } from "../src/document/importModules.js";
import { runsOf } from "../src/document/runs.js";
import { executeRun } from "../src/run/executeRun.js";

let names = 0;
const refused = (message: RegExp) => expect.objectContaining({ code: "ERR_CONFORMANCE", message: expect.stringMatching(message) });

describe("checkEnvironment", () => {
  const distributions = [
    { distribution: "lomax", shape: 1.7, scale: 1 },
    { distribution: "lomax", shape: 1.7, scale: 0.5 },
  ];
  test.each([
    { environment: "stochastic", alpha: 1.5, arms: distributions },
    { environment: "switching", alpha: 1.5, arms: distributions, alternate: [...distributions].reverse(), period: 10 },
    { environment: "drifting", alpha: 1.5, arms: distributions, alternate: [...distributions].reverse(), rounds: 500 },
    { environment: "changing-tail", alpha: 1.5, means: [1, 2], shapes: [1.6, 2.5], period: 10 },
    { environment: "minimax", alpha: 1.5, arms: 3, horizon: 1000 },
    { environment: "replay", alpha: 1.5, losses: Array.from({ length: 1000 }, (_, i) => [i % 3, i % 5]) },
  ])("passes $environment", (spec) => {
    expect(ENVIRONMENTS[spec.environment]).toBeDefined();
    checkEnvironment(spec);
  });

  const cost = (_round: number, arm: number) => arm + 1;
  const least = { arms: 2, alpha: 2, loss: cost, mean: cost };
  let asked = 0;
  test.each<[string, Partial<OwnEnvironment>, RegExp]>([
    ["losses that count", { loss: (round) => (round === 1 ? 1 : ++asked) }, /^loss\(1000, 1\) was .* asked backwards/],
    ["a wrong sum of means", { meanSum: (round) => round + 1 }, /^meanSum\(1, 0\) must be 1, the sum of the means so far, got 2/],
    ["a wrong gap", { gap: () => 2 }, /^gap\(1, 0\) must be 0, got 2/],
    ["a sigma below a mean", { sigma: () => 1.5 }, /^sigma\(\) is 1\.5, below the size of mean\(1, 1\), 2/],
    ["a sigma that is none", { sigma: () => Number.NaN }, /^sigma\(\) must be/],
    [
      "means that move in a stochastic world",
      { regime: "stochastic", mean: (round, arm) => arm + (round > 9 ? 1 : 0) },
      /^mean\(10, 0\) is not that of round 1/,
    ],
    ["gaps that do not hold", { gaps: [0, 2] }, /^gap\(1, 1\) is 1, below gaps\[1\], 2/],
    ["another best arm", { gaps: [0.5, 0] }, /^gap\(1, 0\) is 0, below|^arm 1 is not best in round 1/],
    ["no gaps where they are promised", { regime: "stochastically-constrained" }, /must have gaps/],
  ])("refuses %s", (_, parts, message) => {
    const name = `checked-world-${++names}`;
    registerEnvironment(name, { parameters: {}, description: "", create: () => ({ ...least, ...parts }) });
    expect(() => checkEnvironment({ environment: name })).toThrow(refused(message));
  });
});

describe("checkPolicy", () => {
  test.each(["htinf", "ucb1", "thompson", "matched-tinf", "uniform"])("passes %s", (policy) => {
    checkPolicy({ policy, ...(policy === "htinf" && { alpha: 1.2, sigma: 3 }), ...(policy === "thompson" && { sigma: 3 }) });
  });

  /** The uniform policy, but for one method. */
  function broken(change: (policy: UniformPolicy) => void): string {
    const name = `checked-policy-${++names}`;
    const create = ({ arms }: { arms: number }) => {
      const policy = createPolicy({ policy: "uniform" }, arms) as UniformPolicy;
      change(policy);
      return policy;
    };
    registerPolicy(name, { ...POLICIES.uniform!, create });
    return name;
  }

  let drawn = 0;
  test.each<[string, (policy: UniformPolicy) => void, RegExp]>([
    [
      "randomness of its own",
      (policy) => {
        policy.choose = () => policy.force(drawn++ % 3);
      },
      /^in round \d+ two policies .* take randomness from rng alone/,
    ],
    [
      "an arm that is none, later",
      (policy) => {
        policy.choose = () => (policy.round === 20 ? { ...policy.force(0), arm: 3 } : policy.force(0));
      },
      /^in round 21, choose of the policy checked-policy-\d+ must return a Choice with an integer in \[0, 2\] as its arm, got 3$/,
    ],
    [
      "details that are no numbers",
      (policy) => {
        policy.details = () => ({ level: policy.round > 5 ? Number.NaN : 0 });
      },
      /level is NaN after round 6/,
    ],
  ])("refuses %s", (_, change, message) => {
    const name = broken(change);
    expect(() => checkPolicy({ policy: name })).toThrow(refused(message));
  });
});

test("a run creates a policy of one's own by its own name, also if it is another policy inside", () => {
  class Mine extends UniformPolicy {
    override choose() {
      return this.force(1);
    }
  }
  const entry = { ...POLICIES.uniform!, parameters: { size: { type: "number", default: 2, description: "" } } } as const;
  registerPolicy("second-arm", { ...entry, create: ({ arms }) => new Mine({ arms }) });
  const arms = [1, 2].map((value) => ({ distribution: "constant", value }));
  const { policies } = completeExperiment({
    name: "x",
    horizon: 2,
    seeds: 1,
    environments: { w: { environment: "stochastic", alpha: 2, arms } },
    policies: { second: { policy: "second-arm" } },
  });
  expect(policies.second).toEqual({ policy: "second-arm", size: 2 });
});

test("what is wrong with an environment or a policy of one's own is told with its place in the document", () => {
  registerEnvironment("placed", { parameters: {}, description: "", create: () => ({ arms: 0 }) });
  const document = { name: "x", horizon: 2, seeds: 1, environments: { w: { environment: "placed" } }, policies: { u: { policy: "uniform" } } };
  expect(() => completeExperiment(document)).toThrow(
    expect.objectContaining({
      parameter: "environments.w",
      message: expect.stringMatching(/^environments\.w: arms of the environment placed must be/),
    }),
  );
});

describe("before its first run, an imported policy plays a round for show", () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-tried-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ["arm: 2", /^in round 1, choose of the policy tried-\d+ must return a Choice with an integer in \[0, 1\] as its arm, got 2$/],
    ["round: 7", /^in round 1, round of the Choice must be 1, got 7$/],
    ["round: this.round = 0", /^in round 1, round of the policy must be 1 after choose, which adds 1 to it, got 0$/],
    ["probability: undefined", /^in round 1, probability of the Choice must be in \(0, 1\], or null, got undefined$/],
    ["threshold: NaN", /^in round 1, threshold of the Choice must be null, or/],
    ['policy: "other"', /^in round 1, policy of the Choice must be "p", got "other"$/],
  ])("a Choice with %s fails the run", async (field, message) => {
    const name = `tried-${++names}`;
    const choice = `{ policy: "p", round: ++this.round, arm: 0, probability: 1, threshold: null, ${field} }`;
    const policy = `{ spec: { policy: "${name}" }, policyId: "p", arms, round: 0, choose() { return ${choice}; }, update() {}, details: () => ({}) }`;
    const entry = `{ parameters: {}, description: "", needs: [], guarantee: null, create: ({ arms }) => (${policy}) }`;
    writeFileSync(join(folder, `${name}.mjs`), `export const policies = { "${name}": ${entry} };`);
    await importModules([join(folder, `${name}.mjs`)]);
    const arms = [1, 2].map((value) => ({ distribution: "constant", value }));
    const environments = { w: { environment: "stochastic", alpha: 2, arms } };
    const experiment = completeExperiment({ name: "x", horizon: 2, seeds: 1, environments, policies: { p: { policy: name } } });
    const error = { code: "ERR_CONFORMANCE", message: expect.stringMatching(message) };
    expect(executeRun(experiment, runsOf(experiment)[0]!, () => {})).toMatchObject({ status: "failed", error });
  });
});

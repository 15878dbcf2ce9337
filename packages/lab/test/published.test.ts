import { createEnvironment, type Environment } from "tsallis";
import { describe, expect, test } from "vitest";
import { builtIn } from "../src/document/builtIn.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import { parseExperiment } from "../src/document/parseExperiment.js";

const read = (name: string) => completeExperiment(parseExperiment(builtIn(name)!).value);

/** The worlds of a document by label, without the lab's own keys. */
function worlds(name: string): Record<string, Environment> {
  const entries = Object.entries(read(name).environments).map(([label, { rotate, delay, ...spec }]) => [label, createEnvironment(spec, 1)] as const);
  return Object.fromEntries(entries);
}

/** The mean of every arm in a round. */
const meansOf = (world: Environment, round: number) => Array.from({ length: world.arms }, (_, arm) => world.mean(round, arm));
const oneBest = (best: number, other: number, arms: number) => [best, ...new Array<number>(arms - 1).fill(other)];

describe("zimmert-seldin-2019", () => {
  test("has the paper's worlds, rivals and constants", () => {
    const { horizon, seeds, policies } = read("zimmert-seldin-2019");
    expect([horizon, seeds.length]).toEqual([1_000_000, 20]);
    expect(Object.values(policies)).toEqual([
      { policy: "tsallis-inf", estimator: "iw" },
      { policy: "tsallis-inf", estimator: "rv" },
      { policy: "exp3" },
      { policy: "exp3-plus-plus", beta: 256 },
      { policy: "ucb1", exploration: 0.75 },
      { policy: "ucb1" },
      { policy: "thompson-beta" },
    ]);
    const { stochastic, alternating } = worlds("zimmert-seldin-2019");
    expect(meansOf(stochastic!, 1)).toEqual(oneBest((1 - 1 / 8) / 2, (1 + 1 / 8) / 2, 8));
    // The first phase has one round, the second two.
    expect(meansOf(alternating!, 1)).toEqual(oneBest(7 / 8, 1, 8));
    expect(meansOf(alternating!, 3)).toEqual(oneBest(0, 1 / 8, 8));
  });

  test("rests each half of its claim on evidence about every policy that it names there", () => {
    const asked = read("zimmert-seldin-2019").evidence!.map((item) =>
      [item.environment, item.policy, "beats" in item ? item.beats : "grows"].join(" "),
    );
    expect(asked).toEqual(
      expect.arrayContaining([
        ...["tsallis-inf", "tsallis-inf rv"].flatMap((policy) => ["ucb1", "exp3"].map((rival) => `stochastic ${policy} ${rival}`)),
        ...["tsallis-inf", "tsallis-inf rv", "ucb1", "thompson"].map((policy) => `alternating ${policy} grows`),
      ]),
    );
  });
});

describe.each([
  ["lee-2020", 10],
  ["lee-lim-2022", 10],
])("%s", (name, arms) => {
  test.each(Object.entries(worlds(name)))("%s: losses of mean -1, and of the gap more", (label, world) => {
    const [, p, gap] = /^p (\S+) gap (\S+)/.exec(label)!.map(Number);
    expect(world.spec.alpha).toBe(p);
    const means = meansOf(world, 1);
    const expected = oneBest(-1, gap! - 1, / K (\d+)$/.test(label) ? Number(/ K (\d+)$/.exec(label)![1]) : arms);
    expect(means).toHaveLength(expected.length);
    for (const [arm, mean] of expected.entries()) expect(means[arm]).toBeCloseTo(mean, 10);
    expect(world.sigma()).toBeLessThan(20);
  });

  test("compares in every world", () => {
    const { evidence, environments } = read(name);
    expect(new Set(evidence!.map(({ environment }) => environment))).toEqual(new Set(Object.keys(environments)));
  });
});

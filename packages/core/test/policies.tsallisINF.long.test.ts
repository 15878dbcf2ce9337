import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, HTINF, stream, TsallisINF } from "../src/index.js";
import { KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";
import { play } from "./policies.js";

const coin = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (rng.uniform() < 0.4 + 0.05 * arm ? 1 : 0);
};

describe.each(KERNELS)("Tsallis-INF, $name kernel", ({ name: kernel }) => {
  test.each([
    ["iw", 2, 0],
    ["iw", 5, 30],
    ["iw", 60, 0],
    ["rv", 2, 0],
    ["rv", 5, 0],
    ["rv", 5, 30],
    ["rv", 60, 0],
  ] as const)("reference: %s, %i arms, feedback up to %i rounds late, agrees with the definition to 1e-9", (estimator, arms, lateness) => {
    const policy = new TsallisINF({ arms, kernel, estimator });
    const losses = new Array<number>(arms).fill(0);
    // In the scaling of the papers: argmin <x, L> - (4 / eta) sum (sqrt(x_i) - x_i / 2) is x_i = 4 (eta (L_i - nu))^-2, so h = 2 / eta.
    const eta = (round: number) => (estimator === "rv" ? 4 : 2) / Math.sqrt(round);
    const law = (round: number) => naiveMinimiser(losses, 2 / eta(round), 2);
    const [rng, delays, loss] = [stream(1, "arms", arms), stream(1, "delays", arms), coin(arms)];
    const due = new Map<number, Choice[]>();
    let halves = 0;
    for (let round = 1; round <= (arms === 60 ? 1200 : 700); round++) {
      const x = law(round);
      expect(worstError(policy.probabilities(), x)).toBeLessThan(1e-9);
      const choice = policy.choose(rng);
      expect(Math.abs(choice.probability! / x[choice.arm]! - 1)).toBeLessThan(1e-9);
      expect(choice.threshold).toBe(null);
      const when = round + Math.floor(lateness * delays.uniform());
      due.set(when, [...(due.get(when) ?? []), choice]);
      for (const told of due.get(round) ?? []) {
        const value = loss(told.round, told.arm);
        const now = estimator === "rv" ? law(round) : x;
        for (let j = 0; j < arms; j++) {
          const baseline = estimator === "rv" && now[j]! >= eta(round) ** 2 ? 0.5 : 0;
          if (baseline > 0) halves++;
          losses[j]! += (j === told.arm ? (value - baseline) / told.probability! : 0) + baseline;
        }
        policy.update(told, value);
      }
      due.delete(round);
    }
    if (estimator === "rv") expect(halves).toBeGreaterThan(100);
  });

  test("property: the importance-weighted estimator is HTINF at alpha = 2, sigma = 1 while nothing is skipped, bit for bit", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (arms, factors) => {
          const [one, other] = [new TsallisINF({ arms, kernel }), new HTINF({ arms, alpha: 2, sigma: 1, kernel })];
          const [rngA, rngB] = [stream(1), stream(1)];
          for (const factor of factors) {
            const [a, b] = [one.choose(rngA), other.choose(rngB)];
            expect({ ...a, policy: "", threshold: b.threshold }).toEqual({ ...b, policy: "" });
            one.update(a, factor * b.threshold!);
            other.update(b, factor * b.threshold!);
          }
          expect(one.snapshot().state).toEqual(other.snapshot().state);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("finds the better arm of a fair game", () => {
    for (const estimator of ["iw", "rv"] as const) {
      const arms = play(new TsallisINF({ arms: 5, kernel, estimator }), 5000, (round, arm) => (coin(round)(round, arm) + (arm > 0 ? 1 : 0)) / 2);
      expect(arms.slice(-1000).filter((arm) => arm === 0).length).toBeGreaterThan(800);
    }
  });
});

test("the estimator is iw unless the spec says otherwise", () => {
  expect(createPolicy({ policy: "tsallis-inf" }, 3).spec).toEqual({ policy: "tsallis-inf", estimator: "iw" });
  expect(() => createPolicy({ policy: "tsallis-inf", estimator: "median" }, 3)).toThrow(
    expect.objectContaining({ code: "ERR_PARAMETER", parameter: "estimator", message: expect.stringContaining("one of iw, rv") }),
  );
});

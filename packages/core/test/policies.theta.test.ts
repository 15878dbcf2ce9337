import { describe, expect, test } from "vitest";
import { createPolicy, HTINF, isSkipped, stream } from "../src/index.js";
import { theta } from "../src/policies/base/ftrl.js";
import { KERNELS } from "./kernels.js";
import { naiveMinimiser } from "./naiveFtrl.js";

describe("the theta of HTINF", () => {
  test("left out, it is the paper's, and the completed spec does not mention it", () => {
    const [left, given] = [new HTINF({ arms: 3, alpha: 1.5, sigma: 2 }), new HTINF({ arms: 3, alpha: 1.5, sigma: 2, theta: theta(1.5) })];
    expect(left.spec).toEqual({ policy: "htinf", alpha: 1.5, sigma: 2 });
    expect(given.spec).toEqual({ policy: "htinf", alpha: 1.5, sigma: 2, theta: theta(1.5) });
    expect(given.policyId).not.toBe(left.policyId);
    const [a, b] = [stream(1), stream(1)];
    for (let i = 0; i < 200; i++) {
      const [one, other] = [left.choose(a), given.choose(b)];
      expect({ ...one, policy: "" }).toEqual({ ...other, policy: "" });
      left.update(one, i % 3);
      given.update(other, i % 3);
    }
  });

  test.each([[0], [-0.5], [1.001], [Number.NaN], ["0.5"], [null]])("%s is refused", (value) => {
    expect(() => createPolicy({ policy: "htinf", alpha: 1.5, sigma: 1, theta: value }, 2)).toThrow(
      expect.objectContaining({ code: "ERR_PARAMETER", parameter: "theta", message: expect.stringMatching(/^theta must be in \(0, 1\], got /) }),
    );
  });

  // At theta = 1 a negative loss at its threshold carries the estimate down to nu itself: the gap is gone until the next solution.
  test.each(KERNELS)("reference: theta = 1, losses up to the very threshold, $name kernel, agrees with the definition to 1e-9", ({ name }) => {
    for (const alpha of [2, 1.5, 1.2]) {
      const policy = new HTINF({ arms: 4, alpha, sigma: 0.5, theta: 1, kernel: name });
      const losses = [0, 0, 0, 0];
      const rng = stream(7, "theta");
      for (let round = 1; round <= 300; round++) {
        const inverseRate = 0.5 * round ** (1 / alpha);
        const x = naiveMinimiser(losses, inverseRate, alpha / (alpha - 1));
        const choice = policy.choose(rng);
        const r = inverseRate * x[choice.arm]! ** (1 / alpha);
        expect(Math.abs(choice.probability! / x[choice.arm]! - 1)).toBeLessThan(1e-9);
        expect(Math.abs(choice.threshold! / r - 1)).toBeLessThan(1e-9);
        const loss = round % 5 === 0 ? -choice.threshold! : (rng.uniform() + 0.2 * choice.arm - 0.3) * 2 * choice.threshold!;
        if (!isSkipped(choice, loss)) losses[choice.arm]! += loss / choice.probability!;
        policy.update(choice, loss);
      }
    }
  });
});

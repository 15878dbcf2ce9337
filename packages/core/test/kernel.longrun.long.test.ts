import { expect, test } from "vitest";
import { soak } from "../../../test/soak.js";
import { type Choice, createPolicy, stream } from "../src/index.js";
import { createKernel, type KernelName } from "../src/kernel/createKernel.js";
import { Noise } from "../src/random/noise.js";
import { expectColdDense, learn } from "./kernels.js";
import { sum } from "./policies.js";

// Moments are changed by differences, and only many rounds show whether their rounding stays bounded.
const most = soak(1e6, 1e7);
test(`${most.toLocaleString("en")} rounds: at every power of ten the sum is 1 within 1e-10, and each probability within 1e-9 of a cold dense solve`, () => {
  const kernel = createKernel(1000, 2, "indexed");
  const rng = stream(51, "drift");
  let last = 0;
  for (let rounds = 10; rounds <= most; rounds *= 10) {
    const inverseRate = learn(kernel, 2, last + 1, rounds, rng);
    expectColdDense(kernel, 2, inverseRate);
    last = rounds;
  }
});

/** Pseudo-regret of HTINF on 64 arms whose means rise by 0.006; regret is counted in units of 0.02 per arm. */
function regret(kernel: KernelName, alpha: number, seed: number): number {
  const policy = createPolicy({ policy: "htinf", alpha, sigma: 1 }, 64, { kernel });
  const rng = stream(seed, "policy");
  const noise = new Noise(seed, "losses");
  const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0, threshold: null };
  let total = 0;
  for (let round = 1; round <= 5000; round++) {
    policy.choose(rng, choice);
    total += 0.02 * choice.arm;
    policy.update(choice, 0.006 * choice.arm + 0.2 * noise.at(round, choice.arm).uniform() - 0.1);
  }
  return total;
}

// Common uniforms: the same losses and the same seeds of the policy's stream. Paired differences over 100 seeds, two-sided Student t with 99
// degrees of freedom at 5 standard errors: false-alarm rate 2.5e-6 each. The power: a standard error is about 2.7 of a mean of 1590 to 1810,
// so a shift of 0.9 percent is seen; drawing a band's members uniformly, without rejection, shifts the mean by 27 to 29, or 10 standard errors
// (measured over 300 seeds), and playing at random would give 3150.
test.each([2, 1.5])("alpha %d: HTINF has the same mean regret on both kernels, with common uniforms", (alpha) => {
  const seeds = Array.from({ length: 100 }, (_, i) => i);
  const dense = seeds.map((seed) => regret("dense", alpha, seed));
  const differences = seeds.map((seed, i) => regret("indexed", alpha, seed) - dense[i]!);
  const mean = sum(differences) / seeds.length;
  const variance = sum(differences.map((d) => (d - mean) ** 2)) / (seeds.length - 1);
  expect(sum(dense) / seeds.length).toBeLessThan(2000); // it learns
  expect(Math.abs(mean)).toBeLessThan(5 * Math.sqrt(variance / seeds.length));
  expect(Math.sqrt(variance / seeds.length)).toBeLessThan(4); // and the test has its power
});

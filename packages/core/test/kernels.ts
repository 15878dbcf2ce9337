import { expect } from "vitest";
import { createKernel, type KernelName } from "../src/kernel/createKernel.js";
import type { Kernel } from "../src/kernel/kernel.js";
import { theta } from "../src/policies/base/ftrl.js";
import type { Rng } from "../src/random/rng.js";

/** Both kernels, and what each promises: |sum x - 1|, and the relative error of each probability. */
export const KERNELS: readonly { readonly name: KernelName; readonly sum: number; readonly relative: number }[] = [
  { name: "dense", sum: 1e-12, relative: 1e-11 },
  { name: "indexed", sum: 1e-10, relative: 1e-9 },
];

export const exponentOf = (alpha: number): number => alpha / (alpha - 1);

/** A kernel with these losses and no past. */
export function cold(name: KernelName, alpha: number, losses: readonly number[]): Kernel {
  const kernel = createKernel(losses.length, exponentOf(alpha), name);
  kernel.restore(losses, undefined);
  return kernel;
}

/** The kernel's own numbers, arm by arm: `probabilities` is a dense computation under both kernels. */
export function own(kernel: Kernel, inverseRate: number): Float64Array {
  kernel.solve(inverseRate);
  return Float64Array.from({ length: kernel.arms }, (_, arm) => kernel.probability(arm));
}

export const inverseRatios = (kernel: Kernel, inverseRate: number): Float64Array =>
  Float64Array.from({ length: kernel.arms }, (_, arm) => inverseRate / kernel.gap(arm));

/** Each probability above the floor within a relative error; one assertion for all of them, since there may be a million. */
export function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, relative: number, floor = 1e-300): void {
  let [worst, worstArm] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    const error =
      expected[i]! > floor ? Math.abs(actual[i]! / expected[i]! - 1) : actual[i]! <= 2 * floor && actual[i]! >= 0 ? 0 : Number.POSITIVE_INFINITY;
    if (!(error <= worst)) [worst, worstArm] = [error, i];
    if (Number.isNaN(error)) break;
  }
  expect(worst, `arm ${worstArm}: ${actual[worstArm]} against ${expected[worstArm]}`).toBeLessThan(relative);
}

/**
 * The standing solution of a kernel against a cold dense kernel on the same losses: probabilities, gaps (which decide the thresholds),
 * and the sum.
 */
export function expectColdDense(kernel: Kernel, alpha: number, inverseRate: number, promise = KERNELS[1]!): void {
  const dense = cold("dense", alpha, kernel.losses());
  const expected = own(dense, inverseRate);
  const actual = own(kernel, inverseRate);
  let total = 0;
  let largest = 0;
  for (const p of actual) {
    total += p;
    largest = Math.max(largest, p);
  }
  expect(largest).toBeLessThanOrEqual(1);
  expect(Math.abs(total - 1)).toBeLessThan(promise.sum);
  expectClose(actual, expected, promise.relative);
  expectClose(inverseRatios(kernel, inverseRate), inverseRatios(dense, inverseRate), promise.relative);
}

/**
 * Rounds `from` to `to` of HTINF with sigma = 1, on the kernel itself: losses of both signs around a mean that rises with the arm, skipped
 * beyond the threshold. Leaves the kernel solved for the next round; returns that round's h.
 */
export function learn(kernel: Kernel, alpha: number, from: number, to: number, rng: Rng): number {
  const bound = theta(alpha);
  for (let t = from; ; t++) {
    const inverseRate = alpha === 2 ? Math.sqrt(t) : t ** (1 / alpha);
    kernel.solve(inverseRate);
    if (t > to) return inverseRate;
    const arm = kernel.sample(rng.uniform(), rng);
    const step = (2 * rng.uniform() - 1 + (0.3 * arm) / kernel.arms) / kernel.probability(arm);
    const gap = kernel.gap(arm);
    kernel.commit();
    if (Math.abs(step) <= bound * gap) kernel.add(arm, step);
  }
}

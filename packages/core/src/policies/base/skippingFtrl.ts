import type { KernelName } from "../../kernel/createKernel.js";
import type { Kernel } from "../../kernel/kernel.js";
import { Ftrl } from "./ftrl.js";
import type { PolicySpec } from "./policy.js";

/**
 * The base of the paper's four algorithms: the 1/alpha-Tsallis entropy, so q = alpha / (alpha - 1), and the action-dependent skipping threshold
 * r = Theta * h * x_i^(1/alpha). Since x_i^(1/alpha) = x_i * g_i / h for the kernel's gap g_i, the threshold is Theta * x_i * g_i: no power is needed.
 */
export abstract class SkippingFtrl extends Ftrl {
  readonly skips = true;
  readonly #theta: number;

  protected constructor(spec: PolicySpec, arms: number, kernel: KernelName | undefined, alpha: number, theta: number) {
    super(spec, arms, kernel, alpha / (alpha - 1));
    this.#theta = theta;
  }

  protected override threshold(arm: number, probability: number, kernel: Kernel): number {
    return this.#theta * probability * kernel.gap(arm);
  }
}

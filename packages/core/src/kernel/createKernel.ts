import { DenseKernel } from "./denseKernel.js";
import { IndexedKernel } from "./indexedKernel.js";
import type { Kernel } from "./kernel.js";
import { snapExponent } from "./power.js";

/** What finds the probabilities: dense looks at every arm, indexed at a few bands of them. */
export type KernelName = "dense" | "indexed";

/**
 * The number of arms from which the indexed kernel is faster, as `npm run bench` shows; the dense one loses sooner where it takes logarithms.
 * These are constants, so that results do not depend on the machine.
 */
const CROSSOVER = { integer: 48, other: 12 };
/** For larger exponents q the bands become so thin that there are nearly as many bands as arms. */
const LARGEST_EXPONENT = 64;

/** Creates the kernel of the given name; by default the one that suits the number of arms, for a policy that moves one arm in a round or, by `crossover`, another. */
export function createKernel(arms: number, exponent: number, name?: KernelName, crossover = crossoverOf(exponent)): Kernel {
  const chosen = name ?? (arms >= crossover ? "indexed" : "dense");
  return chosen === "dense" ? new DenseKernel(arms, exponent) : new IndexedKernel(arms, exponent);
}

function crossoverOf(exponent: number): number {
  if (exponent > LARGEST_EXPONENT) return Number.POSITIVE_INFINITY;
  return Number.isInteger(snapExponent(exponent)) ? CROSSOVER.integer : CROSSOVER.other;
}

import { DenseKernel } from "./denseKernel.js";
import { IndexedKernel } from "./indexedKernel.js";
import type { Kernel } from "./kernel.js";
import { snapExponent } from "./power.js";

export type KernelName = "dense" | "indexed";

/** From this number of arms on the indexed kernel is faster, as `tsallis bench` shows: sooner where the dense one takes logarithms. Constants, so that results do not depend on the machine. */
const CROSSOVER = { integer: 48, other: 12 };
/** For larger exponents q the bands become so thin that there are nearly as many as arms. */
const LARGEST_EXPONENT = 64;

/** The kernel that suits the number of arms, or the one that is asked for. */
export function createKernel(arms: number, exponent: number, name?: KernelName): Kernel {
  const chosen = name ?? (arms >= crossover(exponent) ? "indexed" : "dense");
  return chosen === "dense" ? new DenseKernel(arms, exponent) : new IndexedKernel(arms, exponent);
}

function crossover(exponent: number): number {
  if (exponent > LARGEST_EXPONENT) return Number.POSITIVE_INFINITY;
  return Number.isInteger(snapExponent(exponent)) ? CROSSOVER.integer : CROSSOVER.other;
}

import type { ComparedCell } from "./compare.js";

/** With fewer seeds than this, `fewSeeds` says already that nothing can be clear. */
const FEWEST = 6;

/** A warning if the cells that are tested have too few seeds for any of them to count as changed after Holm's correction; null if one of them could. */
export function tooFewSeedsWarning(tested: readonly Pick<ComparedCell, "paired" | "seeds">[]): string | null {
  const smallest = Math.min(...tested.map(smallestP));
  const corrected = tested.length * smallest;
  const seeds = Math.max(...tested.flatMap((cell) => cell.seeds));
  if (tested.length === 0 || corrected < 0.05 || seeds < FEWEST) return null;
  // A factor of two below 0.05, because the p of flipped signs is an estimate.
  const enough = Math.ceil(1 + Math.log2(tested.length / 0.025));
  return `With ${seeds} seeds no p is below ${smallest.toPrecision(2)}, nor below ${corrected.toPrecision(2)} after the correction for ${tested.length} cells that differ, so no change can be beyond noise: use at least ${enough} seeds.`;
}

/** The share of arrangements that are as extreme as the most extreme one: of n signs, both alike; of two samples, this one, and its mirror image if they are equally large. */
function smallestP({ paired, seeds: [first, second] }: Pick<ComparedCell, "paired" | "seeds">): number {
  if (paired) return 2 ** (1 - first);
  let deals = 1;
  for (let i = 1; i <= second; i++) deals *= (first + i) / i;
  return (first === second ? 2 : 1) / deals;
}

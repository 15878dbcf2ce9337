import type { Environment } from "tsallis";
import { ensure, isNear } from "./ensure.js";

/** Checks in the first rounds that regret has a meaning: sums of means are those of the means, and means are those of the distributions, if there are any. */
export function checkMeans(environment: Environment, rounds: number): void {
  const { arms } = environment;
  const hasDistributions = answers(() => environment.distribution(1, 0));
  const sums = new Float64Array(arms);
  for (let round = 1; round <= rounds; round++) {
    for (let arm = 0; arm < arms; arm++) {
      const cell = `(${round}, ${arm})`;
      const mean = environment.mean(round, arm);
      sums[arm]! += mean;
      const sum = environment.meanSum(round, arm);
      ensure(isNear(sum, sums[arm]!, round * Math.abs(mean)), `meanSum${cell} must be ${sums[arm]}, the sum of the means so far, got ${sum}`);
      if (!hasDistributions) continue;
      const ofDistribution = environment.distribution(round, arm).mean;
      ensure(isNear(ofDistribution, mean, mean), `mean${cell} is ${mean}, but that of distribution${cell} is ${ofDistribution}`);
    }
  }
}

function answers(ask: () => unknown): boolean {
  try {
    ask();
    return true;
  } catch {
    return false;
  }
}

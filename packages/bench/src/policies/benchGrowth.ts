import { Progress } from "../progress.js";
import type { BenchResult } from "./benchPolicies.js";
import { benchName, benchSpecs } from "./benchSpecs.js";
import type { GrowthTask } from "./growthTimer.js";
import { growths } from "./measurement.js";

/** How much work is timed. */
export interface GrowthSize {
  readonly growth: { readonly arms: number; readonly ages: readonly number[] };
}

/** Times every registered policy as it grows old. This shows a policy that goes through its whole past in a round. */
export async function benchGrowth({ growth: { arms, ages } }: GrowthSize, signal: AbortSignal): Promise<BenchResult[]> {
  const tasks = benchSpecs(ages[ages.length - 1]!).map((spec): GrowthTask => ({ kind: "growth", spec, arms, ages }));
  const progress = new Progress("policies growing old", tasks.length);
  const found = await growths(tasks, signal, () => progress.step()).finally(() => progress.stop());
  return tasks.flatMap(({ spec }, i) =>
    ages.map((age, j) => ({
      policy: benchName(spec),
      kernel: found[i]!.kernel,
      arms,
      alpha: (spec.alpha as number | undefined) ?? null,
      rounds: age - Math.floor(age / 2),
      nsPerRound: Number(found[i]!.times[j]!.toFixed(1)),
      bytesPerArm: null,
      age,
    })),
  );
}

// `value` with a small probability, else 0: the distributions of the lower bounds for heavy tails (Bubeck, Cesa-Bianchi and Lugosi, "Bandits with heavy tail", 2013).
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteDistribution } from "./discreteDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { VALUE_RANGE } from "./ranges.js";

export const TWO_POINT = {
  value: { ...VALUE_RANGE, description: "the value other than 0" },
  probability: { type: "number", atLeast: 0, atMost: 1, description: "the probability of that value" },
} as const satisfies Parameters;

/**
 * A value with some probability, else 0: the distributions of the lower bounds for heavy tails.
 *
 * @example
 * ```ts
 * import { twoPoint } from "tsallis";
 *
 * const distribution = twoPoint({ value: 100, probability: 0.01 });
 * console.log(distribution.mean, distribution.absoluteMoment(1.5)); // 1 10
 * ```
 */
export function twoPoint(options: Completed<typeof TWO_POINT>, path = ""): DetailedDistribution {
  const { value, probability } = completeOptions(TWO_POINT, options, path);
  const spec = { distribution: "two-point", value, probability };
  return discreteDistribution(spec, value, probability, (rng) => (rng.uniform() < probability ? value : 0));
}

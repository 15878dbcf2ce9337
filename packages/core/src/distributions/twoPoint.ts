// `value` with a small probability, else 0: the laws of the lower bounds for heavy tails (Bubeck, Cesa-Bianchi and Lugosi, "Bandits with heavy tail", 2013).
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { discreteLaw } from "./discreteLaw.js";
import type { Law } from "./law.js";
import { VALUE_RANGE } from "./ranges.js";

export const TWO_POINT = {
  value: { ...VALUE_RANGE, description: "the value other than 0" },
  probability: { type: "number", atLeast: 0, atMost: 1, description: "the probability of that value" },
} as const satisfies Parameters;

/**
 * A value with some probability, else 0: the laws of the lower bounds for heavy tails.
 *
 * @example
 * ```ts
 * import { twoPoint } from "tsallis";
 *
 * const law = twoPoint({ value: 100, probability: 0.01 });
 * console.log(law.mean, law.absoluteMoment(1.5)); // 1 10
 * ```
 */
export function twoPoint(options: Completed<typeof TWO_POINT>, path = ""): Law {
  const { value, probability } = completeOptions(TWO_POINT, options, path);
  const spec = { distribution: "two-point", value, probability };
  return discreteLaw(spec, value, probability, (rng) => (rng.uniform() < probability ? value : 0));
}

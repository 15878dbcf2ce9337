import { show, TsallisError } from "../errors.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";

export const MIXTURE = {
  weights: { type: "numbers", minimum: 1, above: 0, atMost: 1, description: "the probability of each distribution; they sum to 1 within 1e-9" },
  of: { type: "distributions", minimum: 1, description: "the distributions, one for each weight" },
} as const satisfies Parameters;

/**
 * One of several distributions, chosen at random. The weights are divided by their sum, which rounding may leave slightly off 1.
 *
 * @example
 * ```ts
 * import { constant, mixture, pareto } from "tsallis";
 *
 * const distribution = mixture({ weights: [0.9, 0.1], of: [constant({ value: 1 }), pareto({ shape: 1.5, scale: 1 })] });
 * console.log(distribution.mean.toFixed(1), distribution.variance); // 1.2 Infinity
 * ```
 */
export function mixture(options: Completed<typeof MIXTURE>, path = ""): DetailedDistribution {
  const completed = completeOptions(MIXTURE, options, path);
  const parts = completed.of;
  const sum = checkWeights(completed.weights, parts, path);
  const weights = completed.weights.map((weight) => weight / sum);
  const total = (term: (part: DetailedDistribution) => number) => parts.reduce((value, part, i) => value + weights[i]! * term(part), 0);
  const mean = total((part) => part.mean);

  return completeDistribution({
    spec: { distribution: "mixture", weights: completed.weights, of: Object.freeze(parts.map((part) => part.spec)) },
    mean,
    variance: parts.some((part) => part.variance === Infinity) ? Infinity : total((part) => part.variance + (part.mean - mean) * (part.mean - mean)),
    low: Math.min(...parts.map((part) => part.low)),
    high: Math.max(...parts.map((part) => part.high)),
    leftIndex: Math.min(...parts.map((part) => part.leftIndex)),
    rightIndex: Math.min(...parts.map((part) => part.rightIndex)),
    atoms: Object.freeze([...new Set(parts.flatMap((part) => part.atoms))]),
    closedPartialMean: parts.every((part) => part.closedPartialMean),
    absoluteMoment: (order) => total((part) => part.absoluteMoment(order)),
    momentAbout: (centre, order) => total((part) => part.momentAbout(centre, order)),
    partialMean: (low, high) => total((part) => part.partialMean(low, high)),
    cdf: (x) =>
      Math.min(
        1,
        total((part) => part.cdf(x)),
      ),
    survival: (x) =>
      Math.min(
        1,
        total((part) => part.survival(x)),
      ),
    sample(rng) {
      let left = rng.uniform();
      let i = 0;
      while (i < weights.length - 1 && left >= weights[i]!) left -= weights[i++]!;
      return parts[i]!.sample(rng);
    },
    verdict: (sign, shift) =>
      parts.every((part) => part.truncatedNonNegativity(sign, shift).holds === true)
        ? { holds: true, reason: "every part has the property, and E[X 1{|X| > M}] is the mean of theirs" }
        : {
            holds: undefined,
            reason: "not every part is known to have the property, and the weights may or may not make up for that",
          },
  });
}

function checkWeights(weights: readonly number[], parts: readonly DetailedDistribution[], path: string): number {
  if (weights.length !== parts.length) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}weights`,
      weights,
      `${path}weights must have as many entries as ${path}of, ${parts.length}, got ${weights.length}`,
    );
  }
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(Math.abs(sum - 1) <= 1e-9)) {
    throw new TsallisError("ERR_PARAMETER", `${path}weights`, weights, `${path}weights must sum to 1 within 1e-9, got the sum ${show(sum)}`);
  }
  const means = parts.map((part) => part.mean);
  if (means.includes(Infinity) && means.includes(-Infinity)) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}of`,
      parts.map((part) => part.spec),
      `${path}of must not have means Infinity and -Infinity at once: the mixture has no mean`,
    );
  }
  return sum;
}

import { show, TsallisError } from "../errors.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeLaw } from "./completeLaw.js";
import type { Law } from "./law.js";

export const MIXTURE = {
  weights: { type: "numbers", minimum: 1, above: 0, atMost: 1, description: "the probability of each law; they sum to 1 within 1e-9" },
  of: { type: "distributions", minimum: 1, description: "the laws, one for each weight" },
} as const satisfies Parameters;

/**
 * One of several laws, chosen at random. The weights are divided by their sum, which rounding may leave slightly off 1.
 *
 * @example
 * ```ts
 * import { constant, mixture, pareto } from "tsallis";
 *
 * const law = mixture({ weights: [0.9, 0.1], of: [constant({ value: 1 }), pareto({ shape: 1.5, scale: 1 })] });
 * console.log(law.mean.toFixed(1), law.variance); // 1.2 Infinity
 * ```
 */
export function mixture(options: Completed<typeof MIXTURE>, path = ""): Law {
  const completed = completeOptions(MIXTURE, options, path);
  const laws = completed.of;
  const sum = checkWeights(completed.weights, laws, path);
  const weights = completed.weights.map((weight) => weight / sum);
  const total = (term: (law: Law) => number) => laws.reduce((value, law, i) => value + weights[i]! * term(law), 0);
  const mean = total((law) => law.mean);

  return completeLaw({
    spec: { distribution: "mixture", weights: completed.weights, of: Object.freeze(laws.map((law) => law.spec)) },
    mean,
    variance: laws.some((law) => law.variance === Infinity) ? Infinity : total((law) => law.variance + (law.mean - mean) * (law.mean - mean)),
    low: Math.min(...laws.map((law) => law.low)),
    high: Math.max(...laws.map((law) => law.high)),
    leftIndex: Math.min(...laws.map((law) => law.leftIndex)),
    rightIndex: Math.min(...laws.map((law) => law.rightIndex)),
    atoms: Object.freeze([...new Set(laws.flatMap((law) => law.atoms))]),
    closedPartialMean: laws.every((law) => law.closedPartialMean),
    absoluteMoment: (order) => total((law) => law.absoluteMoment(order)),
    momentAbout: (centre, order) => total((law) => law.momentAbout(centre, order)),
    partialMean: (low, high) => total((law) => law.partialMean(low, high)),
    cdf: (x) =>
      Math.min(
        1,
        total((law) => law.cdf(x)),
      ),
    survival: (x) =>
      Math.min(
        1,
        total((law) => law.survival(x)),
      ),
    sample(rng) {
      let left = rng.uniform();
      let i = 0;
      while (i < weights.length - 1 && left >= weights[i]!) left -= weights[i++]!;
      return laws[i]!.sample(rng);
    },
    verdict: (sign, shift) =>
      laws.every((law) => law.truncatedNonNegativity(sign, shift).holds === true)
        ? { holds: true, reason: "every law of the mixture has the property, and E[X 1{|X| > M}] is the mean of theirs" }
        : { holds: undefined, reason: "not every law of the mixture is known to have the property, and the weights may or may not make up for that" },
  });
}

function checkWeights(weights: readonly number[], laws: readonly Law[], path: string): number {
  if (weights.length !== laws.length) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}weights`,
      weights,
      `${path}weights must have as many entries as ${path}of, ${laws.length}, got ${weights.length}`,
    );
  }
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(Math.abs(sum - 1) <= 1e-9)) {
    throw new TsallisError("ERR_PARAMETER", `${path}weights`, weights, `${path}weights must sum to 1 within 1e-9, got the sum ${show(sum)}`);
  }
  const means = laws.map((law) => law.mean);
  if (means.includes(Infinity) && means.includes(-Infinity)) {
    throw new TsallisError(
      "ERR_PARAMETER",
      `${path}of`,
      laws.map((law) => law.spec),
      `${path}of must not have means Infinity and -Infinity at once: the mixture has no mean`,
    );
  }
  return sum;
}

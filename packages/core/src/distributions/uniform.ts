import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeLaw } from "./completeLaw.js";
import type { Law } from "./law.js";
import { symmetricVerdict } from "./truncatedNonNegativity.js";

// Within 1e300, the largest size of a loss, so that high - low is finite.
export const UNIFORM = {
  low: { type: "number", atLeast: -1e300, atMost: 1e300, description: "the smallest value" },
  high: { type: "number", atLeast: -1e300, atMost: 1e300, description: "the largest value, above low" },
} as const satisfies Parameters;

export function uniform(options: Completed<typeof UNIFORM>, path = ""): Law {
  const { low, high } = completeOptions(UNIFORM, options, path);
  if (!(low < high)) {
    throw new TsallisError("ERR_PARAMETER", `${path}high`, high, `${path}high must be above low, ${show(low)}, got ${show(high)}`);
  }
  const width = high - low;
  const momentAbout = (centre: number, order: number) => {
    const signedPower = (x: number) => Math.sign(x) * pow(Math.abs(x), order + 1);
    return (signedPower(high - centre) - signedPower(low - centre)) / ((order + 1) * width);
  };
  return completeLaw({
    spec: { distribution: "uniform", low, high },
    mean: 0.5 * (low + high),
    variance: (width * width) / 12,
    low,
    high,
    absoluteMoment: (order) => momentAbout(0, order),
    momentAbout,
    partialMean(from, to) {
      const a = Math.max(from, low);
      const b = Math.min(to, high);
      return a < b ? ((b - a) / width) * (0.5 * (a + b)) : 0;
    },
    cdf: (x) => Math.min(1, Math.max(0, (x - low) / width)),
    survival: (x) => Math.min(1, Math.max(0, (high - x) / width)),
    quantile: (p) => (p <= 0.5 ? low + p * width : high - (1 - p) * width),
    sample: (rng) => low + rng.uniform() * width,
    verdict: symmetricVerdict,
  });
}

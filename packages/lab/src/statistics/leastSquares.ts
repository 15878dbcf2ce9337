import { mean } from "./mean.js";

/** A straight line through points. */
export interface Line {
  readonly slope: number;
  readonly intercept: number;
}

/** (x_i - mean x) / sum (x_j - mean x)^2: the slope of the least squares line is the sum of these weights times y_i. Null if all x are equal. */
export function slopeWeights(x: readonly number[]): readonly number[] | null {
  const centre = mean(x);
  const distances = x.map((value) => value - centre);
  const spread = distances.reduce((sum, distance) => sum + distance * distance, 0);
  return spread > 0 ? distances.map((distance) => distance / spread) : null;
}

/** The line with the least sum of weighted squared vertical distances; null if all x are equal. */
export function leastSquares(x: readonly number[], y: readonly number[], weights: readonly number[] = x.map(() => 1)): Line | null {
  let total = 0;
  let sumX = 0;
  let sumY = 0;
  for (const [i, weight] of weights.entries()) {
    total += weight;
    sumX += weight * x[i]!;
    sumY += weight * y[i]!;
  }
  const centreX = sumX / total;
  const centreY = sumY / total;
  let products = 0;
  let squares = 0;
  for (const [i, weight] of weights.entries()) {
    products += weight * (x[i]! - centreX) * (y[i]! - centreY);
    squares += weight * (x[i]! - centreX) * (x[i]! - centreX);
  }
  if (!(squares > 0)) return null;
  const slope = products / squares;
  return { slope, intercept: centreY - slope * centreX };
}

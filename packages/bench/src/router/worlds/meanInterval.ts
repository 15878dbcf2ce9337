import { shownNumber } from "./shownNumber.js";

/** A mean over seeds with its 95 % interval. */
export interface MeanInterval {
  readonly mean: number;
  /** Half the length of the interval: 1.96 standard errors, by the normal approximation. */
  readonly margin: number;
}

export function meanInterval(values: readonly number[]): MeanInterval {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, margin: values.length === 1 ? 0 : 1.96 * Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** The mean and the margin of its interval. */
export function shownMean({ mean, margin }: MeanInterval, digits: number): string {
  return `${shownNumber(mean, digits)} ±${shownNumber(margin, digits)}`;
}

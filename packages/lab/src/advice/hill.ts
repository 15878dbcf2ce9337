import type { Estimate } from "../statistics/interval.js";
import type { Excesses } from "./excesses.js";

/**
 * Hill's estimate of the tail index ("A simple general approach to inference about the tail of a distribution", Annals of Statistics 3, 1975): the
 * inverse of the mean excess. Beyond the threshold of a Pareto law, 2 k index / estimate is chi-square with 2 k degrees of freedom. The interval uses
 * its quantiles by Wilson and Hilferty (PNAS 17, 1931). The estimate is Infinity if the k largest values are all equal.
 */
export function hill({ k, first }: Excesses, z: number): Estimate {
  if (!(first > 0)) return { estimate: Infinity, low: Infinity, high: Infinity };
  const estimate = k / first;
  return { estimate, low: estimate * chiSquareRatio(k, -z), high: estimate * chiSquareRatio(k, z) };
}

/** A quantile of chi-square with 2 k degrees of freedom, divided by 2 k. */
function chiSquareRatio(k: number, z: number): number {
  const root = Math.max(0, 1 - 1 / (9 * k) + z / (3 * Math.sqrt(k)));
  return root * root * root;
}

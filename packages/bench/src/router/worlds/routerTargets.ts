import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import type { RouterResult } from "./routerResults.js";

/** The shares that the router had before its model was rewritten; it may lose LEEWAY of each. */
const BEFORE: Readonly<Record<string, number>> = { a: 0.906, b: 0.934, c: 0.792, d: 0.936, e: 0.876, f: 0.841, g: 0.835, h: 0.883 };
const LEEWAY = 0.03;

/** The targets for the shares, and the measured shares. */
export function routerTargets(results: readonly RouterResult[]): Ratio[] {
  return results
    .filter(({ rule }) => rule === OURS)
    .map(({ scenario, share }) => ({
      name: `share of ours in (${scenario})`,
      asked: `at least ${(BEFORE[scenario]! - LEEWAY).toFixed(3)}`,
      measured: share.mean,
    }));
}

import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireMeans } from "./requireMeans.js";

export const CORRUPTED = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 2, description: "the distribution of each arm's losses in the rounds without corruption" },
  budget: { type: "integer", atLeast: 0, description: "the number of corrupted rounds" },
  start: { type: "integer", atLeast: 1, default: 1, description: "the first corrupted round" },
} as const satisfies Parameters;

/** A stochastic world in which the best and the second-best arm change places for `budget` rounds, from `start` on. */
export function corrupted(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(CORRUPTED, options, path);
  const { arms, budget, start } = completed;
  requireMeans(arms, `${path}arms`);
  const [best, second] = arms.map((_, arm) => arm).sort((a, b) => arms[a]!.mean - arms[b]!.mean) as [number, number];
  const swapped = arms.map((distribution, arm) => (arm === best ? arms[second]! : arm === second ? arms[best]! : distribution));
  const lists = budget > 0 ? [arms, swapped] : [arms];
  return phased("corrupted", completed, seed, lists, (round) => (round >= start && round - start < budget ? 1 : 0));
}

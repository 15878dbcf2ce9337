import { elementary, type Policy } from "tsallis";

/** What the proof needs to know about one of the paper's policies, computed from its spec alone. */
export interface LearningRates {
  /** The alpha of its regulariser and of its threshold. */
  readonly alpha: number;
  /** Theta of its threshold. */
  readonly theta: number;
  /** Whether its learning rate carries the factor 1 / lambda = 2^-epoch. */
  readonly doubles: boolean;
  /** Whether a new instance, with no past, begins in the round. */
  restarts(round: number): boolean;
  /** The round on the clock of the instance that plays it. */
  clock(round: number): number;
  /** eta^-1 at a time of that clock, for lambda = 1. */
  inverseRate(clock: number): number;
  /** Q, the budget for the costs of an epoch at lambda = 1, in the instance that plays the round; null for policies that do not double. */
  budget(round: number): number | null;
}

/** The policies whose regret the paper decomposes. */
export const ANATOMY_POLICIES: readonly string[] = ["htinf", "opttinf", "adatinf", "ada2tinf"];

/**
 * Algorithms 1 to 4 of Huang, Dai and Huang (ICML 2022): eta_t^-1 is sigma t^(1/alpha), sqrt(t), lambda_t sqrt(t), and lambda_t sqrt(t) on the clock
 * of an instance; Ada2TINF's instance m begins in round 2^m - m. Theta is 1 - 2^(-(alpha-1)/(2 alpha-1)). These are computed independently of the
 * policy, so that a policy that departs from its algorithm is detected. Undefined for other policies.
 */
export function learningRates({ spec, arms }: Policy): LearningRates | undefined {
  // The proof covers only the paper's Theta, and the super-epochs that it means, not those that are printed.
  if (spec.theta !== undefined || spec.variant !== undefined) return undefined;
  const alpha = spec.policy === "htinf" ? (spec.alpha as number) : 2;
  const common = {
    alpha,
    theta: -elementary.expm1((-Math.LN2 * (alpha - 1)) / (2 * alpha - 1)),
    doubles: false,
    restarts: (round: number) => round === 1,
    clock: (round: number) => round,
    inverseRate: Math.sqrt,
    budget: (_round: number): number | null => null,
  };
  switch (spec.policy) {
    case "htinf":
      return { ...common, inverseRate: (clock) => (spec.sigma as number) * elementary.pow(clock, 1 / alpha) };
    case "opttinf":
      return common;
    case "adatinf":
      return { ...common, doubles: true, budget: () => Math.sqrt(arms * ((spec.horizon as number) + 1)) };
    case "ada2tinf":
      return {
        ...common,
        doubles: true,
        restarts: (round) => firstRound(instance(round)) === round,
        clock: (round) => round - firstRound(instance(round)) + 1,
        budget: (round) => Math.sqrt(arms * elementary.pow(2, instance(round))),
      };
    default:
      return undefined;
  }
}

function firstRound(instance: number): number {
  return elementary.pow(2, instance) - instance;
}

function instance(round: number): number {
  let m = 1;
  while (firstRound(m + 1) <= round) m++;
  return m;
}

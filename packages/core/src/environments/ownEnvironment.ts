import type { Distribution } from "../distributions/distribution.js";
import { show, TsallisError } from "../errors.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { refusal, requireMember } from "../registry.js";
import { ALPHA, requireAlpha } from "./alpha.js";
import type { Environment, Regime } from "./environment.js";
import { environmentNoise } from "./environmentNoise.js";
import { environmentSpec } from "./environmentSpec.js";
import { gapsOf } from "./gapsOf.js";
import { requireCell } from "./requireCell.js";

/**
 * What `create` of an environment of your own returns: the number of arms, and either the distribution of each cell or its loss and its mean. Everything else has a
 * default.
 */
export interface OwnEnvironment extends Partial<Omit<Environment, "spec" | "arms">> {
  readonly arms: number;
  /** The loss of the arm in that round; drawn from `distribution` if it is left out. */
  loss?(round: number, arm: number): number;
  /** The true mean of the arm's loss in that round; that of `distribution` if it is left out. */
  mean?(round: number, arm: number): number;
  /** The sum of the arm's means over rounds 1 to `round`; summed up if it is left out. */
  meanSum?(round: number, arm: number): number;
  /** The arm's mean minus the smallest mean of that round; computed from `mean` if it is left out. */
  gap?(round: number, arm: number): number;
  /** The distribution that the loss of (round, arm) is drawn from; not known if it is left out. */
  distribution?(round: number, arm: number): Distribution;
  /** The sigma promised for a moment order; nothing is promised if it is left out. */
  sigma?(alpha?: number): number;
}

const REGIMES: readonly Regime[] = ["stochastic", "stochastically-constrained", "adversarial"];
const METHODS = ["distribution", "loss", "mean", "meanSum", "gap", "sigma"] as const;

/** Checks what a user's environment has, once, and completes it. Its methods are called on the object itself, which may be an instance of a class. */
export function ownEnvironment(name: string, options: Readonly<Record<string, unknown>>, seed: number, own: OwnEnvironment): Environment {
  const of = `the environment ${name}`;
  requireMember(of, "create()", own, typeof own === "object" && own !== null, "a function that returns an object");
  const { arms, regime = "adversarial" } = own;
  const alpha = own.alpha ?? options.alpha;
  requireMember(of, "arms", arms, Number.isSafeInteger(arms) && arms >= 1, "an integer of at least 1");
  requireMember(
    of,
    "alpha",
    alpha,
    typeof alpha === "number" && alpha > 1 && alpha <= 2,
    `in (1, 2], a member or a parameter (${ALPHA.description})`,
  );
  requireMember(of, "regime", regime, REGIMES.includes(regime), `one of ${REGIMES.join(", ")}`);
  for (const method of METHODS) requireMember(of, method, own[method], ["function", "undefined"].includes(typeof own[method]), "a function");
  if (own.distribution === undefined) {
    const wanted = "a function of round (from 1) and arm (from 0) that returns";
    requireMember(of, "loss", own.loss, own.loss !== undefined, `${wanted} the loss; or give distribution(round, arm), from which losses are drawn`);
    requireMember(of, "mean", own.mean, own.mean !== undefined, `${wanted} the true mean of the loss, with which regret is computed`);
  }
  const noise = environmentNoise(name, seed);
  // Messages are made on failure only: these are asked in every round.
  const distribution = (round: number, arm: number) => {
    requireCell(arms, round, arm);
    const drawn = own.distribution?.(round, arm);
    if (typeof drawn?.sample === "function") return drawn;
    const wanted = "a distribution, such as pareto({ shape, scale }) makes";
    requireMember(
      of,
      "distribution",
      own.distribution,
      own.distribution !== undefined,
      `a function of round and arm that returns ${wanted}, where distributions are needed (anatomy)`,
    );
    throw refusal(of, `distribution(${round}, ${arm})`, drawn, wanted);
  };
  const loss = (round: number, arm: number) => {
    requireCell(arms, round, arm);
    const value = own.loss === undefined ? distribution(round, arm).sample(noise.at(round, arm)) : own.loss(round, arm);
    if (Math.abs(value) <= LARGEST_LOSS && typeof value === "number") return value;
    throw new TsallisError(
      "ERR_LOSS",
      "loss",
      value,
      `loss(${round}, ${arm}) of ${of} must be a number of size at most ${LARGEST_LOSS}, got ${show(value)}`,
    );
  };
  const mean = (round: number, arm: number) => {
    requireCell(arms, round, arm);
    const value = own.mean === undefined ? distribution(round, arm).mean : own.mean(round, arm);
    if (Number.isFinite(value)) return value;
    throw refusal(of, `mean(${round}, ${arm})`, value, "a finite number");
  };
  const gapsIn = (round: number) => gapsOf(Array.from({ length: arms }, (_, arm) => mean(round, arm)));
  const gaps = own.gaps ?? (regime === "stochastic" ? gapsIn(1) : undefined);
  if (gaps !== undefined) {
    const isGood = Array.isArray(gaps) && gaps.length === arms && gaps.every((gap) => Number.isFinite(gap) && gap >= 0) && gaps.includes(0);
    requireMember(of, "gaps", gaps, isGood, `a list of ${arms} finite numbers of at least 0, with 0 for the best arm, or undefined`);
  }
  requirePure(of, arms, loss);
  for (const arm of [0, arms - 1]) mean(1, arm);

  return Object.freeze({
    spec: environmentSpec(name, options),
    arms,
    alpha: alpha as number,
    regime,
    loss,
    mean,
    meanSum: own.meanSum === undefined ? summed(arms, mean) : (round: number, arm: number) => own.meanSum!(round, arm),
    gap(round: number, arm: number) {
      requireCell(arms, round, arm);
      return own.gap === undefined ? gapsIn(round)[arm]! : own.gap(round, arm);
    },
    gaps,
    distribution,
    sigma(order = alpha as number) {
      requireAlpha(order);
      return own.sigma === undefined ? Number.POSITIVE_INFINITY : own.sigma(order);
    },
    assumptions: Object.freeze({
      heavyTailed: { holds: undefined, reason: "the environment does not say" },
      truncatedNonNegative: { holds: undefined, reason: "the environment does not say" },
      uniqueBestArm: uniqueBestArm(gaps),
      ...own.assumptions,
    }),
  });
}

/** Every policy must face the same table, in whatever order it asks. */
function requirePure(of: string, arms: number, loss: Environment["loss"]): void {
  const first = loss(1, 0);
  loss(1, arms - 1);
  const again = loss(1, 0);
  const wanted = "the same number whenever it is asked: a function of seed, round and arm alone, without Math.random and without counting";
  requireMember(of, "loss(1, 0)", [first, again], first === again, wanted);
}

/** The sums of means over rounds 1 to a round. The cache holds those of the last round asked for; no answer depends on it. */
function summed(arms: number, mean: Environment["mean"]): Environment["meanSum"] {
  let counted = 0;
  const sums = new Float64Array(arms);
  return (round, arm) => {
    requireCell(arms, round, arm);
    if (round < counted) {
      counted = 0;
      sums.fill(0);
    }
    for (; counted < round; counted++) for (let i = 0; i < arms; i++) sums[i]! += mean(counted + 1, i);
    return sums[arm]!;
  };
}

function uniqueBestArm(gaps: readonly number[] | undefined) {
  if (gaps === undefined) return { holds: undefined, reason: "the environment does not say: it has no gaps" };
  const best = gaps.filter((gap) => gap === 0).length;
  return { holds: best === 1, reason: `${best} of the ${gaps.length} gaps ${best === 1 ? "is" : "are"} 0` };
}

import type { Regime } from "../environments/environment.js";
import type { Parameters } from "../parameters.js";
import { ADA2_TINF_PARAMETERS, Ada2TINF } from "./ada2TINF.js";
import { ADAR_UCB_PARAMETERS, AdaRUCB } from "./adaRUCB.js";
import { ADA_TINF_PARAMETERS, AdaTINF, type AdaTINFOptions } from "./adaTINF.js";
import { APE2, APE2_PARAMETERS, type APE2Options } from "./ape2.js";
import type { FtrlOptions } from "./base/ftrlOptions.js";
import type { Policy } from "./base/policy.js";
import { DELAYED_TSALLIS_INF_PARAMETERS, DelayedTsallisINF, type DelayedTsallisINFOptions } from "./delayedTsallisINF.js";
import { DSEE, DSEE_PARAMETERS, type DSEEOptions } from "./dsee.js";
import { EPSILON_GREEDY_PARAMETERS, EpsilonGreedy, type EpsilonGreedyOptions } from "./epsilonGreedy.js";
import { EXP3, EXP3_PARAMETERS } from "./exp3.js";
import { EXP3_IX_PARAMETERS, EXP3IX } from "./exp3IX.js";
import { EXP3_PLUS_PLUS_PARAMETERS, EXP3PlusPlus, type EXP3PlusPlusOptions } from "./exp3PlusPlus.js";
import { EXPLORE_THEN_COMMIT_PARAMETERS, ExploreThenCommit, type ExploreThenCommitOptions } from "./exploreThenCommit.js";
import { FOLLOW_THE_LEADER_PARAMETERS, FollowTheLeader } from "./followTheLeader.js";
import { FORCE_MOM_PARAMETERS, ForceMoM, type ForceMoMOptions } from "./forceMoM.js";
import { HTINF, HTINF_PARAMETERS, type HTINFOptions } from "./htinf.js";
import { KL_UCB_PARAMETERS, KLUCB, type KLUCBOptions } from "./klUCB.js";
import { MATCHED_TINF_PARAMETERS, MatchedTINF } from "./matchedTINF.js";
import { MOSS, MOSS_PARAMETERS, type MOSSOptions } from "./moss.js";
import { MR_APE_PARAMETERS, MRAPE, type MRAPEOptions } from "./mrAPE.js";
import { MR_UCB_PARAMETERS, MRUCB, type MRUCBOptions } from "./mrUCB.js";
import { OMD_LB_HT_PARAMETERS, OMDLBHT, type OMDLBHTOptions } from "./omdLBHT.js";
import { OPT_TINF_PARAMETERS, OptTINF } from "./optTINF.js";
import { ROBUST_UCB_PARAMETERS, RobustUCB, type RobustUCBOptions } from "./robustUCB.js";
import { THOMPSON_PARAMETERS, ThompsonSampling, type ThompsonSamplingOptions } from "./thompsonSampling.js";
import { TSALLIS_INF_PARAMETERS, TsallisINF } from "./tsallisINF.js";
import { UCB1, UCB1_PARAMETERS } from "./ucb1.js";
import { UNIFORM_PARAMETERS, UniformPolicy } from "./uniform.js";
import { UNI_INF_PARAMETERS, UniINF, type UniINFOptions } from "./uniINF.js";

export type PolicyNeed = "alpha" | "sigma" | "horizon" | "bounded-losses" | "truncated-non-negative";

export interface PolicyEntry {
  readonly parameters: Parameters;
  readonly description: string;
  /** What it has to be told (then it is a parameter too), and what it takes for granted about the losses. */
  readonly needs: readonly PolicyNeed[];
  /** The widest regime that its published guarantee covers: adversarial includes stochastically constrained, which includes stochastic. Null: no guarantee. */
  readonly guarantee: Regime | null;
  /** Among those that an experiment compares when nobody says which. */
  readonly default?: true;
  /** There is no regret bound yet. */
  readonly experimental?: true;
  /** The oldest snapshot version that it can restore; 1 where this is missing. */
  readonly oldestSnapshot?: number;
  /** Whether its sigma bounds the centred moment E|X - mean|^alpha; the raw one where this is missing. */
  centred?(options: Readonly<Record<string, unknown>>): boolean;
  /** Makes the policy from completed options, arms among them. */
  create(options: FtrlOptions): Policy;
}

/** The options of a policy that has no kernel. */
function withoutKernel({ kernel: _kernel, ...options }: FtrlOptions): object {
  return options;
}

/** Every policy by the name that a spec gives. */
export const POLICIES: Readonly<Record<string, PolicyEntry>> = {
  htinf: {
    parameters: HTINF_PARAMETERS,
    description: "HTINF: alpha and sigma known; optimal in stochastic and adversarial worlds at once",
    needs: ["alpha", "sigma", "truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
    create: (options) => new HTINF(options as HTINFOptions),
  },
  opttinf: {
    parameters: OPT_TINF_PARAMETERS,
    description: "OptTINF: nothing known; HTINF with alpha = 2 and sigma = 1",
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
    create: (options) => new OptTINF(options),
  },
  adatinf: {
    parameters: ADA_TINF_PARAMETERS,
    description: "AdaTINF: only the horizon known; minimax optimal",
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
    create: (options) => new AdaTINF(options as AdaTINFOptions),
  },
  ada2tinf: {
    parameters: ADA2_TINF_PARAMETERS,
    description: "Ada2TINF: nothing known, not even the horizon; minimax optimal",
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
    create: (options) => new Ada2TINF(options),
  },
  ucb1: {
    parameters: UCB1_PARAMETERS,
    description: "UCB1: optimism by plain means; for bounded losses",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
    create: ({ arms }) => new UCB1({ arms }),
  },
  moss: {
    parameters: MOSS_PARAMETERS,
    description: "MOSS: UCB1 made minimax optimal by the horizon; for bounded losses",
    needs: ["horizon", "bounded-losses"],
    guarantee: "stochastic",
    create: (options) => new MOSS(withoutKernel(options) as MOSSOptions),
  },
  "kl-ucb": {
    parameters: KL_UCB_PARAMETERS,
    description: "KL-UCB: optimism by the divergence of Bernoulli laws; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
    create: (options) => new KLUCB(withoutKernel(options) as KLUCBOptions),
  },
  thompson: {
    parameters: THOMPSON_PARAMETERS,
    description: "Thompson sampling: draws each arm's mean from a normal posterior; noise of deviation sigma",
    needs: ["sigma", "bounded-losses"],
    guarantee: "stochastic",
    create: (options) => new ThompsonSampling(withoutKernel(options) as ThompsonSamplingOptions),
  },
  exp3: {
    parameters: EXP3_PARAMETERS,
    description: "EXP3: exponential weights, importance-weighted losses; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    create: ({ arms }) => new EXP3({ arms }),
  },
  "exp3-ix": {
    parameters: EXP3_IX_PARAMETERS,
    description: "EXP3-IX: EXP3 with implicit exploration, so that its regret is bounded with high probability; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    create: ({ arms }) => new EXP3IX({ arms }),
  },
  "exp3-plus-plus": {
    parameters: EXP3_PLUS_PLUS_PARAMETERS,
    description: "EXP3++: EXP3 that explores by estimated gaps; stochastic and adversarial at once, for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    create: (options) => new EXP3PlusPlus(withoutKernel(options) as EXP3PlusPlusOptions),
  },
  "epsilon-greedy": {
    parameters: EPSILON_GREEDY_PARAMETERS,
    description: "epsilon-greedy: the smallest mean, and now and then any arm; a bound of the gaps known",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
    create: (options) => new EpsilonGreedy(withoutKernel(options) as EpsilonGreedyOptions),
  },
  "explore-then-commit": {
    parameters: EXPLORE_THEN_COMMIT_PARAMETERS,
    description: "explore then commit: every arm for so many rounds, then the best of them for ever",
    needs: [],
    guarantee: null,
    create: (options) => new ExploreThenCommit(withoutKernel(options) as ExploreThenCommitOptions),
  },
  "follow-the-leader": {
    parameters: FOLLOW_THE_LEADER_PARAMETERS,
    description: "follow the leader: the smallest mean, no exploration; a control that one outlier ruins",
    needs: [],
    guarantee: null,
    create: ({ arms }) => new FollowTheLeader({ arms }),
  },
  "tsallis-inf": {
    parameters: TSALLIS_INF_PARAMETERS,
    description: "Tsallis-INF: losses in [0, 1]; optimal in stochastic and adversarial worlds at once; skips nothing",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    default: true,
    create: (options) => new TsallisINF(options),
  },
  uniinf: {
    parameters: UNI_INF_PARAMETERS,
    description: "uniINF: only the horizon known, by its logarithm; optimal up to logarithms in stochastic and adversarial worlds at once",
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    create: (options) => new UniINF(options as UniINFOptions),
  },
  "omd-lb-ht": {
    parameters: OMD_LB_HT_PARAMETERS,
    description: "OMD-LB-HT: alpha, sigma and the horizon known; minimax optimal up to logarithms whatever the sign of the tails",
    needs: ["alpha", "sigma", "horizon"],
    guarantee: "adversarial",
    create: (options) => new OMDLBHT(withoutKernel(options) as OMDLBHTOptions),
  },
  "delayed-tsallis-inf": {
    parameters: DELAYED_TSALLIS_INF_PARAMETERS,
    description: "Tsallis-INF for late feedback: losses in [0, 1], a hybrid regulariser that grows with what is outstanding",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    create: (options) => new DelayedTsallisINF(withoutKernel(options) as DelayedTsallisINFOptions),
  },
  "matched-tinf": {
    parameters: MATCHED_TINF_PARAMETERS,
    description: "MatchedTINF: nothing known, whatever scale and location; a model of the arms whose word is limited; no regret bound yet",
    needs: [],
    guarantee: null,
    default: true,
    experimental: true,
    oldestSnapshot: 2,
    create: (options) => new MatchedTINF(options),
  },
  "robust-ucb": {
    parameters: ROBUST_UCB_PARAMETERS,
    description: "RobustUCB: alpha and sigma known; a confidence bound around the truncated mean, the median of means or Catoni's estimator",
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
    centred: ({ estimator }) => estimator === "median-of-means" || estimator === "catoni",
    create: (options) => new RobustUCB(withoutKernel(options) as RobustUCBOptions),
  },
  ape2: {
    parameters: APE2_PARAMETERS,
    description: "APE2: alpha known; the p-robust estimate, perturbed",
    needs: ["alpha"],
    guarantee: "stochastic",
    create: (options) => new APE2(withoutKernel(options) as APE2Options),
  },
  "adar-ucb": {
    parameters: ADAR_UCB_PARAMETERS,
    description: "AdaR-UCB: nothing known; plays each arm twice, once to set a threshold and once to learn the mean below it",
    needs: ["truncated-non-negative"],
    guarantee: "stochastic",
    create: (options) => new AdaRUCB(withoutKernel(options) as FtrlOptions),
  },
  "mr-ucb": {
    parameters: MR_UCB_PARAMETERS,
    description: "MR-UCB: alpha and the horizon known; the p-robust estimate with a bonus that makes it minimax optimal",
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
    create: (options) => new MRUCB(withoutKernel(options) as MRUCBOptions),
  },
  "mr-ape": {
    parameters: MR_APE_PARAMETERS,
    description: "MR-APE: alpha and the horizon known; as MR-UCB, with a bonus that is drawn",
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
    create: (options) => new MRAPE(withoutKernel(options) as MRAPEOptions),
  },
  forcemom: {
    parameters: FORCE_MOM_PARAMETERS,
    description: "ForceMoM: nothing known and nothing assumed; explores by the clock, trusts medians of means",
    needs: [],
    guarantee: "stochastic",
    create: (options) => new ForceMoM(withoutKernel(options) as ForceMoMOptions),
  },
  dsee: {
    parameters: DSEE_PARAMETERS,
    description: "DSEE: alpha and sigma known; explores each arm w ln t times by the clock, trusts truncated means",
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
    create: (options) => new DSEE(withoutKernel(options) as DSEEOptions),
  },
  uniform: {
    parameters: UNIFORM_PARAMETERS,
    description: "uniform: the control; every arm with the same probability, for ever",
    needs: [],
    guarantee: null,
    default: true,
    create: ({ arms }) => new UniformPolicy({ arms }),
  },
};

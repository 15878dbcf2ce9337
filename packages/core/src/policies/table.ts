import { ADA2_TINF_PARAMETERS, Ada2TINF } from "./ada2TINF.js";
import { ADAR_UCB_PARAMETERS, AdaRUCB } from "./adaRUCB.js";
import { ADA_TINF_PARAMETERS, AdaTINF } from "./adaTINF.js";
import { APE2, APE2_PARAMETERS } from "./ape2.js";
import { definePolicy } from "./base/definePolicy.js";
import type { PolicyEntry } from "./base/policyEntry.js";
import { BetaThompsonSampling, THOMPSON_BETA_PARAMETERS } from "./betaThompsonSampling.js";
import { DELAYED_TSALLIS_INF_PARAMETERS, DelayedTsallisINF } from "./delayedTsallisINF.js";
import { DSEE, DSEE_PARAMETERS } from "./dsee.js";
import { EPSILON_GREEDY_PARAMETERS, EpsilonGreedy } from "./epsilonGreedy.js";
import { EXP3, EXP3_PARAMETERS } from "./exp3.js";
import { EXP3_IX_PARAMETERS, EXP3IX } from "./exp3IX.js";
import { EXP3_PLUS_PLUS_PARAMETERS, EXP3PlusPlus } from "./exp3PlusPlus.js";
import { EXPLORE_THEN_COMMIT_PARAMETERS, ExploreThenCommit } from "./exploreThenCommit.js";
import { FOLLOW_THE_LEADER_PARAMETERS, FollowTheLeader } from "./followTheLeader.js";
import { FORCE_MOM_PARAMETERS, ForceMoM } from "./forceMoM.js";
import { HTINF, HTINF_PARAMETERS } from "./htinf.js";
import { KL_UCB_PARAMETERS, KLUCB } from "./klUCB.js";
import { MATCHED_TINF_PARAMETERS, MatchedTINF } from "./matchedTINF.js";
import { MOSS, MOSS_PARAMETERS } from "./moss.js";
import { MR_APE_PARAMETERS, MRAPE } from "./mrAPE.js";
import { MR_UCB_PARAMETERS, MRUCB } from "./mrUCB.js";
import { OMD_LB_HT_PARAMETERS, OMDLBHT } from "./omdLBHT.js";
import { OPT_TINF_PARAMETERS, OptTINF } from "./optTINF.js";
import { ROBUST_UCB_PARAMETERS, RobustUCB } from "./robustUCB.js";
import { THOMPSON_PARAMETERS, ThompsonSampling } from "./thompsonSampling.js";
import { TSALLIS_INF_PARAMETERS, TsallisINF } from "./tsallisINF.js";
import { UCB1, UCB1_PARAMETERS } from "./ucb1.js";
import { UNIFORM_PARAMETERS, UniformPolicy } from "./uniform.js";
import { UNI_INF_PARAMETERS, UniINF } from "./uniINF.js";

/**
 * Every policy, by the name that specs use.
 *
 * @example
 * ```ts
 * import { POLICIES } from "tsallis";
 *
 * console.log(POLICIES.htinf.needs); // [ 'alpha', 'sigma', 'truncated-non-negative' ]
 * ```
 */
export const POLICIES: Readonly<Record<string, PolicyEntry>> = {
  htinf: definePolicy(HTINF_PARAMETERS, (options, kernel) => new HTINF({ ...options, ...kernel }), {
    description: "HTINF: alpha and sigma known; optimal in stochastic and adversarial worlds at once",
    needs: ["alpha", "sigma", "truncated-non-negative"],
    guarantee: "adversarial",
    foresees: true,
    default: true,
  }),
  opttinf: definePolicy(OPT_TINF_PARAMETERS, (options, kernel) => new OptTINF({ ...options, ...kernel }), {
    description: "OptTINF: nothing known; HTINF with alpha = 2 and sigma = 1",
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    foresees: true,
    default: true,
  }),
  adatinf: definePolicy(ADA_TINF_PARAMETERS, (options, kernel) => new AdaTINF({ ...options, ...kernel }), {
    description: "AdaTINF: only the horizon known; minimax optimal",
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    foresees: true,
    default: true,
  }),
  ada2tinf: definePolicy(ADA2_TINF_PARAMETERS, (options, kernel) => new Ada2TINF({ ...options, ...kernel }), {
    description: "Ada2TINF: nothing known, not even the horizon; minimax optimal",
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    foresees: true,
    default: true,
  }),
  ucb1: definePolicy(UCB1_PARAMETERS, (options) => new UCB1(options), {
    description: "UCB1: optimism by plain means; for bounded losses",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  moss: definePolicy(MOSS_PARAMETERS, (options) => new MOSS(options), {
    description: "MOSS: UCB1 made minimax optimal by the horizon; for bounded losses",
    needs: ["horizon", "bounded-losses"],
    guarantee: "stochastic",
  }),
  "kl-ucb": definePolicy(KL_UCB_PARAMETERS, (options) => new KLUCB(options), {
    description: "KL-UCB: optimism by the divergence of Bernoulli laws; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  thompson: definePolicy(THOMPSON_PARAMETERS, (options) => new ThompsonSampling(options), {
    description: "Thompson sampling: draws each arm's mean from a normal posterior; noise of deviation sigma",
    needs: ["sigma", "bounded-losses"],
    guarantee: "stochastic",
  }),
  "thompson-beta": definePolicy(THOMPSON_BETA_PARAMETERS, (options) => new BetaThompsonSampling(options), {
    description: "Thompson sampling: draws each arm's mean from a Beta posterior; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  exp3: definePolicy(EXP3_PARAMETERS, (options) => new EXP3(options), {
    description: "EXP3: exponential weights, importance-weighted losses; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "exp3-ix": definePolicy(EXP3_IX_PARAMETERS, (options) => new EXP3IX(options), {
    description: "EXP3-IX: EXP3 with implicit exploration, so that its regret is bounded with high probability; for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "exp3-plus-plus": definePolicy(EXP3_PLUS_PLUS_PARAMETERS, (options) => new EXP3PlusPlus(options), {
    description: "EXP3++: EXP3 that explores by estimated gaps; stochastic and adversarial at once, for losses in [0, 1]",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "epsilon-greedy": definePolicy(EPSILON_GREEDY_PARAMETERS, (options) => new EpsilonGreedy(options), {
    description: "epsilon-greedy: a lower bound of the gaps known; the smallest mean, and sometimes a random arm",
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  "explore-then-commit": definePolicy(EXPLORE_THEN_COMMIT_PARAMETERS, (options) => new ExploreThenCommit(options), {
    description: "explore then commit: every arm for a fixed number of rounds, then the best of them for ever",
    needs: [],
    guarantee: null,
  }),
  "follow-the-leader": definePolicy(FOLLOW_THE_LEADER_PARAMETERS, (options) => new FollowTheLeader(options), {
    description: "follow the leader: the smallest mean, no exploration; a control that one outlier ruins",
    needs: [],
    guarantee: null,
  }),
  "tsallis-inf": definePolicy(TSALLIS_INF_PARAMETERS, (options, kernel) => new TsallisINF({ ...options, ...kernel }), {
    description: "Tsallis-INF: losses in [0, 1]; optimal in stochastic and adversarial worlds at once; skips nothing",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    foresees: true,
    default: true,
  }),
  uniinf: definePolicy(UNI_INF_PARAMETERS, (options, kernel) => new UniINF({ ...options, ...kernel }), {
    description: "uniINF: only the horizon known, used through its logarithm; optimal up to logarithms in stochastic and adversarial worlds at once",
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    foresees: true,
  }),
  "omd-lb-ht": definePolicy(OMD_LB_HT_PARAMETERS, (options) => new OMDLBHT(options), {
    description: "OMD-LB-HT: alpha, sigma and the horizon known; minimax optimal up to logarithms whatever the sign of the tails",
    needs: ["alpha", "sigma", "horizon"],
    guarantee: "adversarial",
  }),
  "delayed-tsallis-inf": definePolicy(DELAYED_TSALLIS_INF_PARAMETERS, (options) => new DelayedTsallisINF(options), {
    description: "Tsallis-INF for late feedback: losses in [0, 1], a hybrid regulariser that grows with the outstanding feedback",
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "matched-tinf": definePolicy(MATCHED_TINF_PARAMETERS, (options, kernel) => new MatchedTINF({ ...options, ...kernel }), {
    description: "MatchedTINF: nothing known, any scale and location; a model of the arms with limited influence; no regret bound yet",
    needs: [],
    guarantee: null,
    foresees: true,
    default: true,
    experimental: true,
    oldestSnapshot: 2,
  }),
  "robust-ucb": definePolicy(ROBUST_UCB_PARAMETERS, (options) => new RobustUCB(options), {
    description: "RobustUCB: alpha and sigma known; a confidence bound around the truncated mean, the median of means or Catoni's estimator",
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
    centred: ({ estimator }) => estimator === "median-of-means" || estimator === "catoni",
  }),
  ape2: definePolicy(APE2_PARAMETERS, (options) => new APE2(options), {
    description: "APE2: alpha known; the p-robust estimate, perturbed",
    needs: ["alpha"],
    guarantee: "stochastic",
  }),
  "adar-ucb": definePolicy(ADAR_UCB_PARAMETERS, (options) => new AdaRUCB(options), {
    description: "AdaR-UCB: nothing known; plays each arm twice, once to set a threshold and once to learn the mean below it",
    needs: ["truncated-non-negative"],
    guarantee: "stochastic",
  }),
  "mr-ucb": definePolicy(MR_UCB_PARAMETERS, (options) => new MRUCB(options), {
    description: "MR-UCB: alpha and the horizon known; the p-robust estimate with a bonus that makes it minimax optimal",
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
  }),
  "mr-ape": definePolicy(MR_APE_PARAMETERS, (options) => new MRAPE(options), {
    description: "MR-APE: alpha and the horizon known; as MR-UCB, with a random bonus",
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
  }),
  forcemom: definePolicy(FORCE_MOM_PARAMETERS, (options) => new ForceMoM(options), {
    description: "ForceMoM: nothing known and nothing assumed; explores on a schedule, exploits by medians of means",
    needs: [],
    guarantee: "stochastic",
  }),
  dsee: definePolicy(DSEE_PARAMETERS, (options) => new DSEE(options), {
    description: "DSEE: alpha and sigma known; explores each arm w ln t times on a schedule, exploits by truncated means",
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
  }),
  uniform: definePolicy(UNIFORM_PARAMETERS, (options) => new UniformPolicy(options), {
    description: "uniform: the control; every arm with the same probability, for ever",
    needs: [],
    guarantee: null,
    default: true,
  }),
};

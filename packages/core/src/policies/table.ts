import { ADA2_TINF_PARAMETERS, Ada2TINF } from "./ada2TINF.js";
import { ADAR_UCB_PARAMETERS, AdaRUCB } from "./adaRUCB.js";
import { ADA_TINF_PARAMETERS, AdaTINF } from "./adaTINF.js";
import { APE2, APE2_PARAMETERS } from "./ape2.js";
import { definePolicy, type PolicyEntry } from "./base/policyEntry.js";
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
import { MATCHED_TINF_PARAMETERS, MatchedTINF } from "./matched/matchedTINF.js";
import { MOSS, MOSS_PARAMETERS } from "./moss.js";
import { MR_APE_PARAMETERS, MRAPE } from "./mrAPE.js";
import { MR_UCB_PARAMETERS, MRUCB } from "./mrUCB.js";
import { OMD_LB_HT_PARAMETERS, OMDLBHT } from "./omdLBHT.js";
import { OPT_TINF_PARAMETERS, OptTINF } from "./optTINF.js";
import { ROBUST_UCB_PARAMETERS, RobustUCB } from "./robustUCB.js";
import { SIGNED_TINF_PARAMETERS, SignedTINF } from "./signedTINF.js";
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
  htinf: definePolicy(HTINF, HTINF_PARAMETERS, {
    description: "HTINF: alpha and sigma known; optimal in stochastic and adversarial worlds at once",
    example: { alpha: 1.5, sigma: 1.5 },
    needs: ["alpha", "sigma", "truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
  }),
  opttinf: definePolicy(OptTINF, OPT_TINF_PARAMETERS, {
    description: "OptTINF: nothing known; HTINF with alpha = 2 and sigma = 1",
    example: {},
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
  }),
  adatinf: definePolicy(AdaTINF, ADA_TINF_PARAMETERS, {
    description: "AdaTINF: only the horizon known; minimax optimal",
    example: { horizon: 1_000_000_000 },
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
  }),
  ada2tinf: definePolicy(Ada2TINF, ADA2_TINF_PARAMETERS, {
    description: "Ada2TINF: nothing known, not even the horizon; minimax optimal",
    example: {},
    needs: ["truncated-non-negative"],
    guarantee: "adversarial",
    default: true,
  }),
  ucb1: definePolicy(UCB1, UCB1_PARAMETERS, {
    description: "UCB1: optimism by plain means; for bounded losses",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  moss: definePolicy(MOSS, MOSS_PARAMETERS, {
    description: "MOSS: UCB1 made minimax optimal by the horizon; for bounded losses",
    example: { horizon: 1_000_000 },
    needs: ["horizon", "bounded-losses"],
    guarantee: "stochastic",
  }),
  "kl-ucb": definePolicy(KLUCB, KL_UCB_PARAMETERS, {
    description: "KL-UCB: optimism by the divergence of Bernoulli distributions; for losses in [0, 1]",
    example: { c: 3 },
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  thompson: definePolicy(ThompsonSampling, THOMPSON_PARAMETERS, {
    description: "Thompson sampling: draws each arm's mean from a normal posterior; noise of deviation sigma",
    example: { sigma: 1.5 },
    needs: ["sigma", "bounded-losses"],
    guarantee: "stochastic",
  }),
  "thompson-beta": definePolicy(BetaThompsonSampling, THOMPSON_BETA_PARAMETERS, {
    description: "Thompson sampling: draws each arm's mean from a Beta posterior; for losses in [0, 1]",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  exp3: definePolicy(EXP3, EXP3_PARAMETERS, {
    description: "EXP3: exponential weights, importance-weighted losses; for losses in [0, 1]",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "exp3-ix": definePolicy(EXP3IX, EXP3_IX_PARAMETERS, {
    description: "EXP3-IX: EXP3 with implicit exploration, so that its regret is bounded with high probability; for losses in [0, 1]",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "exp3-plus-plus": definePolicy(EXP3PlusPlus, EXP3_PLUS_PLUS_PARAMETERS, {
    description: "EXP3++: EXP3 that explores by estimated gaps; stochastic and adversarial at once, for losses in [0, 1]",
    example: { beta: 1 },
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "epsilon-greedy": definePolicy(EpsilonGreedy, EPSILON_GREEDY_PARAMETERS, {
    description: "epsilon-greedy: a lower bound of the gaps known; the smallest mean, and sometimes a random arm",
    example: { d: 0.5 },
    needs: ["bounded-losses"],
    guarantee: "stochastic",
  }),
  "explore-then-commit": definePolicy(ExploreThenCommit, EXPLORE_THEN_COMMIT_PARAMETERS, {
    description: "explore then commit: every arm for a fixed number of rounds, then the best of them for ever",
    example: { rounds: 100 },
    needs: [],
    guarantee: null,
  }),
  "follow-the-leader": definePolicy(FollowTheLeader, FOLLOW_THE_LEADER_PARAMETERS, {
    description: "follow the leader: the smallest mean, no exploration; a control that one outlier ruins",
    example: {},
    needs: [],
    guarantee: null,
  }),
  "tsallis-inf": definePolicy(TsallisINF, TSALLIS_INF_PARAMETERS, {
    description: "Tsallis-INF: losses in [0, 1]; optimal in stochastic and adversarial worlds at once; skips nothing",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "adversarial",
    default: true,
  }),
  uniinf: definePolicy(UniINF, UNI_INF_PARAMETERS, {
    description:
      "uniINF: only the horizon known, used through its logarithm; optimal up to logarithms in stochastic and adversarial worlds at once; its formulas were not compared with the paper",
    example: { horizon: 1_000_000 },
    needs: ["horizon", "truncated-non-negative"],
    guarantee: "adversarial",
    experimental: true,
  }),
  "omd-lb-ht": definePolicy(OMDLBHT, OMD_LB_HT_PARAMETERS, {
    description: "OMD-LB-HT: alpha, sigma and the horizon known; minimax optimal up to logarithms whatever the sign of the tails",
    example: { alpha: 1.3, sigma: 1.5, horizon: 1_000_000 },
    needs: ["alpha", "sigma", "horizon"],
    guarantee: "adversarial",
  }),
  "delayed-tsallis-inf": definePolicy(DelayedTsallisINF, DELAYED_TSALLIS_INF_PARAMETERS, {
    description: "Tsallis-INF for late feedback: losses in [0, 1], a hybrid regulariser that grows with the outstanding feedback",
    example: {},
    needs: ["bounded-losses"],
    guarantee: "adversarial",
  }),
  "signed-tinf": definePolicy(SignedTINF, SIGNED_TINF_PARAMETERS, {
    description: "SignedTINF: alpha and sigma known; HTINF for losses of either sign, rewards included",
    example: { alpha: 1.5, sigma: 1.5 },
    needs: ["alpha", "sigma"],
    guarantee: "adversarial",
  }),
  "matched-tinf": definePolicy(MatchedTINF, MATCHED_TINF_PARAMETERS, {
    description: "MatchedTINF: nothing known, any scale and location; a model of the arms with limited influence; no regret bound yet",
    example: {},
    needs: [],
    guarantee: null,
    default: true,
    experimental: true,
  }),
  "robust-ucb": definePolicy(RobustUCB, ROBUST_UCB_PARAMETERS, {
    description: "RobustUCB: alpha and sigma known; a confidence bound around the truncated mean, the median of means or Catoni's estimator",
    example: { alpha: 1.5, sigma: 3 },
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
    centred: ({ estimator }) => estimator === "median-of-means" || estimator === "catoni",
  }),
  ape2: definePolicy(APE2, APE2_PARAMETERS, {
    description: "APE2: alpha known; the p-robust estimate, perturbed",
    example: { alpha: 1.5, c: 2 },
    needs: ["alpha"],
    guarantee: "stochastic",
  }),
  "adar-ucb": definePolicy(AdaRUCB, ADAR_UCB_PARAMETERS, {
    description: "AdaR-UCB: nothing known; plays each arm twice, once to set a threshold and once to learn the mean below it",
    example: {},
    needs: ["truncated-non-negative"],
    guarantee: "stochastic",
  }),
  "mr-ucb": definePolicy(MRUCB, MR_UCB_PARAMETERS, {
    description: "MR-UCB: alpha and the horizon known; the p-robust estimate with a bonus that makes it minimax optimal",
    example: { alpha: 1.5, horizon: 1_000_000_000 },
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
  }),
  "mr-ape": definePolicy(MRAPE, MR_APE_PARAMETERS, {
    description: "MR-APE: alpha and the horizon known; as MR-UCB, with a random bonus",
    example: { alpha: 1.5, horizon: 1_000_000_000 },
    needs: ["alpha", "horizon"],
    guarantee: "stochastic",
  }),
  forcemom: definePolicy(ForceMoM, FORCE_MOM_PARAMETERS, {
    description: "ForceMoM: nothing known and nothing assumed; explores on a schedule, exploits by medians of means",
    example: {},
    needs: [],
    guarantee: "stochastic",
  }),
  dsee: definePolicy(DSEE, DSEE_PARAMETERS, {
    description:
      "DSEE: alpha and sigma known; explores each arm w ln t times on a schedule, exploits by truncated means; their level was not compared with the paper",
    example: { alpha: 1.5, sigma: 3, w: 2 },
    needs: ["alpha", "sigma"],
    guarantee: "stochastic",
    experimental: true,
  }),
  uniform: definePolicy(UniformPolicy, UNIFORM_PARAMETERS, {
    description: "uniform: the control; every arm with the same probability, for ever",
    example: {},
    needs: [],
    guarantee: null,
    default: true,
  }),
};

// AdaR-UCB: Genalti, Marsigli, Gatti and Metelli, "(epsilon, u)-Adaptive Regret Minimization in Heavy-Tailed Bandits" (COLT 2024), Algorithm 1, for losses. Its assumption on
// rewards, truncated non-positivity of the best arm, is truncated non-negativity of its loss.
//
// Decision tau plays its arm in rounds 2 tau - 1 and 2 tau. The first loss joins the samples of the mean, the second those of the threshold M, the root of
// sum_j min(X'_j^2 / M^2, 1) = c ln tau^3 with c = (1 + sqrt 2)^2. Index: mean - sqrt(2 V ln tau^3 / n) - 10 M ln tau^3 / n with the mean and variance V of X 1{|X| <= M}.
//
// Corrected: the printed guard, "no index while the number m of nonzero samples is at most 4 ln tau^(-3)", is negative and asks for a root that does not exist. There is one
// if and only if m > c ln tau^3. An arm without a root has no index and is played, the least played of them first.
// Deviations: the round of a loss decides which of the pair it is, so that late, missing and forced feedback is defined; the two sets may then differ in size. An odd last
// round is half a pair. Losses below 1e-140 in size count as zeros for the threshold. Losses above 1e140 are refused, because their squares would overflow.

import { log } from "../elementary/log.js";
import { show, TsallisError } from "../errors.js";
import { SaturationRoot } from "../estimators/saturationRoot.js";
import { TrimmedMoments } from "../estimators/trimmedMoments.js";
import { completeOptions } from "../parameters.js";
import type { Rng } from "../random/rng.js";
import type { Choice } from "./base/choice.js";
import { EstimatorPolicy, lossesOf, rearrangedEstimators } from "./base/estimatorPolicy.js";
import type { PolicySnapshot } from "./base/policy.js";
import type { Rearrangement } from "./base/rearrangement.js";
import { ARMS } from "./base/sharedParameters.js";

export const ADAR_UCB_PARAMETERS = {};

/** The options of AdaRUCB: the arms, and the parameters of its spec. */
export interface AdaRUCBOptions {
  arms: number;
}

/** (1 + sqrt 2)^2. */
const C = 3 + 2 * Math.SQRT2;

/** AdaR-UCB of Genalti, Marsigli, Gatti and Metelli (COLT 2024, Algorithm 1), for losses: confidence bounds that know neither alpha nor sigma. It plays every arm twice in a row. */
export class AdaRUCB extends EstimatorPolicy<TrimmedMoments> {
  /** Squares of losses, and products of their sums, stay below 1e308. */
  protected override readonly largest = 1e140;
  #thresholds = Array.from({ length: this.arms }, () => new SaturationRoot());
  /** The arm of the last round; -1 before the first, and if that arm is gone. */
  #last = -1;

  constructor(options: AdaRUCBOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...ADAR_UCB_PARAMETERS }, options);
    super({ policy: "adar-ucb" }, arms, () => new TrimmedMoments());
  }

  protected override pick(round: number, rng: Rng): number {
    return round % 2 === 0 && this.#last >= 0 ? this.#last : super.pick(round, rng);
  }

  protected override played(round: number, arm: number): void {
    super.played(round, arm);
    this.#last = arm;
  }

  /** The number of nonzero samples; 0 until there are the two losses that a variance needs. */
  protected override count(arm: number): number {
    return super.count(arm) < 2 ? 0 : this.#thresholds[arm]!.nonzero;
  }

  protected override needed(round: number): number {
    return Math.floor(C * logCube(round)) + 1;
  }

  protected override indices(round: number, into: Float64Array): void {
    const level = logCube(round);
    for (let i = 0; i < into.length; i++) {
      const threshold = this.#thresholds[i]!.root(C * level);
      const moments = this.estimators[i]!;
      const count = moments.samples.size;
      moments.trim(threshold);
      into[i] = moments.mean - Math.sqrt((2 * moments.variance * level) / count) - (10 * threshold * level) / count;
    }
  }

  protected override learn(choice: Choice, loss: number): void {
    if (!(Math.abs(loss) <= this.largest)) {
      const message = `the square of a loss of ${show(loss)} would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    if (choice.round % 2 === 1) super.learn(choice, loss);
    else this.#thresholds[choice.arm]!.add(loss);
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), thresholdLosses: lossesOf(this.#thresholds), last: this.#last };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { thresholdLosses, last } = snapshot.state;
    if (!(Number.isInteger(last) && (last as number) >= (snapshot.round === 0 || this.isRearranged ? -1 : 0) && (last as number) < this.arms)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.last", last, `state.last must be the arm of the last round, got ${show(last)}`);
    }
    super.load(snapshot);
    this.#thresholds = this.estimatorsFrom(thresholdLosses, "state.thresholdLosses", () => new SaturationRoot());
    this.#last = last as number;
  }

  protected override resume(old: this, from: Rearrangement): void {
    super.resume(old, from);
    this.#thresholds = rearrangedEstimators(old.#thresholds, from, () => new SaturationRoot());
    this.#last = from.indexOf(old.#last);
  }
}

/** ln tau^3 in decision tau. */
function logCube(round: number): number {
  return 3 * log(Math.ceil(round / 2));
}

import { show, TsallisError } from "../errors.js";
import { completeOptions } from "../parameters.js";
import type { Choice } from "./choice.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./ftrlOptions.js";
import type { PolicySnapshot } from "./policy.js";
import { SkippingFtrl } from "./skippingFtrl.js";

export const MATCHED_TINF_PARAMETERS = {};

export type MatchedTINFOptions = FtrlOptions;

/** Losses are skipped beyond THETA times the arm's gap; KAPPA weighs stability against penalty. Constants: from 0.7 to 1 and from 0.25 to 0.5 all do well. */
const THETA = 0.7;
const KAPPA = 0.5;
/** A loss smaller than this does not set the scale: the learning rate would be among the denormals. */
const SMALLEST_SCALE = 1e-290;
/** beta sqrt(K) stays below this, and with it the gaps at equal estimates. */
const LARGEST_SCALE = 1e307;

/**
 * MatchedTINF, a policy of this library: no parameter, no scale, no horizon. Experimental: there is no proof. It joins the action-dependent
 * skipping of Huang, Dai and Huang (ICML 2022), stability-penalty matching (Ito, Tsuchiya and Honda, COLT 2024) and uniINF's rule
 * "skip for the learner, clip for the rate" (Chen, Huang, Dai and Huang, ICLR 2025).
 *
 * The regulariser is the 1/2-Tsallis entropy with h = beta. All arms are alike until a loss is not zero; that one sets beta = |loss| sqrt(K) / 2
 * and teaches nothing else. From then on a loss above r = THETA beta sqrt(x_i) is skipped, and with c = min(|loss|, r) every loss raises beta by
 * KAPPA z / (beta p): z = c^2 (1 - x_i) / sqrt(x_i) is the stability that the round cost, times beta, and p = 2 (sum_j sqrt(x_j) - 1) the
 * penalty of one unit of beta. Since beta sqrt(x_i) = r / THETA, the raise is KAPPA THETA (c / r) c (1 - x_i) / p: c^2 is never formed.
 *
 * Late feedback: x_i and r, and with r the beta of the round, come with the Choice; p is that of the last round played, since what a
 * larger beta costs is paid from now on. With immediate feedback both are of one round.
 * p goes to 0 when one arm has everything. It is taken to be no less than 2 (sqrt(x_i) + sqrt(1 - x_i) - 1), which no law with this x_i can
 * undercut: in the round itself that changes nothing, and one loss raises beta by at most 15 percent however late it comes.
 * With K = 1 there is nothing to match, and beta rests.
 */
export class MatchedTINF extends SkippingFtrl {
  /** 0 until a loss has set it. */
  #beta = 0;
  /** p of the last round played. */
  #penalty = 0;

  constructor(options: MatchedTINFOptions) {
    const { arms, kernel } = completeOptions({ ...FTRL_OPTIONS, ...MATCHED_TINF_PARAMETERS }, options);
    super({ policy: "matched-tinf" }, arms, kernel, 2, THETA);
  }

  /** While beta is not set all estimates are 0, and any h gives the uniform law. */
  protected override inverseRate(): number {
    return this.#beta > 0 ? this.#beta : 1;
  }

  protected override threshold(arm: number, probability: number): number {
    return this.#beta > 0 ? super.threshold(arm, probability) : 0;
  }

  protected override solved(): void {
    this.#penalty = 2 * this.kernel.spread();
  }

  protected override learn(choice: Choice, loss: number): void {
    const beta = this.#beta > 0 ? this.#beta + this.#raise(choice, loss) : this.#first(loss);
    if (!(beta * Math.sqrt(this.arms) <= LARGEST_SCALE)) {
      const message = `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    super.learn(choice, loss);
    this.#beta = beta;
  }

  #first(loss: number): number {
    const size = Math.abs(loss);
    return size >= SMALLEST_SCALE ? 0.5 * size * Math.sqrt(this.arms) : 0;
  }

  #raise({ probability, threshold }: Choice, loss: number): number {
    const clipped = Math.min(Math.abs(loss), threshold!);
    if (!(clipped > 0 && probability! < 1) || this.arms === 1) return 0;
    const penalty = Math.max(this.#penalty, leastPenalty(probability!));
    return (KAPPA * THETA * (clipped / threshold!) * clipped * (1 - probability!)) / penalty;
  }

  override details(): Readonly<Record<string, number>> {
    return { beta: this.#beta };
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), beta: this.#beta, penalty: this.#penalty };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { beta, penalty } = snapshot.state as { beta: number; penalty: number };
    if (!(typeof beta === "number" && (beta === 0 || (beta >= 0.5 * SMALLEST_SCALE && beta * Math.sqrt(this.arms) <= LARGEST_SCALE)))) {
      throw new TsallisError("ERR_SNAPSHOT", "state.beta", beta, `state.beta must be 0 or from 5e-291 to 1e307 / sqrt(arms), got ${show(beta)}`);
    }
    // The largest is 2 (sqrt(K) - 1), at the uniform law.
    if (!(typeof penalty === "number" && penalty >= 0 && penalty <= 2 * Math.sqrt(this.arms))) {
      throw new TsallisError("ERR_SNAPSHOT", "state.penalty", penalty, `state.penalty must be from 0 to 2 sqrt(arms), got ${show(penalty)}`);
    }
    super.load(snapshot);
    this.#beta = beta;
    this.#penalty = penalty;
  }
}

/** 2 (sqrt(x) + sqrt(1 - x) - 1), without cancellation: the least penalty of a law in which one arm has x. */
function leastPenalty(x: number): number {
  const [a, b] = [Math.sqrt(x), Math.sqrt(1 - x)];
  return (4 * a * b) / (1 + a + b);
}

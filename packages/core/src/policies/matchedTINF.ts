import { show, TsallisError } from "../errors.js";
import { RecentMedian } from "../estimators/recentMedian.js";
import { completeOptions } from "../parameters.js";
import { type Choice, requireChoice } from "./choice.js";
import { FORGETTING_PARAMETERS } from "./forgetting.js";
import { Ftrl } from "./ftrl.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./ftrlOptions.js";
import type { PolicySnapshot } from "./policy.js";
import { requireNumbers } from "./requireNumbers.js";

export const MATCHED_TINF_PARAMETERS = FORGETTING_PARAMETERS;

export type MatchedTINFOptions = FtrlOptions;

/** Losses are clipped at THETA times the arm's gap times its probability; KAPPA weighs stability against penalty. From 0.7 to 1 and from 0.25 to 0.5 all do well. */
const THETA = 0.7;
const KAPPA = 0.5;
/** Losses are taken relative to the median of the last so many; from 9 to 301 all do about equally well. */
const RECENT = 51;
/** A loss closer to the median than this does not set the scale: the learning rate would be among the denormals. */
const SMALLEST_SCALE = 1e-290;
/** beta sqrt(K) stays below this, and with it the gaps at equal estimates. */
const LARGEST_SCALE = 1e307;

/**
 * MatchedTINF, a policy of this library: nothing to tell it, no scale, no location, no horizon. Experimental: there is no proof. It joins the action-dependent
 * threshold of Huang, Dai and Huang (ICML 2022) and stability-penalty matching (Ito, Tsuchiya and Honda, COLT 2024) with two things of our own:
 *
 * - Every loss is taken relative to m, the median of the last 51 losses that came before it. Regret does not change when one number is
 *   subtracted from the losses of all arms in a round, and this one is known before the arm is drawn; but what the favourite usually costs no longer
 *   counts as news. What truncated non-negativity is to skipping, the
 *   right tail of X - m outweighing the left one beyond every r is to clipping; that holds for symmetric laws of mean m or more, and for Pareto losses.
 * - What is left, v = loss - m, is clipped at r = THETA beta sqrt(x_i), where the paper would skip it: an arm that is so bad that its
 *   losses are beyond its threshold is then not forgotten, and large losses to the left do not vanish either.
 *
 * The regulariser is the 1/2-Tsallis entropy with h = beta. All arms are alike until v is not zero; that one sets beta = |v| sqrt(K) / 2 and teaches nothing else.
 * From then on, with c = min(|v|, r), the estimate of the arm grows by sign(v) c / x_i, and beta by KAPPA z / (beta p): z = c^2 (1 - x_i) / sqrt(x_i) is the stability that the
 * round cost, times beta, and p = 2 (sum_j sqrt(x_j) - 1) the penalty of one unit of beta. Since beta sqrt(x_i) = r / THETA, the raise is
 * KAPPA THETA (c / r) c (1 - x_i) / p: c^2 is never formed.
 *
 * Late feedback: x_i comes with the Choice; m, beta and p are those of the moment at which the loss comes in, since it is now that the estimate moves.
 * p goes to 0 when one arm has everything. It is taken to be no less than 2 (sqrt(x_i) + sqrt(1 - x_i) - 1), which no law with this x_i can
 * undercut: in the round itself that changes nothing, and one loss raises beta by at most 15 percent however late it comes.
 * With K = 1 there is nothing to match, and beta rests.
 * With a half-life v is weighted by its round, and beta, which is in units of weighted losses, fades against the losses of the present; m does not.
 */
export class MatchedTINF extends Ftrl {
  readonly skips = false;
  /** 0 until a loss has set it. */
  #beta = 0;
  /** p of the last round played. */
  #penalty = 0;
  #recent = new RecentMedian(RECENT);

  constructor(options: MatchedTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...MATCHED_TINF_PARAMETERS }, options);
    super({ policy: "matched-tinf", ...parameters }, arms, kernel, 2);
  }

  /** While beta is not set all estimates are 0, and any h gives the uniform law. */
  protected override inverseRate(): number {
    return this.#beta > 0 ? this.#beta : 1;
  }

  protected override solved(): void {
    this.#penalty = 2 * this.kernel.spread();
  }

  isSettled(choice: Choice, loss: number): boolean {
    requireChoice(choice, this);
    return this.#beta > 0 && this.#news(choice, loss) >= this.#limit(choice);
  }

  #news({ round }: Choice, loss: number): number {
    return this.weight(round) * (loss - (this.#recent.value ?? loss));
  }

  #limit({ probability }: Choice): number {
    return THETA * this.#beta * Math.sqrt(probability!);
  }

  protected override learn(choice: Choice, loss: number): void {
    const news = this.#news(choice, loss);
    const limit = this.#limit(choice);
    const clipped = Math.min(Math.abs(news), limit);
    const beta = this.#beta > 0 ? this.#beta + this.#raise(choice.probability!, clipped, limit) : this.#first(news);
    if (!(beta * Math.sqrt(this.arms) <= LARGEST_SCALE)) {
      const message = `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    if (clipped > 0) this.kernel.add(choice.arm, (news > 0 ? clipped : -clipped) / choice.probability!);
    this.#recent.push(loss);
    this.#beta = beta;
  }

  #first(news: number): number {
    const size = Math.abs(news);
    return size >= SMALLEST_SCALE ? 0.5 * size * Math.sqrt(this.arms) : 0;
  }

  #raise(probability: number, clipped: number, limit: number): number {
    if (!(clipped > 0 && probability < 1) || this.arms === 1) return 0;
    const penalty = Math.max(this.#penalty, leastPenalty(probability));
    return (KAPPA * THETA * (clipped / limit) * clipped * (1 - probability)) / penalty;
  }

  /** A scale that fades to nothing is set anew by the next loss. */
  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#beta *= factor;
    if (this.#beta >= 0.5 * SMALLEST_SCALE) return;
    this.#beta = 0;
    this.kernel.reset();
  }

  override details(): Readonly<Record<string, number>> {
    return { beta: this.#beta / this.weight(this.round) };
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), beta: this.#beta, penalty: this.#penalty, recent: this.#recent.values() };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { beta, penalty, recent } = snapshot.state as { beta: number; penalty: number; recent: unknown };
    if (!(typeof beta === "number" && (beta === 0 || (beta >= 0.5 * SMALLEST_SCALE && beta * Math.sqrt(this.arms) <= LARGEST_SCALE)))) {
      throw new TsallisError("ERR_SNAPSHOT", "state.beta", beta, `state.beta must be 0 or from 5e-291 to 1e307 / sqrt(arms), got ${show(beta)}`);
    }
    // The largest is 2 (sqrt(K) - 1), at the uniform law.
    if (!(typeof penalty === "number" && penalty >= 0 && penalty <= 2 * Math.sqrt(this.arms))) {
      throw new TsallisError("ERR_SNAPSHOT", "state.penalty", penalty, `state.penalty must be from 0 to 2 sqrt(arms), got ${show(penalty)}`);
    }
    if (!(Array.isArray(recent) && recent.length <= RECENT)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.recent", recent, `state.recent must be a list of at most ${RECENT} losses, got ${show(recent)}`);
    }
    requireNumbers(recent, "state.recent", recent.length, 1e300);
    super.load(snapshot);
    this.#beta = beta;
    this.#penalty = penalty;
    this.#recent = new RecentMedian(RECENT);
    for (const loss of recent) this.#recent.push(loss);
  }
}

/** 2 (sqrt(x) + sqrt(1 - x) - 1), without cancellation: the least penalty of a law in which one arm has x. */
function leastPenalty(x: number): number {
  const [a, b] = [Math.sqrt(x), Math.sqrt(1 - x)];
  return (4 * a * b) / (1 + a + b);
}
